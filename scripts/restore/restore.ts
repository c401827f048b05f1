/**
 * Copies documents that the live database lacks from another database of the project, such as a clone of an earlier
 * time. Prints their paths. Without --yes nothing is written:
 *
 *   npm run restore-documents -- --project <project id> --from <database> --path <collection or document> [--yes]
 *
 * Uses the application default credentials, or the emulators that environment variables name.
 */
import { initializeApp } from 'firebase-admin/app';
import { getFirestore } from 'firebase-admin/firestore';
import { exitWithHelp, helpOf, readCommandLine, type CommandLine } from '../command-line.ts';
import { resolveProject } from '../project.ts';
import { copyMissing, NOT_COPIED } from './copy-missing.ts';

const COMMAND_LINE = {
  usage: [
    'npm run restore-documents -- --project <project id> --from <database> --path <collection or document> [--yes]',
  ],
  more: [
    'Copies the documents at and below a path that the live database lacks, and changes no other document.',
    `These collections are never copied: ${[...NOT_COPIED].join(', ')}.`,
  ].join('\n'),
  options: {
    project: { type: 'string', value: '<project id>', help: 'the project, or an alias of .firebaserc' },
    from: { type: 'string', value: '<database>', help: 'the id of the database that has the documents' },
    path: { type: 'string', value: '<path>', help: 'of a collection or a document, such as teams/t1' },
    yes: { type: 'boolean', default: false, help: 'writes; otherwise only prints what would be copied' },
  },
  examples: ['npm run restore-documents -- --project production --from restored --path teams/t1'],
} as const satisfies CommandLine;

async function restore(): Promise<void> {
  const { project, from, path, yes } = readCommandLine(COMMAND_LINE).values;
  if (project === undefined || from === undefined || path === undefined)
    throw new Error(helpOf(COMMAND_LINE));
  const app = initializeApp({ projectId: resolveProject(project) });
  const databases = { from: getFirestore(app, from), to: getFirestore(app) };
  const onSkipped = (skipped: string) => {
    console.error(`${skipped} is left out.`);
  };
  const copied = await copyMissing({ ...databases, path, writes: yes, onSkipped });
  for (const one of copied) console.log(one);
  console.error(
    yes ? `${copied.length} documents were copied.` : `${copied.length} documents would be copied.`,
  );
  await Promise.all([databases.from.terminate(), databases.to.terminate()]);
}

exitWithHelp(COMMAND_LINE);
try {
  await restore();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
