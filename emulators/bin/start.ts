import { launch } from './launcher.ts';

await launch(process.argv.slice(2));
