/**
 * Writes everything about a user to standard output, as JSON without a bound:
 *
 *   npm run --silent export-user -- --project <project id> --uid <uid> > user.json
 *
 * Uses the application default credentials, or the emulators that the environment names.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { initializeApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import { getFirestore } from 'firebase-admin/firestore';
import { exportUser } from '../functions/src/account/export.service.ts';
import { HOOKS } from '../functions/src/personal-data/registry.ts';

const options = { project: { type: 'string' }, uid: { type: 'string' } } as const;
const { project, uid } = parseArgs({ options }).values;
if (project === undefined || uid === undefined) {
  throw new Error('Name the project and the user: --project <project id> --uid <uid>');
}
const app = initializeApp({ projectId: project });
const firestore = getFirestore(app);
const backend = {
  auth: getAuth(app),
  firestore: () => Promise.resolve(firestore),
  hooks: HOOKS,
  now: () => new Date(),
};
await pipeline(Readable.from(await exportUser(backend, { uid })), process.stdout);
await firestore.terminate();
