import type { BuildOptions } from 'esbuild';

/**
 * The function as split ESM: what a request needs is parsed when it is first imported, so that a cold start does not pay
 * for Firestore, Storage and Stripe.
 */
export const bundle = {
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
  // sharp is native: what is installed where it runs fits there.
  external: ['firebase-functions', 'firebase-functions/*', 'sharp'],
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
} as const satisfies BuildOptions;
