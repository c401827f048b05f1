import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { prepareEmulatorFiles } from '@hearth/emulators/emulator-files';
import { INDEXES_VARIABLE } from '@hearth/emulators/launcher';
import { DEFAULT_ACTION_PATH } from '../functions/src/settings/table.ts';
import { CACHE, FUNCTIONS, ROOT } from './paths.ts';
import { waitUntilOpen } from './ports.ts';
import type { Processes } from './processes.ts';
import type { StackConfig } from './stack-config.ts';
import { watchSources } from './watch.ts';

const packages = createRequire(import.meta.url);

/** The line that the Firebase CLI prints when every emulator answers and the functions are loaded. */
const CLI_READY = 'All emulators ready!';

/** Makes a program end when this process does, see lifeline.ts. */
const WITH_LIFELINE = ['--import', join(ROOT, 'scripts/lifeline.ts')];

/** The plans and extras, which the functions' bundle and the local Stripe have. */
const CATALOGUE = ['functions/plans.json', 'functions/extras.json'];

/** The build: the functions into functions/lib, the web app into web/dist. */
export const BUILDS = {
  functions: {
    name: 'functions build',
    args: [...WITH_LIFELINE, 'build.ts'],
    cwd: FUNCTIONS,
    sources: ['functions/src', 'functions/bundling', 'functions/build.ts', 'shared', ...CATALOGUE],
  },
  web: {
    name: 'web build',
    args: [...WITH_LIFELINE, 'build.ts'],
    cwd: join(ROOT, 'web'),
    sources: ['web', 'client/src', 'shared'],
  },
};

/**
 * The CLI reads the exports of the functions' code. Through a file, as here, that is three seconds faster than through
 * the server that it otherwise starts; the time limit, in seconds, is for a machine that is busy.
 */
const DISCOVERY = { FIREBASE_FUNCTIONS_DISCOVERY_OUTPUT_PATH: 'true', FUNCTIONS_DISCOVERY_TIMEOUT: '60' };

const CATALOGUE_CHANGED = 'The plans or extras have changed. `npm run plans` writes them into the rules.';

/** Whether the project has the web app. A project that was made without pages has none. */
const hasWebApp = existsSync(BUILDS.web.cwd);

/** Builds the functions, and the web app if there is one. */
export async function build(processes: Processes): Promise<void> {
  const { functions, web } = BUILDS;
  const programs = hasWebApp ? [functions, web] : [functions];
  await Promise.all(programs.map((program) => processes.finish(program.name, program)));
}

/** The functions that `watch` calls. */
export interface WatchCalls {
  /** After each build of the functions. */
  onFunctionsBuilt: () => Promise<void>;
  /** After a change of the plans or extras. Returns lines to print. */
  onCatalogueChanged: () => Promise<readonly string[]>;
  /** With a line about each build. */
  print: (line: string) => void;
}

/** Builds them again whenever their sources change. The functions emulator reloads changed files. */
export function watch(
  processes: Processes,
  { onFunctionsBuilt, onCatalogueChanged, print }: WatchCalls,
): void {
  const { functions, web } = BUILDS;
  const buildFunctions = async () => {
    // Processes of functions that still run may load a file of the last build.
    const args = [...functions.args, '--keep-old-files'];
    await processes.finish(functions.name, { args, cwd: functions.cwd });
    await onFunctionsBuilt();
  };
  const buildWeb = () => processes.finish(web.name, web);
  const ends = [watchSources(functions.sources, reported('functions', buildFunctions, print))];
  ends.push(
    watchSources(CATALOGUE, async () => {
      print(CATALOGUE_CHANGED);
      try {
        for (const line of await onCatalogueChanged()) print(line);
      } catch (error) {
        print(`The local Stripe does not have the change: ${String(error)}`);
      }
    }),
  );
  if (hasWebApp) ends.push(watchSources(web.sources, reported('web app', buildWeb, print)));
  processes.signal.addEventListener('abort', () => {
    for (const end of ends) end();
  });
}

/**
 * The same build, with a line about each result. A build that failed has printed the reason.
 *
 * @param what the noun for the lines
 */
export function reported(
  what: string,
  build: () => Promise<void>,
  print: (line: string) => void,
): () => Promise<void> {
  let failed = false;
  return async () => {
    const startedAt = performance.now();
    try {
      await build();
    } catch {
      failed = true;
      print(`The build of the ${what} failed. The last good build is still served.`);
      return;
    }
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    print(`Built the ${what} in ${seconds} s.${failed ? ' The build is fine again.' : ''}`);
    failed = false;
  };
}

/** Starts the Firebase CLI; resolves when its emulators are ready. */
export function startCli(
  processes: Processes,
  options: {
    projectId: string;
    official: boolean;
    indexCheck: boolean;
    config: StackConfig;
    extraArgs: readonly string[];
    /** Variables of all processes that the CLI starts. */
    env: Readonly<Record<string, string>>;
  },
): Promise<void> {
  const { projectId, official, indexCheck, config, extraArgs, env } = options;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  // Functions' own output, warnings and errors; everything else is in firebase-debug.log.
  const verbosity = extraArgs.some((arg) => arg.startsWith('--log-verbosity'))
    ? []
    : ['--log-verbosity', 'QUIET'];
  const command = ['emulators:start', '--project', projectId, '--config', config.configFile, ...verbosity];
  processes.start('Firebase CLI', {
    args: [firebaseProgram(), ...command, ...extraArgs],
    cwd: config.logFolder,
    env: { ...DISCOVERY, ...env, ...(official ? {} : standInEnvironment(indexCheck)) },
    onLine: (line) => {
      if (line.includes(CLI_READY)) resolve(undefined);
    },
  });
  return promise;
}

/** Starts the Stripe stand-in; resolves when it answers. */
export function startStripe(processes: Processes, { ports, secrets }: StackConfig): Promise<void> {
  const webhook = `http://127.0.0.1:${ports.hosting}/api/webhooks/stripe`;
  const program = packages.resolve('@hearth/stripe-emulator/main');
  const plans = join(FUNCTIONS, 'plans.json');
  const sold = ['--account', 'hearth', '--plans', plans, '--extras', join(FUNCTIONS, 'extras.json')];
  const options = ['--port', String(ports.stripe), ...sold, '--webhook-url', webhook];
  processes.start('Stripe stand-in', {
    args: [...WITH_LIFELINE, program, ...options],
    cwd: ROOT,
    env: secrets,
  });
  return waitUntilOpen(ports.stripe, processes.signal);
}

/** Starts the page that shows local mail; resolves when it answers. */
export function startInbox(
  processes: Processes,
  projectId: string,
  { ports, appUrl, parameters }: StackConfig,
): Promise<void> {
  const program = packages.resolve('@hearth/inbox/main');
  const emulators = ['--firestore', `127.0.0.1:${ports.firestore}`, '--auth', `127.0.0.1:${ports.auth}`];
  const actionUrl = `${appUrl}${parameters['ACTION_PATH'] ?? DEFAULT_ACTION_PATH}`;
  const options = [
    '--port',
    String(ports.inbox),
    '--project',
    projectId,
    '--action-url',
    actionUrl,
    ...emulators,
  ];
  processes.start('Inbox', { args: [...WITH_LIFELINE, program, ...options], cwd: ROOT });
  return waitUntilOpen(ports.inbox, processes.signal);
}

/** Puts our `java` first on PATH, for the CLI alone, and keeps the CLI from asking the network for anything. */
function standInEnvironment(indexCheck: boolean): Record<string, string> {
  return {
    ...(indexCheck && { [INDEXES_VARIABLE]: join(ROOT, 'firestore.indexes.json') }),
    PATH: dirname(packages.resolve('@hearth/emulators/launcher')),
    FIREBASE_EMULATORS_PATH: prepareEmulatorFiles(join(CACHE, 'emulators')),
    // Nothing outside this machine is asked: no newer CLI, no message of the day (CI), no Google credentials.
    NO_UPDATE_NOTIFIER: '1',
    CI: 'true',
    METADATA_SERVER_DETECTION: 'none',
  };
}

/** The Firebase CLI's program file. */
function firebaseProgram(): string {
  const packageFile = packages.resolve('firebase-tools/package.json');
  const { bin } = JSON.parse(readFileSync(packageFile, 'utf8')) as { bin: { firebase: string } };
  return join(packageFile, '..', bin.firebase);
}
