import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { parseEnv } from 'node:util';
import { FUNCTIONS, ROOT } from './paths.ts';
import { findFreePorts, portsFrom, type StackPorts } from './ports.ts';

export const DEFAULT_PROJECT = 'demo-hearth';

/** The parts of firebase.json that this reads or changes. */
interface FirebaseConfig {
  functions: Record<string, unknown>[];
  emulators: Record<string, unknown> & { firestore?: { websocketPort?: number } };
}

/** The emulators of firebase.json whose ports carry the same names here. */
const EMULATORS = [
  'hosting',
  'functions',
  'auth',
  'firestore',
  'storage',
  'eventarc',
  'tasks',
  'hub',
  'logging',
  'ui',
] as const;

/** Everything that is settled before the first process starts. */
export interface StackConfig {
  ports: StackPorts;
  /** Where the app is served. */
  appUrl: string;
  /** False when STRIPE_API_URL names no port of this machine: then the functions talk to the real Stripe. */
  stripeStandIn: boolean;
  /** Whether the Emulator UI runs; firebase.json leaves it off because no package registry carries it. */
  ui: boolean;
  /** The Firebase configuration file, in the root folder because its paths are relative to it. */
  configFile: string;
  /** Where the CLI runs and writes its logs. */
  workFolder: string;
  /** Environment that this stack's processes need to keep apart from those of another stack. */
  env: Record<string, string>;
  /** Removes what was written for this stack. */
  dispose: () => void;
}

/** The configuration of `npm start`: the ports of firebase.json and the parameters of functions/.env*. */
export function defaultConfig(projectId: string, ui: boolean): StackConfig {
  const config = readFirebaseConfig();
  const parameters = functionParameters(projectId);
  const stripeUrl = URL.parse(parameters['STRIPE_API_URL'] ?? '');
  const stripeStandIn = stripeUrl !== null && ['127.0.0.1', 'localhost'].includes(stripeUrl.hostname);
  const ports = portsFrom({
    ...configuredPorts(config),
    ...(stripeStandIn ? { stripe: Number(stripeUrl.port) } : {}),
  });
  const base = {
    ports,
    appUrl: parameters['APP_URL'] ?? `http://localhost:${ports.hosting}`,
    stripeStandIn,
    ui,
    workFolder: ROOT,
    env: {},
  };
  if (!ui) return { ...base, configFile: join(ROOT, 'firebase.json'), dispose: () => undefined };

  const configFile = writeFirebaseConfig(String(process.pid), {
    ...config,
    emulators: { ...config.emulators, ui: { enabled: true, port: ports.ui } },
  });
  return {
    ...base,
    configFile,
    dispose: () => {
      rmSync(configFile, { force: true });
    },
  };
}

/**
 * A configuration that shares nothing with another stack on this machine: free ports, and a folder of its own for
 * the functions' parameters, the CLI's logs and settings, the Storage emulator's files and the hub's locator.
 */
export async function isolatedConfig(projectId: string, ui: boolean): Promise<StackConfig> {
  const ports = await findFreePorts();
  const workFolder = mkdtempSync(join(tmpdir(), 'hearth-'));
  const temporary = join(workFolder, 'tmp');
  mkdirSync(temporary);

  const appUrl = `http://localhost:${ports.hosting}`;
  const parameters = {
    ...committedParameters(),
    APP_URL: appUrl,
    STRIPE_API_URL: `http://127.0.0.1:${ports.stripe}`,
  };
  const lines = Object.entries(parameters).map(([name, value]) => `${name}=${JSON.stringify(value)}\n`);
  writeFileSync(join(workFolder, `.env.${projectId}`), lines.join(''));

  const config = readFirebaseConfig();
  const configFile = writeFirebaseConfig(basename(workFolder), {
    ...config,
    functions: config.functions.map((codebase) => ({ ...codebase, configDir: relative(ROOT, workFolder) })),
    emulators: { ...config.emulators, ...emulatorSettings(ports), ui: { enabled: ui, port: ports.ui } },
  });

  return {
    ports,
    appUrl,
    stripeStandIn: true,
    ui,
    configFile,
    workFolder,
    env: { TMPDIR: temporary, TEMP: temporary, TMP: temporary, XDG_CONFIG_HOME: workFolder },
    dispose: () => {
      rmSync(configFile, { force: true });
      rmSync(workFolder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The functions' secrets for local use; the file is made from its committed example when it is missing. */
export function localSecrets(): Record<string, string> {
  const file = join(FUNCTIONS, '.secret.local');
  if (!existsSync(file)) copyFileSync(`${file}.example`, file);
  return readEnvFile(file);
}

function emulatorSettings(ports: StackPorts): Record<string, object> {
  const settings = Object.fromEntries(
    EMULATORS.map((name) => [name, { host: '127.0.0.1', port: ports[name] }] as const),
  );
  return {
    ...settings,
    firestore: { host: '127.0.0.1', port: ports.firestore, websocketPort: ports.firestoreWebsocket },
  };
}

function configuredPorts({ emulators }: FirebaseConfig): Partial<StackPorts> {
  const ports: Partial<StackPorts> = {};
  for (const name of EMULATORS) {
    const port = (emulators[name] as { port?: number } | undefined)?.port;
    if (port !== undefined) ports[name] = port;
  }
  const websocket = emulators.firestore?.websocketPort;
  return websocket === undefined ? ports : { ...ports, firestoreWebsocket: websocket };
}

/** The functions' parameters, read from the files that the CLI's functions emulator reads, in the same order. */
function functionParameters(projectId: string): Record<string, string> {
  const files = ['.env', `.env.${projectId}`, '.env.local'];
  return Object.assign({}, ...files.map((file) => readEnvFile(join(FUNCTIONS, file)))) as Record<
    string,
    string
  >;
}

/** The parameters that the repository carries for local use, without a developer's own `.env.local`. */
function committedParameters(): Record<string, string> {
  return {
    ...readEnvFile(join(FUNCTIONS, '.env')),
    ...readEnvFile(join(FUNCTIONS, `.env.${DEFAULT_PROJECT}`)),
  };
}

function readEnvFile(file: string): Record<string, string> {
  return existsSync(file) ? (parseEnv(readFileSync(file, 'utf8')) as Record<string, string>) : {};
}

function readFirebaseConfig(): FirebaseConfig {
  return JSON.parse(readFileSync(join(ROOT, 'firebase.json'), 'utf8')) as FirebaseConfig;
}

function writeFirebaseConfig(name: string, config: FirebaseConfig): string {
  const file = join(ROOT, `firebase.${name}.json`);
  writeFileSync(file, JSON.stringify(config, null, 2));
  return file;
}
