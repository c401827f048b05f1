import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Modules that `firebase-functions` imports for callable and blocking functions. Ours are neither. */
const ADMIN_SDK = /^firebase-admin\/(?:app|app-check|auth)$/;

/** Names that `firebase-functions` imports from these modules. */
const NAMES = ['applicationDefault', 'deleteApp', 'getApp', 'getAppCheck', 'getAuth', 'initializeApp'];

const EXPRESS = /express\/lib\/express\.js$/;

/** Express offers the parsers of this package. The app reads bodies itself, see functions/src/http/body.ts. */
const BODY_PARSER = "require('body-parser')";

/** The database of media types, in which Express looks up the type of an extension. */
const MEDIA_TYPES = /mime-db\/db\.json$/;

/**
 * Leaves out modules that packages import at their start and the function never calls. They are a third of the code
 * that a cold start would parse. A call of such a module throws.
 *
 * @throws Error at the end of a build if a new version of a package imports them in another way
 */
export const slimStart: Plugin = {
  name: 'slim-start',
  setup(build) {
    let importsAdminSdk = false;
    build.onResolve({ filter: ADMIN_SDK }, ({ path, importer }) => {
      if (!importer.includes('/firebase-functions/')) return undefined;
      importsAdminSdk = true;
      return { path, namespace: 'left-out' };
    });
    build.onLoad({ filter: ADMIN_SDK, namespace: 'left-out' }, ({ path }) => ({ contents: leftOut(path) }));
    build.onLoad({ filter: EXPRESS }, async ({ path }) => {
      const contents = await readFile(path, 'utf8');
      const errors = contents.includes(BODY_PARSER)
        ? []
        : [{ text: 'Express does not load its parsers as before.' }];
      return { contents: contents.replace(BODY_PARSER, '{}'), errors, loader: 'js' };
    });
    build.onLoad({ filter: MEDIA_TYPES }, async ({ path }) => ({
      contents: withExtensions(await readFile(path, 'utf8')),
      loader: 'js',
    }));
    build.onEnd(() => ({
      errors: importsAdminSdk
        ? []
        : [{ text: 'firebase-functions does not import the Admin SDK as before.' }],
    }));
  },
};

function leftOut(path: string): string {
  const message = `${path} is not in the bundle for firebase-functions, see slim-start.ts.`;
  return NAMES.map(
    (name) => `export function ${name}() { throw new Error(${JSON.stringify(message)}); }`,
  ).join('\n');
}

/** The media types that have extensions. Parsing a text as JSON is faster than parsing an object literal. */
function withExtensions(database: string): string {
  const types = Object.entries(JSON.parse(database) as Record<string, { extensions?: string[] }>);
  const used = Object.fromEntries(types.filter(([, { extensions = [] }]) => extensions.length > 0));
  return `module.exports = JSON.parse(${JSON.stringify(JSON.stringify(used))});`;
}
