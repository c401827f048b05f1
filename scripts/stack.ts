import { startProduction } from '@hearth/latency/production';
import { protectAddresses } from './auth-protection.ts';
import { startApi } from './local-api/start.ts';
import type { LocalBanner } from './local-hosting.ts';
import { assertPortsFree, waitUntilFree, type PortName, type StackPorts } from './ports.ts';
import { createProcesses, type Processes } from './processes.ts';
import { build, startCli, startInbox, startStripe, watch } from './programs.ts';
import { DEFAULT_PROJECT, defaultConfig, isolatedConfig, type StackConfig } from './stack-config.ts';

/** How long a killed process may take to give its ports back. */
const PORT_RELEASE_MS = 5000;

export interface StackOptions {
  /** `demo-hearth` by default; two stacks at a time need two ids. */
  projectId?: string;
  /** `default`: those of firebase.json; `free`: any free ones, with everything kept apart from other stacks. */
  ports?: 'default' | 'free';
  /** Uses Java and Google's own programs instead of the local stand-ins. */
  official?: boolean;
  /**
   * Whether the functions and the web app are built: `once`, which is the default, again at every change of their
   * sources (`watch`), or not at all because another stack is using the build (`skip`).
   */
  build?: 'once' | 'watch' | 'skip';
  /** With `free` ports: whether the settings of functions/.env* are read; true by default. */
  settingsFiles?: boolean;
  /** With `free` ports: settings of the functions that differ from those of functions/.env*. */
  parameters?: Readonly<Record<string, string>>;
  /** With `free` ports: secrets of the functions that differ from those of .secret.local.example. */
  secrets?: Readonly<Record<string, string>>;
  /**
   * With `free` ports: names of the functions that run; all by default. The functions emulator starts a process for
   * each event in flight, so a stack that needs no events leaves out the functions that they call.
   */
  functions?: readonly string[];
  /** Whether Firestore refuses queries for which firestore.indexes.json has no index; true by default. */
  indexCheck?: boolean;
  /** Whether the function `api` reaches the services with the latencies and quotas of production. */
  latency?: boolean;
  /** Shows a banner on every page. */
  banner?: LocalBanner;
  /** Passed on to `firebase emulators:start`. */
  extraArgs?: readonly string[];
  /** Called with every line that a part of the stack writes. */
  onLine?: (source: string, line: string) => void;
  /** Aborts a start that is under way, and stops the programs that already run. */
  signal?: AbortSignal;
}

/** Where the parts of a running stack are; plain data, so that it can be handed to other processes. */
export interface StackInfo {
  projectId: string;
  ports: StackPorts;
  urls: {
    /** The app as its users see it, served by Hosting. */
    app: string;
    hosting: string;
    /** The HTTPS function itself, without Hosting in front. */
    api: string;
    auth: string;
    firestore: string;
    storage: string;
    hub: string;
    /** The page that shows all mail. */
    inbox: string;
    /** Undefined when the functions are configured to use another Stripe than the stand-in. */
    stripe: string | undefined;
    /** Undefined unless the official emulators run. */
    ui: string | undefined;
  };
  /** Environment with which the Admin SDK uses this stack. */
  env: Record<string, string>;
}

export interface Stack extends StackInfo {
  /** Resolves with the reason when a part ends that was not asked to. */
  failed: Promise<Error>;
  /** Ends every process; resolves when all ports are closed. */
  stop: () => Promise<void>;
}

/**
 * Brings up the whole backend on this machine: builds the functions and the web app, then starts the unmodified
 * Firebase CLI with its emulators, the Stripe stand-in, and the inbox.
 *
 * @returns when everything answers.
 * @throws Error when a port is in use (nothing is started then), or with its last lines when a part ends early.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const {
    projectId = DEFAULT_PROJECT,
    official = false,
    indexCheck = true,
    extraArgs = [],
    signal,
  } = options;
  const isolated = options.ports === 'free';
  const config = isolated
    ? await isolatedConfig(projectId, official, options)
    : defaultConfig(projectId, official, options.banner);
  process.once('exit', config.dispose);
  const dispose = () => {
    process.off('exit', config.dispose);
    config.dispose();
  };
  const ports = usedPorts(config);
  try {
    await assertPortsFree(ports);
  } catch (error) {
    dispose();
    throw error;
  }

  const processes = createProcesses(config.env, options.onLine ?? (() => undefined));
  const network = new AsyncDisposableStack();
  const stop = async () => {
    await processes.stop();
    await network.disposeAsync();
    await waitUntilFree(Object.values(ports), PORT_RELEASE_MS);
    dispose();
  };
  try {
    const givenUp = abortOf(signal);
    if (options.build !== 'skip') await Promise.race([build(processes), givenUp]);
    const info = describe(projectId, config);
    const env = options.latency === true ? await withLatency(info, network) : info.env;
    const api = startApi(processes, projectId, config, env);
    const cli = startCli(processes, {
      ...{ projectId, official, indexCheck, config, extraArgs },
      env: api.relayEnvironment,
    }).then(() => protectAddresses(info.urls.auth, projectId));
    const stripe = config.stripeStandIn ? startStripeWithPortal(processes, config) : undefined;
    const inbox = startInbox(processes, projectId, config);
    if (options.build === 'watch') {
      watch(processes, {
        onFunctionsBuilt: api.restart,
        onCatalogueChanged: () => updateStripe(config),
        print: (line) => options.onLine?.('build', line),
      });
    }
    const all = Promise.all([cli, stripe, inbox, api.ready]);
    await Promise.race([all, processes.failed.then(rethrow), givenUp]);
    return { ...info, failed: processes.failed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startStripeWithPortal(processes: Processes, config: StackConfig): Promise<void> {
  await startStripe(processes, config);
  await updateStripe(config);
}

/**
 * Gives the local Stripe the plans and extras that the files have now, and a portal that offers them. The loading of
 * Stripe's SDK takes a while.
 */
async function updateStripe({ stripeStandIn, ports, secrets }: StackConfig): Promise<readonly string[]> {
  if (!stripeStandIn) return [];
  const [{ readOffered, updateLocalCatalogue, updateLocalPortal }, { stripeClient }] = await Promise.all([
    import('./local-catalogue.ts'),
    import('./setup/target.ts'),
  ]);
  const stripe = stripeClient(secrets['STRIPE_SECRET_KEY'] ?? '', `http://127.0.0.1:${ports.stripe}`);
  const offered = readOffered();
  return [...(await updateLocalCatalogue(stripe, offered)), ...(await updateLocalPortal(stripe, offered))];
}

function describe(projectId: string, { ports, appUrl, region, stripeStandIn, ui }: StackConfig): StackInfo {
  const host = (name: PortName) => `127.0.0.1:${ports[name]}`;
  return {
    projectId,
    ports,
    urls: {
      app: appUrl,
      hosting: `http://${host('hosting')}`,
      api: `http://${host('functions')}/${projectId}/${region}/api`,
      auth: `http://${host('auth')}`,
      firestore: `http://${host('firestore')}`,
      storage: `http://${host('storage')}`,
      hub: `http://${host('hub')}`,
      inbox: `http://${host('inbox')}`,
      stripe: stripeStandIn ? `http://${host('stripe')}` : undefined,
      ui: ui ? `http://${host('ui')}` : undefined,
    },
    env: {
      GCLOUD_PROJECT: projectId,
      FIREBASE_AUTH_EMULATOR_HOST: host('auth'),
      FIRESTORE_EMULATOR_HOST: host('firestore'),
      FIREBASE_STORAGE_EMULATOR_HOST: host('storage'),
      STORAGE_EMULATOR_HOST: `http://${host('storage')}`,
      FIREBASE_EMULATOR_HUB: host('hub'),
    },
  };
}

/** Puts proxies between a function and the services. @returns the environment of that function */
async function withLatency(
  { env, urls }: StackInfo,
  network: AsyncDisposableStack,
): Promise<Record<string, string>> {
  const hostOf = (url: string) => new URL(url).host;
  const { hosts } = network.use(
    await startProduction({
      auth: hostOf(urls.auth),
      firestore: hostOf(urls.firestore),
      stripe: urls.stripe === undefined ? undefined : hostOf(urls.stripe),
    }),
  );
  return {
    ...env,
    FIREBASE_AUTH_EMULATOR_HOST: hosts.auth,
    FIRESTORE_EMULATOR_HOST: hosts.firestore,
    ...(hosts.stripe !== undefined && { STRIPE_API_URL: `http://${hosts.stripe}` }),
  };
}

/** The ports that this configuration opens. */
function usedPorts({ ports, stripeStandIn, ui }: StackConfig): Partial<StackPorts> {
  const used = new Map(Object.entries(ports));
  if (!stripeStandIn) used.delete('stripe');
  if (!ui) used.delete('ui');
  return Object.fromEntries(used);
}

/** Rejects when the signal is aborted, or was already. */
function abortOf(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () => {
      reject(signal?.reason as Error);
    };
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
  });
}

function rethrow(error: Error): never {
  throw error;
}
