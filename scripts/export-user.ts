/**
 * Writes all data about a user to standard output, as one JSON object with unlimited lists:
 *
 *   npm run --silent export-user -- --project <project id> --uid <uid> > user.json
 *
 * Uses the application default credentials, or the emulators that environment variables name.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { initializeApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import { getFirestore } from 'firebase-admin/firestore';
import { exportUser } from '../functions/src/account/export.service.ts';
import { FEATURE_HOOKS } from '../functions/src/feature-hooks/registry.ts';
import { createDb } from '../functions/src/firestore/db.ts';
import { exitWithHelp, helpOf, readCommandLine, type CommandLine } from './command-line.ts';
import { resolveProject } from './project.ts';

/** An export writes no audit log entries, so their lifetime does not matter. */
const AUDIT_DAYS = 0;

const COMMAND_LINE = {
  usage: ['npm run --silent export-user -- --project <project id> --uid <uid>'],
  options: {
    project: { type: 'string', value: '<project id>', help: 'the project, or an alias of .firebaserc' },
    uid: { type: 'string', value: '<uid>', help: 'the user' },
  },
  examples: ['npm run --silent export-user -- --project production --uid AbC123 > user.json'],
} as const satisfies CommandLine;

async function writeExport(): Promise<void> {
  const { project, uid } = readCommandLine(COMMAND_LINE).values;
  if (project === undefined || uid === undefined) throw new Error(helpOf(COMMAND_LINE));
  const app = initializeApp({ projectId: resolveProject(project) });
  const firestore = getFirestore(app);
  const sources = {
    auth: getAuth(app),
    db: createDb({ loadClient: () => Promise.resolve(firestore), auditDays: AUDIT_DAYS }),
    featureHooks: FEATURE_HOOKS,
    now: () => new Date(),
  };
  await pipeline(Readable.from(await exportUser(sources, { uid })), process.stdout);
  await firestore.terminate();
}

exitWithHelp(COMMAND_LINE);
try {
  await writeExport();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
