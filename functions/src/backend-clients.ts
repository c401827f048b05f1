import type { App } from 'firebase-admin/app';
import type { Auth } from 'firebase-admin/auth';
import type { Firestore } from 'firebase-admin/firestore';
import type { Storage } from 'firebase-admin/storage';
import type Stripe from 'stripe';
import { addCost } from './common/costs.ts';
import type { Config } from './settings/config.ts';
import { processEnvironment, projectIdOf } from './settings/environment.ts';
import { traceStripe } from './tracing/stripe.ts';

/** Opens the Firebase app. Loading the Admin SDK takes a tenth of a cold start. */
export type LoadApp = () => Promise<App>;

export async function loadApp(): Promise<App> {
  const { getApps, initializeApp } = await import('firebase-admin/app');
  return getApps()[0] ?? initializeApp();
}

export async function loadAuth(app: LoadApp): Promise<Auth> {
  const { getAuth } = await import('firebase-admin/auth');
  return getAuth(await app());
}

/** The project id: from GCLOUD_PROJECT, or from FIREBASE_CONFIG by the Firebase app. Cloud Functions sets both. */
export async function projectOf(app: LoadApp): Promise<string> {
  const id = projectIdOf(processEnvironment()) ?? (await app()).options.projectId;
  if (id === undefined) throw new Error('Neither FIREBASE_CONFIG nor GCLOUD_PROJECT names the project.');
  return id;
}

export async function loadFirestore(app: LoadApp): Promise<Firestore> {
  const { getFirestore } = await import('firebase-admin/firestore');
  return getFirestore(await app());
}

export type Bucket = ReturnType<Storage['bucket']>;

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

/** The version of Stripe's API in our calls to Stripe, and in the events that Stripe sends. */
export const STRIPE_API_VERSION = '2026-10-28.endive';

/**
 * The client repeats a failed call with the idempotency key of the first try. Three tries of 8 seconds and the pauses
 * between them take about 26 seconds. Hosting waits 60 seconds for an answer.
 */
export async function loadStripe(config: Config): Promise<Stripe> {
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
