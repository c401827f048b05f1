/**
 * Writes all data about a user to standard output, as one JSON object with unlimited lists:
 *
 *   npm run --silent export-user -- --project <project id> --uid <uid> > user.json
 *
 * Uses the application default credentials, or the emulators that environment variables name.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { initializeApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import { getFirestore } from 'firebase-admin/firestore';
import { exportUser } from '../functions/src/account/export.service.ts';
import { createDb } from '../functions/src/firestore/db.ts';
import { HOOKS } from '../functions/src/personal-data/registry.ts';

/** An export writes no audit log entries, so their lifetime does not matter. */
const AUDIT_DAYS = 0;

const options = { project: { type: 'string' }, uid: { type: 'string' } } as const;
const { project, uid } = parseArgs({ options }).values;
if (project === undefined || uid === undefined) {
  throw new Error('Usage: --project <project id> --uid <uid>');
}
const app = initializeApp({ projectId: project });
const firestore = getFirestore(app);
const sources = {
  auth: getAuth(app),
  db: createDb({ open: () => Promise.resolve(firestore), auditDays: AUDIT_DAYS }),
  featureHooks: HOOKS,
  now: () => new Date(),
};
await pipeline(Readable.from(await exportUser(sources, { uid })), process.stdout);
await firestore.terminate();
