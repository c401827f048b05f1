import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** The parts of protos.json that `withoutAdmin` touches. */
interface Protos {
  nested: { google: { nested: { firestore: { nested: Record<string, object> }; longrunning?: object } } };
}

/**
 * Modules of the Firestore client that only its administration and its data bundles use, with their replacements.
 * Without them the client has a quarter of its size and is loaded in less than half of the time. A replacement throws
 * when it is used.
 */
const REPLACED: readonly { file: RegExp; replacement: (path: string) => string | Promise<string> }[] = [
  {
    // Without the code of all messages, which only the types and the administration use.
    file: /firestore-api\/build\/src\/index\.js$/,
    replacement: () => `exports.v1 = require('./v1');`,
  },
  {
    file: /firestore-api\/build\/src\/v1\/index\.js$/,
    replacement: () => `exports.FirestoreClient = require('./firestore_client').FirestoreClient;`,
  },
  {
    // The code of all messages again, for data bundles. The serializer reads a name of it, and does not use it.
    file: /firestore\/build\/protos\/firestore_v1_proto_api\.js$/,
    replacement: () => `exports.google = { firestore: { v1: {} } }; ${leftOut('firestore', 'data bundles')}`,
  },
  {
    file: /google-gax\/build\/protos\/(?:iam_service|locations|operations)\.js$/,
    replacement: () => leftOut('google', 'IAM, locations and long-running operations'),
  },
  {
    file: /google-gax\/build\/src\/iamService\.js$/,
    replacement: () => leftOut('IamClient', 'IAM'),
  },
  {
    file: /google-gax\/build\/src\/operationsClient\.js$/,
    replacement: () =>
      ['OperationsClient', 'OperationsClientBuilder']
        .map((name) => leftOut(name, 'long-running operations'))
        .join('\n'),
  },
  {
    // The client creates a LocationsClient at its start, and closes it at its end.
    file: /google-gax\/build\/src\/locationService\.js$/,
    replacement: () => `exports.LocationsClient = class { close() { return Promise.resolve(); } };`,
  },
  { file: /firestore-api\/build\/protos\/protos\.json$/, replacement: withoutAdmin },
];

/**
 * @throws Error at the end of a build in which a module was not found, for example after a new version of the client
 */
export const slimFirestore: Plugin = {
  name: 'slim-firestore',
  setup(build) {
    const missing = new Set(REPLACED.map(({ file }) => file));
    for (const { file, replacement } of REPLACED) {
      build.onLoad({ filter: file }, async ({ path }) => {
        missing.delete(file);
        return { contents: await replacement(path), loader: 'js' };
      });
    }
    build.onEnd(() => ({
      errors: [...missing].map(({ source }) => ({ text: `The Firestore client has no module ${source}` })),
    }));
  },
};

/** An export that throws when it is read. Not enumerable, because google-gax copies all that is. */
function leftOut(name: string, use: string): string {
  const message = `${name} is not in the bundle, see slim-firestore.ts: ${use}`;
  return `Object.defineProperty(exports, '${name}', { get() { throw new Error(${JSON.stringify(message)}); } });`;
}

/** The description of all messages, which the client reads at its start, without those of the administration. */
async function withoutAdmin(path: string): Promise<string> {
  const protos = JSON.parse(await readFile(path, 'utf8')) as Protos;
  const { google } = protos.nested;
  delete google.nested.longrunning;
  delete google.nested.firestore.nested['admin'];
  // Parsing a text as JSON is faster than parsing an object literal.
  return `module.exports = JSON.parse(${JSON.stringify(JSON.stringify(protos))});`;
}
