import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { DEFAULT_REGION } from '../functions/src/settings/table.ts';
import { localHosting, type LocalBanner } from './local-hosting.ts';
import type { HostingConfig } from './local-policy.ts';
import { FUNCTIONS, ROOT } from './paths.ts';
import { findFreePorts, portsFrom, type StackPorts } from './ports.ts';
import {
  readEnvFile,
  readSettingsFiles,
  requireValidSettings,
  type SettingsFiles,
} from './settings-files.ts';

export const DEFAULT_PROJECT = 'demo-hearth';

const SECRETS_FILE = '.secret.local';
const SECRETS_EXAMPLE = join(FUNCTIONS, `${SECRETS_FILE}.example`);

/** The parts of firebase.json that this reads or changes. */
interface FirebaseConfig {
  functions: Record<string, unknown>[];
  hosting: HostingConfig;
  emulators: Record<string, unknown> & { firestore?: { port?: number; websocketPort?: number } };
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
  /** Where the functions run. */
  region: string;
  /** False when STRIPE_API_URL names no port of this machine: then the functions talk to the real Stripe. */
  stripeStandIn: boolean;
  /** Whether the Emulator UI runs; firebase.json leaves it off because no package registry carries it. */
  ui: boolean;
  /** The Firebase configuration file, in the root folder because its paths are relative to it. */
  configFile: string;
  /** Where the CLI runs and writes its logs. */
  logFolder: string;
  /** The functions' parameters. */
  parameters: Record<string, string>;
  /** The functions' secrets. */
  secrets: Record<string, string>;
  /** Environment that this stack's processes need to keep apart from those of another stack. */
  env: Record<string, string>;
  /** Removes the files that were written for this stack. */
  dispose: () => void;
}

/**
 * The configuration of `npm start`: the ports of firebase.json and the settings of functions/.env*. Its temporary files
 * have a folder of their own, because every Firebase CLI removes the files of an emulator from the common one.
 *
 * @throws Error that lists every invalid setting
 */
export function defaultConfig(
  projectId: string,
  ui: boolean,
  banner?: LocalBanner,
  config = readFirebaseConfig(),
): StackConfig {
  requireValidSettings(developerSettings(projectId));
  const settings = readSettingsFiles(FUNCTIONS, parameterFiles(projectId)).values;
  const stripeUrl = URL.parse(settings['STRIPE_API_URL'] ?? '');
  const stripeStandIn = stripeUrl !== null && ['127.0.0.1', 'localhost'].includes(stripeUrl.hostname);
  const inboxPort = process.env['HEARTH_INBOX_PORT'];
  const ports = portsFrom({
    ...configuredPorts(config),
    ...(stripeStandIn ? { stripe: Number(stripeUrl.port) } : {}),
    ...(inboxPort === undefined ? {} : { inbox: Number(inboxPort) }),
  });
  const appUrl = localAppUrl(settings['APP_URL'], ports.hosting);
  const parameters = { ...settings, APP_URL: appUrl };
  const region = regionOf(parameters);
  const workFolder = mkdtempSync(join(tmpdir(), 'hearth-'));
  // The CLI writes the defaults of all settings to `.env.local` beside the files that it reads, where they would
  // replace those of the developer at the next start.
  writeEnvFile(join(workFolder, `.env.${projectId}`), parameters);
  const configFile = writeFirebaseConfig(String(process.pid), {
    ...config,
    functions: config.functions.map((codebase) => ({ ...codebase, configDir: relative(ROOT, workFolder) })),
    hosting: localHosting(config.hosting, { ports, region, ui, banner }),
    emulators: { ...config.emulators, ...(ui && { ui: { enabled: true, port: ports.ui } }) },
  });
  return {
    ports,
    appUrl,
    region,
    stripeStandIn,
    ui,
    configFile,
    logFolder: ROOT,
    parameters,
    secrets: localSecrets(),
    env: { TMPDIR: workFolder, TEMP: workFolder, TMP: workFolder },
    dispose: () => {
      remove(configFile, workFolder);
    },
  };
}

/** `functions/.env.demo-hearth` names the port of firebase.json as delivered, and macOS itself may hold that one. */
function localAppUrl(setting: string | undefined, hostingPort: number): string {
  const url = `http://localhost:${hostingPort}`;
  return setting === undefined || setting === 'http://localhost:5000' ? url : setting;
}

/**
 * The settings of a developer's stack, read from the files that the Firebase CLI reads, in the same order. The file of
 * the secrets is made first if it is missing.
 */
export function developerSettings(projectId: string): SettingsFiles {
  localSecrets();
  return readSettingsFiles(FUNCTIONS, [...parameterFiles(projectId), SECRETS_FILE]);
}

const parameterFiles = (projectId: string) => ['.env', `.env.${projectId}`, '.env.local'];

/**
 * The settings of a stack on free ports: those of the local stack, and those of the project in place of them. A
 * developer's `.env.local` and `.secret.local` belong to the default ports, and to real services.
 */
export function isolatedSettings(projectId: string): SettingsFiles {
  return readSettingsFiles(FUNCTIONS, [...isolatedFiles(projectId), `${SECRETS_FILE}.example`]);
}

const isolatedFiles = (projectId: string) => [
  ...new Set(['.env', `.env.${DEFAULT_PROJECT}`, `.env.${projectId}`]),
];

/** Differences between an isolated stack and the deployed service. */
export interface IsolatedOptions {
  /** Whether functions/.env* are read; true by default. */
  settingsFiles?: boolean | undefined;
  /** Settings that replace those of functions/.env*. */
  parameters?: Readonly<Record<string, string>> | undefined;
  /** Secrets that replace those of .secret.local.example. */
  secrets?: Readonly<Record<string, string>> | undefined;
  /** Names of the functions that the emulator loads; all of them by default. */
  functions?: readonly string[] | undefined;
  /** See StackOptions. */
  banner?: LocalBanner | undefined;
}

/**
 * A configuration that shares nothing with another stack on this machine: free ports, and a folder of its own for the
 * functions' parameters and secrets, the CLI's logs and settings, the Storage emulator's files and the hub's locator.
 *
 * @throws Error that lists every invalid setting
 */
export async function isolatedConfig(
  projectId: string,
  ui: boolean,
  options: IsolatedOptions = {},
): Promise<StackConfig> {
  const ports = await findFreePorts();
  const { banner, settingsFiles = true } = options;
  const appUrl = `http://localhost:${ports.hosting}`;
  const parameters = {
    ...(settingsFiles && readSettingsFiles(FUNCTIONS, isolatedFiles(projectId)).values),
    APP_URL: appUrl,
    STRIPE_API_URL: `http://127.0.0.1:${ports.stripe}`,
    ...options.parameters,
  };
  const secrets = { ...readEnvFile(SECRETS_EXAMPLE), ...options.secrets };
  const { files } = isolatedSettings(projectId);
  requireValidSettings({ files, values: { ...parameters, ...secrets } });

  const workFolder = mkdtempSync(join(tmpdir(), 'hearth-'));
  const temporary = join(workFolder, 'tmp');
  mkdirSync(temporary);
  const region = regionOf(parameters);
  writeEnvFile(join(workFolder, `.env.${projectId}`), parameters);
  const source = functionsFolder(workFolder, secrets, options.functions);

  const config = readFirebaseConfig();
  const configFile = writeFirebaseConfig(basename(workFolder), {
    ...config,
    functions: config.functions.map((codebase) => ({
      ...codebase,
      source: relative(ROOT, source),
      configDir: relative(ROOT, workFolder),
    })),
    hosting: localHosting(config.hosting, { ports, region, ui, banner }),
    emulators: { ...config.emulators, ...emulatorSettings(ports), ui: { enabled: ui, port: ports.ui } },
  });

  return {
    ports,
    appUrl,
    region,
    stripeStandIn: true,
    ui,
    configFile,
    logFolder: workFolder,
    parameters,
    secrets,
    env: { TMPDIR: temporary, TEMP: temporary, TMP: temporary, XDG_CONFIG_HOME: workFolder },
    dispose: () => {
      remove(configFile, workFolder);
    },
  };
}

function remove(configFile: string, workFolder: string): void {
  rmSync(configFile, { force: true });
  rmSync(workFolder, { recursive: true, force: true, maxRetries: 5 });
}

const regionOf = (parameters: Readonly<Record<string, string>>) => parameters['REGION'] ?? DEFAULT_REGION;

/** The functions' secrets for local use. Missing secrets are added from the committed example. */
function localSecrets(): Record<string, string> {
  const file = join(FUNCTIONS, SECRETS_FILE);
  if (!existsSync(file)) copyFileSync(SECRETS_EXAMPLE, file);
  const secrets = readEnvFile(file);
  const missing = Object.entries(readEnvFile(SECRETS_EXAMPLE)).filter(([name]) => !(name in secrets));
  if (missing.length > 0) appendFileSync(file, `\n${envLines(Object.fromEntries(missing))}`);
  return { ...secrets, ...Object.fromEntries(missing) };
}

/**
 * A source folder for the functions emulator, which reads secrets only from there. It links to the build.
 *
 * @param names the functions that its entry point exports; all of them if undefined
 */
function functionsFolder(
  workFolder: string,
  secrets: Readonly<Record<string, string>>,
  names: readonly string[] | undefined,
): string {
  const folder = join(workFolder, 'functions');
  mkdirSync(folder);
  symlinkSync(join(FUNCTIONS, 'lib'), join(folder, 'lib'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const description = JSON.parse(readFileSync(join(FUNCTIONS, 'package.json'), 'utf8')) as object;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...description, main: 'index.js' }));
  const exported = names === undefined ? '*' : `{ ${names.join(', ')} }`;
  writeFileSync(join(folder, 'index.js'), `export ${exported} from './lib/index.js';\n`);
  writeEnvFile(join(folder, SECRETS_FILE), secrets);
  return folder;
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

function readFirebaseConfig(): FirebaseConfig {
  return JSON.parse(readFileSync(join(ROOT, 'firebase.json'), 'utf8')) as FirebaseConfig;
}

function writeEnvFile(file: string, values: Readonly<Record<string, string>>): void {
  writeFileSync(file, envLines(values));
}

function envLines(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}\n`)
    .join('');
}

function writeFirebaseConfig(name: string, config: FirebaseConfig): string {
  const file = join(ROOT, `firebase.${name}.json`);
  writeFileSync(file, JSON.stringify(config, null, 2));
  return file;
}
