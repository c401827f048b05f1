import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { removeStaleFiles } from '../scripts/stale-files.ts';
import { bundle } from './bundling/bundle.ts';

/** Builds lib/, which is what is deployed. `--keep-old-files` leaves those of the last build there. */
const { values } = parseArgs({ options: { 'keep-old-files': { type: 'boolean', default: false } } });
const { metafile } = await build({ ...bundle, metafile: true });
if (!values['keep-old-files'])
  await removeStaleFiles(`${import.meta.dirname}/lib`, import.meta.dirname, Object.keys(metafile.outputs));
