import { parseArgs } from 'node:util';
import { build, context } from 'esbuild';
import { removeStaleFiles } from '../scripts/stale-files.ts';
import { bundle } from './bundling/bundle.ts';

/** Builds lib/, which is what is deployed. `--watch` builds again at every change. */
const { values } = parseArgs({ options: { watch: { type: 'boolean', default: false } } });
if (values.watch) {
  await (await context(bundle)).watch();
} else {
  const { metafile } = await build({ ...bundle, metafile: true });
  await removeStaleFiles(`${import.meta.dirname}/lib`, import.meta.dirname, Object.keys(metafile.outputs));
}
