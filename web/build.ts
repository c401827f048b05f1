import { parseArgs } from 'node:util';
import { build } from 'vite';
import { removeStaleFiles } from '../scripts/stale-files.ts';

/** Builds web/dist (see vite.config.ts). `--watch` builds again at every change. */
const folder = import.meta.dirname;
const { values } = parseArgs({ options: { watch: { type: 'boolean', default: false } } });

const result = await build({
  configFile: `${folder}/vite.config.ts`,
  logLevel: 'warn',
  ...(values.watch && { build: { watch: {} } }),
});
if ('output' in result) {
  const written = result.output.map(({ fileName }) => `dist/${fileName}`);
  await removeStaleFiles(`${folder}/dist/assets`, folder, written);
}
