import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** The file of the Admin SDK that verifies tokens. */
const FILE = /firebase-admin\/lib\/utils\/jwt\.js$/;

/** The packages that this file loads, by the name of their variable. */
const PACKAGES = { jwt: 'jsonwebtoken', jwks: 'jwks-rsa' } as const;

/**
 * Makes the Admin SDK load the packages that verify tokens at the first verification, not at its start.
 *
 * @throws Error at the end of a build if a new version of the SDK loads them in another way
 */
export const onFirstUse: Plugin = {
  name: 'on-first-use',
  setup(build) {
    build.onLoad({ filter: FILE }, async ({ path }) => {
      let contents = await readFile(path, 'utf8');
      const errors = [];
      for (const [variable, name] of Object.entries(PACKAGES)) {
        const loading = `const ${variable} = require("${name}");`;
        if (!contents.includes(loading))
          errors.push({ text: `The Admin SDK does not load ${name} as before.` });
        // Each use of the variable becomes a call of require, which loads a package once.
        contents = contents
          .replace(loading, '')
          .replaceAll(new RegExp(`\\b${variable}(?=[.(])`, 'g'), `require("${name}")`);
      }
      return { contents, errors, loader: 'js' };
    });
  },
};
