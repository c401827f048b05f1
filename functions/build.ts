import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { build, type BuildFailure } from 'esbuild';
import { assertLocked } from '../scripts/locked-packages.ts';
import { bundledPackages, NOTICES, renderNotices } from '../scripts/notices.ts';
import { removeStaleFiles } from '../scripts/stale-files.ts';
import { bundle } from './bundling/bundle.ts';

/** Builds lib/, the deployed folder. `--keep-old-files` keeps the files of the last build there. */
const { values } = parseArgs({ options: { 'keep-old-files': { type: 'boolean', default: false } } });
const { metafile } = await build({ ...bundle, metafile: true }).catch(fail);
assertLocked(import.meta.dirname, Object.keys(metafile.inputs));
const packages = bundledPackages(import.meta.dirname, Object.keys(metafile.inputs));
const notices = `lib/${NOTICES}`;
writeFileSync(`${import.meta.dirname}/${notices}`, renderNotices(packages));
if (!values['keep-old-files'])
  await removeStaleFiles(`${import.meta.dirname}/lib`, import.meta.dirname, [
    ...Object.keys(metafile.outputs),
    notices,
  ]);

/** Ends with exit code 1. esbuild has printed the mistakes in the sources, so its own stack is left out. */
function fail(error: BuildFailure): never {
  if (error.errors.length === 0) throw error;
  process.exit(1);
}
