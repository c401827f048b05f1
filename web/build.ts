import { cp, watch } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { build, context, type BuildOptions } from 'esbuild';
import { removeStaleFiles } from '../scripts/stale-files.ts';

/**
 * Builds the web app into web/dist, which Firebase Hosting serves. Each page and the Firebase SDK become chunks of their
 * own, loaded when first needed; what stands in web/public is copied. `--watch` builds again at every change.
 */
const folder = import.meta.dirname;
const publicFolder = `${folder}/public`;
const output = `${folder}/dist`;

const options: BuildOptions = {
  absWorkingDir: folder,
  entryPoints: { main: 'src/main.ts', style: 'src/style/index.css' },
  outdir: 'dist/assets',
  // Hosting lets browsers keep the chunks forever (firebase.json), which the hash in their names makes right.
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  sourcemap: 'linked',
  logLevel: 'warning',
};

const copyPublic = () => cp(publicFolder, output, { recursive: true });

const { values } = parseArgs({ options: { watch: { type: 'boolean', default: false } } });
if (!values.watch) {
  const [{ metafile }] = await Promise.all([build({ ...options, metafile: true }), copyPublic()]);
  await removeStaleFiles(`${output}/assets`, folder, Object.keys(metafile.outputs));
} else {
  // The folder stays: Hosting may be serving it.
  await Promise.all([(await context(options)).watch(), copyPublic()]);
  for await (const change of watch(publicFolder, { recursive: true })) {
    console.log(`web/public: ${change.filename ?? 'a file'} changed`);
    await copyPublic();
  }
}
