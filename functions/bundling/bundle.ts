import { dirname } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { onFirstUse } from './on-first-use.ts';
import { oneCopy } from './one-copy.ts';
import { slimFirestore } from './slim-firestore.ts';
import { slimStart } from './slim-start.ts';

/**
 * The function as split ESM: each part is parsed when it is first imported, so that a cold start does not pay for
 * Firestore, Storage and Stripe. Not minified: minifying makes no start faster, and stack traces would be hard to read.
 */
export const bundle = {
  absWorkingDir: dirname(import.meta.dirname),
  entryPoints: ['src/index.ts'],
  outdir: 'lib',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  sourcemap: 'linked',
  sourcesContent: false,
  plugins: [oneCopy, slimFirestore, slimStart, onFirstUse],
  // sharp is native: the copy that is installed on the server fits its platform.
  external: ['sharp'],
  // Names that bundled CommonJS packages expect in Node's module scope.
  banner: {
    js: [
      "import { createRequire as createRequireOfBundle } from 'node:module';",
      'const require = createRequireOfBundle(import.meta.url);',
      'const __filename = import.meta.filename;',
      'const __dirname = import.meta.dirname;',
    ].join('\n'),
  },
  logLevel: 'warning',
} as const satisfies BuildOptions;
