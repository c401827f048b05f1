import type { App } from 'firebase-admin/app';
import type { AppCheck } from 'firebase-admin/app-check';
import type { Auth } from 'firebase-admin/auth';
import type { Firestore } from 'firebase-admin/firestore';
import type { Messaging } from 'firebase-admin/messaging';
import type { Storage } from 'firebase-admin/storage';
import type Stripe from 'stripe';
import { APP_HOOKS, type AppHooks } from './app-hooks.ts';
import { withAuthRefusals } from './auth/ask-auth.ts';
import { createTokenVerifier, type VerifyToken } from './auth/tokens/verify-token.ts';
import { authAdmin, type AuthAdmin } from './auth/users/auth-admin.ts';
import { userStateOf, createUserStates, type UserStates } from './auth/users/user-states.ts';
import { addCost } from './common/costs.ts';
import { lazy } from './common/lazy.ts';
import type { FeatureHooks } from './feature-hooks/hooks.ts';
import { createDb, type Db } from './firestore/db.ts';
import type { Config } from './settings/config.ts';
import { processEnvironment, projectIdOf, usesAuthEmulator } from './settings/environment.ts';
import { createTaskQueues, type TaskQueues } from './task-queues.ts';
import { traceStripe } from './tracing/stripe.ts';
import { createTracing, type Tracing } from './tracing/tracing.ts';

export type Bucket = ReturnType<Storage['bucket']>;

/**
 * Everything that differs between production and tests, or from app to app. A heavy module, such as Stripe's, loads at
 * its first use. This keeps cold starts short.
 */
export interface Backend extends TaskQueues {
  readonly config: Config;
  /** See `feature-hooks/registry.ts`. */
  readonly featureHooks: FeatureHooks<Backend>;
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

/** The version of Stripe's API in our calls to Stripe, and in the events that Stripe sends. */
export const STRIPE_API_VERSION = '2026-10-28.endive';

/** `IdempotencyStrategy.RetryAlways`. Importing the enumeration would load the client of Storage a second time. */
const RETRY_ALWAYS = 0;

/**
 * Opens the bucket, and makes the client of Storage retry all calls. All our calls to Storage are idempotent.
 *
 * By default, the client switches its retries off during some calls. After two such calls at the same time, the retries
 * can stay off until the process ends.
 *
 * @param name by default the bucket in the configuration of the Firebase app
 */
export async function loadBucket(app: LoadApp, name?: string): Promise<Bucket> {
  const { getStorage } = await import('firebase-admin/storage');
  const bucket = getStorage(await app()).bucket(name);
  Object.assign(bucket.storage.retryOptions, { idempotencyStrategy: RETRY_ALWAYS });
  return bucket;
}

export function createBackend(
  config: Config,
  featureHooks: FeatureHooks<Backend>,
  now = () => new Date(),
): Backend {
  const app = lazy(loadApp);
  const auth = authAdmin(
    lazy(() => loadAuth(app)),
    // Called after a change of an account. By then `userStates` below exists.
    (uid) => {
      userStates.evict(uid);
    },
  );
  const verifier = lazy(async () => {
    const projectId = await projectOf(app);
    return createTokenVerifier({ projectId, isEmulated: usesAuthEmulator() });
  });
  const userStates = createUserStates({
    ask: (uid) => withAuthRefusals(async () => userStateOf(await auth.getUser(uid))),
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
    db: createDb({ loadClient: lazy(() => loadFirestore(app)), auditDays: config.auditDays }),
    bucket: lazy(() => loadBucket(app)),
    stripe: lazy(() => loadStripe(config)),
    tracing: createTracing(config),
    ...createTaskQueues(app, config, now),
    now,
  };
}

/** Opens the Firebase app. Loading the Admin SDK takes a tenth of a cold start. */
type LoadApp = () => Promise<App>;

async function loadApp(): Promise<App> {
  const { getApps, initializeApp } = await import('firebase-admin/app');
  return getApps()[0] ?? initializeApp();
}

async function loadAuth(app: LoadApp): Promise<Auth> {
  const { getAuth } = await import('firebase-admin/auth');
  return getAuth(await app());
}

/** The project id: from GCLOUD_PROJECT, or from FIREBASE_CONFIG by the Firebase app. Cloud Functions sets both. */
async function projectOf(app: LoadApp): Promise<string> {
  const id = projectIdOf(processEnvironment()) ?? (await app()).options.projectId;
  if (id === undefined) throw new Error('Neither FIREBASE_CONFIG nor GCLOUD_PROJECT names the project.');
  return id;
}

async function loadFirestore(app: LoadApp): Promise<Firestore> {
  const { getFirestore } = await import('firebase-admin/firestore');
  return getFirestore(await app());
}

/**
 * The client repeats a failed call with the idempotency key of the first try. Three tries of 8 seconds and the pauses
 * between them take about 26 seconds. Hosting waits 60 seconds for an answer.
 */
async function loadStripe(config: Config): Promise<Stripe> {
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
  // The package has no type for `on`.
  (stripe as Pick<NodeJS.EventEmitter, 'on'>).on('request', () => {
    addCost('stripe');
  });
  return stripe;
}
