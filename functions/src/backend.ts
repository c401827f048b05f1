import type { App } from 'firebase-admin/app';
import type { AppCheck } from 'firebase-admin/app-check';
import type { Auth } from 'firebase-admin/auth';
import type { Firestore } from 'firebase-admin/firestore';
import type { Messaging } from 'firebase-admin/messaging';
import type { Storage } from 'firebase-admin/storage';
import type Stripe from 'stripe';
import { APP_HOOKS, type AppHooks } from './app-hooks.ts';
import { askAuth } from './auth/ask-auth.ts';
import { createTokenVerifier, type VerifyToken } from './auth/tokens/verify-token.ts';
import { authAdmin, type AuthAdmin } from './auth/users/auth-admin.ts';
import { userStateOf } from './auth/users/user-state.ts';
import { createUserStates, type UserStates } from './auth/users/user-states.ts';
import { addCost } from './common/costs.ts';
import { lazy } from './common/lazy.ts';
import { createDb, type Db } from './firestore/db.ts';
import type { Hooks } from './personal-data/hooks.ts';
import type { Config } from './settings/config.ts';
import { processEnvironment, projectIdOf, usesAuthEmulator } from './settings/environment.ts';
import { createTaskQueues, type TaskQueues } from './task-queues.ts';
import { traceStripe } from './tracing/stripe.ts';
import { createTracing, type Tracing } from './tracing/tracing.ts';

export type Bucket = ReturnType<Storage['bucket']>;

/**
 * Everything that differs between production, the tests and an app: the services outside of the process, the config and
 * the hooks. Firestore, Storage and Stripe are heavy modules. To keep cold starts short, each loads when a request
 * first needs it.
 */
export interface Backend extends TaskQueues {
  readonly config: Config;
  /**
   * The functions by which features purge, forget and export data of users and teams: see `personal-data/registry.ts`.
   */
  readonly featureHooks: Hooks<Backend>;
  /** See `app-hooks.ts`. */
  readonly appHooks: AppHooks;
  readonly auth: AuthAdmin;
  readonly verifyToken: VerifyToken;
  readonly userStates: UserStates;
  readonly appCheck: () => Promise<AppCheck>;
  /** Firebase Cloud Messaging, for push messages. */
  readonly messaging: () => Promise<Messaging>;
  readonly db: Db;
  readonly bucket: () => Promise<Bucket>;
  readonly stripe: () => Promise<Stripe>;
  /** Undefined if tracing is off. */
  readonly tracing: Tracing | undefined;
  readonly now: () => Date;
}

/** The version of Stripe's API in calls and events. */
export const STRIPE_API_VERSION = '2026-10-28.endive';

/**
 * The value of IdempotencyStrategy.RetryAlways. The Admin SDK loads the client as CommonJS. Importing the enumeration
 * would load the client again, as ES modules.
 */
const RETRY_ALWAYS = 0;

/**
 * Opens the bucket. All calls are retried, because all our calls to Storage are idempotent. By default the client turns
 * its retries off during some calls, and two such calls at the same time leave them off for good.
 *
 * @param name by default the bucket of the app's configuration
 */
export async function openBucket(app: OpenApp, name?: string): Promise<Bucket> {
  const { getStorage } = await import('firebase-admin/storage');
  const bucket = getStorage(await app()).bucket(name);
  Object.assign(bucket.storage.retryOptions, { idempotencyStrategy: RETRY_ALWAYS });
  return bucket;
}

export function createBackend(config: Config, featureHooks: Hooks<Backend>, now = () => new Date()): Backend {
  const app = lazy(openApp);
  const auth = authAdmin(
    lazy(() => openAuth(app)),
    (uid) => {
      userStates.evict(uid);
    },
  );
  const verifier = lazy(async () => {
    const projectId = await projectOf(app);
    return createTokenVerifier({ projectId, isEmulated: usesAuthEmulator() });
  });
  const userStates = createUserStates({
    ask: (uid) => askAuth(async () => userStateOf(await auth.getUser(uid))),
    lifetimeMs: config.userCacheSeconds * 1000,
  });
  return {
    config,
    featureHooks,
    appHooks: APP_HOOKS,
    auth,
    verifyToken: async (kind, token) => (await verifier())(kind, token),
    userStates,
    appCheck: lazy(async () => (await import('firebase-admin/app-check')).getAppCheck(await app())),
    messaging: lazy(async () => (await import('firebase-admin/messaging')).getMessaging(await app())),
    db: createDb({ open: lazy(() => openFirestore(app)), auditDays: config.auditDays }),
    bucket: lazy(() => openBucket(app)),
    stripe: lazy(() => openStripe(config)),
    tracing: createTracing(config),
    ...createTaskQueues(app, config, now),
    now,
  };
}

/**
 * Opens the app of the Admin SDK. Loading it takes a tenth of a cold start, and a request without credentials needs no
 * app.
 */
type OpenApp = () => Promise<App>;

async function openApp(): Promise<App> {
  const { getApps, initializeApp } = await import('firebase-admin/app');
  return getApps()[0] ?? initializeApp();
}

async function openAuth(app: OpenApp): Promise<Auth> {
  const { getAuth } = await import('firebase-admin/auth');
  return getAuth(await app());
}

/** Finds the id of the project. Cloud Functions sets both variables with the id. */
async function projectOf(app: OpenApp): Promise<string> {
  const id = projectIdOf(processEnvironment()) ?? (await app()).options.projectId;
  if (id === undefined) throw new Error('Neither FIREBASE_CONFIG nor GCLOUD_PROJECT names the project.');
  return id;
}

async function openFirestore(app: OpenApp): Promise<Firestore> {
  const { getFirestore } = await import('firebase-admin/firestore');
  return getFirestore(await app());
}

/**
 * Opens the client of Stripe. The client retries calls that Stripe did not answer or asks to repeat, with the same
 * idempotency key. Three tries of 8 seconds and the pauses take at most about 26 of the 60 seconds that Hosting waits.
 */
async function openStripe(config: Config): Promise<Stripe> {
  const { default: Stripe } = await import('stripe');
  const { protocol, hostname, port } = new URL(config.stripeApiUrl);
  const stripe = new Stripe(config.stripeSecretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port !== '' && { port }),
    apiVersion: STRIPE_API_VERSION,
    maxNetworkRetries: 2,
    timeout: 8_000,
    telemetry: false,
    httpClient: traceStripe(Stripe.createNodeHttpClient()),
  });
  // The package does not type its events.
  (stripe as Pick<NodeJS.EventEmitter, 'on'>).on('request', () => {
    addCost('stripe');
  });
  return stripe;
}
