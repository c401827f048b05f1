/**
 * `npm start`: the whole backend on this machine until Ctrl-C.
 *
 *   npm start                                            on the ports of firebase.json
 *   npm start -- --import DIR --export-on-exit DIR       other options go to `firebase emulators:start`
 *   npm start -- --free-ports --project demo-second      a second stack beside the first
 *   npm start -- --no-build                              with what was built before; sources are not watched
 *   npm start -- --seed                                  filled with users, teams, invitations, files
 *   npm start -- --latency production                    api waits for the services as long as in production
 *   npm start -- --no-index-check                        queries run without the indexes that production needs
 *   npm run start:official                               with Java and Google's own emulators and their UI
 *
 * Ctrl-C (SIGINT), SIGTERM and SIGHUP end everything with exit code 0; a second one kills what still runs, with 1.
 */
import { once } from 'node:events';
import { requireNode24 } from './node-version.ts';
import { onShutdown } from './shutdown.ts';
import { startStack, type Stack, type StackInfo } from './stack.ts';
import { readStartOptions } from './start-options.ts';

/** One Ctrl-C arrives twice, from the terminal and from npm. */
const SAME_SIGNAL_MS = 500;

/** The last line of what the CLI prints when it is ready; from there on its lines are for the developer. */
const CLI_OVERVIEW_END = 'Issues? Report them at';

/** Lines that the CLI prints even in its quiet mode, and that nobody needs. */
const NOISE = new RegExp(
  [
    /^\s*$/,
    /^\[hosting\] Rewriting /,
    /functions: (Loaded environment variables from|Using node@)/,
    /emulators: (Received SIG|Please wait for a clean shutdown|Shutting down)/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

const shutdown = shutdownSignal();

try {
  requireNode24();
  const stack = await start(shutdown);
  const failure = await Promise.race([stack.failed, once(shutdown, 'abort').then(() => undefined)]);
  if (failure === undefined) console.log('Stopping …');
  await stack.stop();
  if (failure !== undefined) throw failure;
} catch (error) {
  // A start that was given up ends with the reason of that, which is no failure.
  if (error !== shutdown.reason) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
// Whatever of the stack could not be stopped is killed with this process.
process.exit();

async function start(signal: AbortSignal): Promise<Stack> {
  const options = readStartOptions(process.argv.slice(2));
  console.log(`Starting Hearth (project ${options.projectId}) …`);
  const startedAt = performance.now();
  let showing = false;
  const onLine = (_source: string, line: string) => {
    if (showing && !NOISE.test(line)) console.log(line);
    showing ||= line.includes(CLI_OVERVIEW_END);
  };
  const stack = await startStack({ ...options, signal, onLine });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`\n${urlTable(stack)}\n\nReady in ${seconds} s. Ctrl-C stops everything.\n`);
  if (options.seed) console.log(`${await seededTable(stack)}\n`);
  return stack;
}

/** Seeds the stack and lists the users who can sign in. The SDKs for that load only here. */
async function seededTable(stack: StackInfo): Promise<string> {
  const { seed } = await import('./seed/seed.ts');
  const people = await seed(stack);
  return people
    .map(({ email, password, shows }) => `  ${email.padEnd(20)}${password.padEnd(18)}${shows}`)
    .join('\n');
}

function urlTable({ urls }: StackInfo): string {
  const rows = [
    ['App', urls.app],
    ['API', `${urls.app}/api/health`],
    ['Function', urls.api],
    ['Auth', urls.auth],
    ['Firestore', urls.firestore],
    ['Storage', urls.storage],
    ['Stripe', urls.stripe],
    ['Inbox', urls.inbox],
    ['Emulator UI', urls.ui],
  ];
  return rows
    .filter(([, url]) => url !== undefined)
    .map(([label = '', url = '']) => `  ${label.padEnd(12)}${url}`)
    .join('\n');
}

/** Aborted by the first signal to end; the second one exits, and the stack's processes are killed with this one. */
function shutdownSignal(): AbortSignal {
  const controller = new AbortController();
  let firstAt = 0;
  onShutdown(() => {
    if (!controller.signal.aborted) {
      firstAt = performance.now();
      controller.abort();
    } else if (performance.now() - firstAt > SAME_SIGNAL_MS) {
      process.exit(1);
    }
  });
  return controller.signal;
}
