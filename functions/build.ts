import { parseArgs } from 'node:util';
import { build, context, type BuildOptions } from 'esbuild';
import { removeStaleFiles } from '../scripts/stale-files.ts';

/**
 * Bundles the function as split ESM: what a request needs is parsed when it is first imported, so that a cold start does not pay
 * for Firestore, Storage and Stripe. `--watch` builds again at every change.
 */
const options: BuildOptions = {
  absWorkingDir: import.meta.dirname,
  entryPoints: ['src/index.ts'],
  outdir: 'lib',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  sourcemap: 'linked',
  sourcesContent: false,
  // The Firebase CLI and the Functions runtime look for this package themselves and must find the same copy.
  external: ['firebase-functions', 'firebase-functions/*'],
  // What bundled CommonJS packages expect of Node's module scope.
  banner: {
    js: [
      "import { createRequire as createRequireOfBundle } from 'node:module';",
      'const require = createRequireOfBundle(import.meta.url);',
      'const __filename = import.meta.filename;',
      'const __dirname = import.meta.dirname;',
    ].join('\n'),
  },
  logLevel: 'warning',
};

const { values } = parseArgs({ options: { watch: { type: 'boolean', default: false } } });
if (values.watch) {
  await (await context(options)).watch();
} else {
  const { metafile } = await build({ ...options, metafile: true });
  await removeStaleFiles(`${import.meta.dirname}/lib`, import.meta.dirname, Object.keys(metafile.outputs));
}
