/**
 * `npm start`: the whole backend on this machine until Ctrl-C.
 *
 *   npm start                                            on the ports of firebase.json, with demonstration data
 *   npm start -- --import DIR --export-on-exit DIR       other options go to `firebase emulators:start`
 *   npm start -- --free-ports --project demo-second      a second stack beside the first
 *   npm start -- --no-build                              with what was built before; sources are not watched
 *   npm start -- --no-seed                               without users, teams, invitations, files
 *   npm start -- --latency production                    api waits for the services as long as in production
 *   npm start -- --no-index-check                        queries run without the indexes that production needs
 *   npm run start:official                               with Java and Google's own emulators and their UI
 *
 * Ctrl-C (SIGINT), SIGTERM and SIGHUP end everything with exit code 0; a second one kills what still runs, with 1.
 */
import { once } from 'node:events';
import { BRAND } from '../shared/src/brand.ts';
import { exitWithHelp } from './command-line.ts';
import type { LocalBanner } from './local-hosting.ts';
import { requireNode24 } from './node-version.ts';
import { DEMO_PEOPLE } from './seed/demo-people.ts';
import { unknownSettings } from './settings-files.ts';
import { onShutdown } from './shutdown.ts';
import { developerSettings, isolatedSettings } from './stack-config.ts';
import { startStack, type Stack, type StackInfo } from './stack.ts';
import { readStartOptions, START_COMMAND_LINE, type StartOptions } from './start-options.ts';
import { terminalLine } from './terminal.ts';

/** One Ctrl-C arrives twice, from the terminal and from npm. */
const SAME_SIGNAL_MS = 500;

/** The last line that the CLI prints during its start. Its later lines are for the developer. */
const CLI_OVERVIEW_END = 'Issues? Report them at';

exitWithHelp(START_COMMAND_LINE);
const shutdown = shutdownSignal();

try {
  requireNode24();
  const stack = await start(shutdown);
  const failure = await Promise.race([stack.failed, once(shutdown, 'abort').then(() => undefined)]);
  if (failure === undefined) console.log('Stopping …');
  await stack.stop();
  if (failure !== undefined) throw failure;
} catch (error) {
  // An aborted start rejects with the reason of the abort, which is not a failure.
  if (error !== shutdown.reason) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
// Programs of the stack that could not be stopped are killed with this process.
process.exit();

async function start(signal: AbortSignal): Promise<Stack> {
  const options = readStartOptions(process.argv.slice(2));
  console.log(`Starting ${BRAND.name} (project ${options.projectId}) …`);
  printSettings(options);
  const startedAt = performance.now();
  const state = { listening: false, seeding: false };
  const linesOfSeed: string[] = [];
  const onLine = (_source: string, line: string) => {
    const shown = state.listening ? terminalLine(line) : undefined;
    // The requests of the seed are not the developer's.
    if (shown !== undefined && state.seeding) linesOfSeed.push(shown);
    else if (shown !== undefined) console.log(shown);
    state.listening ||= line.includes(CLI_OVERVIEW_END);
  };
  const stack = await startStack({ ...options, banner: bannerOf(options), signal, onLine });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  state.seeding = true;
  const people = options.seed ? await seededTable(stack).catch(failedSeed(linesOfSeed)) : undefined;
  state.seeding = false;
  console.log(`\n${urlTable(stack)}\n`);
  if (people !== undefined) console.log(`Sign in at ${stack.urls.app} as one of:\n${people}\n`);
  console.log(`Ready in ${seconds} s. Ctrl-C stops everything.\n`);
  return stack;
}

/** Adds the log of the stack to an error of the seed, because the log has the cause. */
function failedSeed(lines: readonly string[]): (error: Error) => never {
  return (error) => {
    const advice = 'The demonstration could not be made. `npm start -- --no-seed` starts without it.';
    throw new Error([...lines, advice, error.message].join('\n'), { cause: error });
  };
}

/** Prints the files from which the settings are read, and the names in them that are no settings. */
function printSettings({ projectId, ports }: StartOptions): void {
  const { files, values } = ports === 'free' ? isolatedSettings(projectId) : developerSettings(projectId);
  const byPorts = ports === 'free' ? '. APP_URL and STRIPE_API_URL follow the ports' : '';
  console.log(`Settings: ${files.join(', ')}${byPorts}`);
  for (const { name, similar } of unknownSettings(values)) {
    const hint = similar === undefined ? '' : ` Did you mean ${similar}?`;
    console.warn(`There is no setting ${name}.${hint}`);
  }
}

/** The banner names nobody if no demonstration is made. */
function bannerOf({ seed, build }: StartOptions): LocalBanner {
  const people = seed ? DEMO_PEOPLE.map(({ email, password }) => ({ email, password })) : [];
  return { people, isWatched: build === 'watch' };
}

/** Seeds the stack and lists the users who can sign in. The SDKs for that load only here. */
async function seededTable(stack: StackInfo): Promise<string> {
  const { seed } = await import('./seed/seed.ts');
  const people = await seed(stack);
  return people
    .map(({ email, password, shows }) => `  ${email.padEnd(20)}${password.padEnd(18)}${shows}`)
    .join('\n');
}

function urlTable({ urls, ports }: StackInfo): string {
  const hosting = `http://localhost:${ports.hosting}`;
  const rows = [
    ['App', urls.app],
    // A front end at APP_URL runs in a program of its own, and forwards requests to Hosting.
    ['Hosting', urls.app === hosting ? undefined : hosting],
    ['API', `${hosting}/api/health`],
    ['API document', `${hosting}/api/openapi.json`],
    ['Function', urls.api],
    ['Auth', urls.auth],
    ['Firestore', urls.firestore],
    ['Storage', urls.storage],
    ['Stripe', urls.stripe],
    ['Inbox (all mail)', urls.inbox],
    ['Data', `${urls.inbox}/data`],
    ['Emulator UI', urls.ui],
  ];
  return rows
    .filter(([, url]) => url !== undefined)
    .map(([label = '', url = '']) => `  ${label.padEnd(18)}${url}`)
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
