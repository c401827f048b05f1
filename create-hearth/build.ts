/** Builds the program of the package, and packs the committed files of the checkout as its template. */
import { build } from 'esbuild';
import { archiveOf } from './template.ts';

const folder = import.meta.dirname;

await build({
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
await archiveOf(`${folder}/..`, `${folder}/dist/template.tar`);
