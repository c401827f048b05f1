/**
 * Builds the program of the package with its licenses, and packs the committed files of the checkout as its template.
 */
import { writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { bundledPackages, NOTICES, renderNotices } from '../scripts/notices.ts';
import { archiveOf } from './template.ts';

const folder = import.meta.dirname;

const { metafile } = await build({
  absWorkingDir: folder,
  metafile: true,
  entryPoints: [`${folder}/main.ts`],
  outfile: `${folder}/dist/create-hearth.js`,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // plan-tables.ts is no program here.
  define: { 'import.meta.main': 'false' },
  banner: { js: '#!/usr/bin/env node' },
});
const packages = bundledPackages(folder, Object.keys(metafile.inputs));
writeFileSync(`${folder}/dist/${NOTICES}`, renderNotices(packages));
await archiveOf(`${folder}/..`, `${folder}/dist/template.tar`);
