import { setTimeout } from 'node:timers/promises';
import { admissionOf, PRODUCTION } from './admission.ts';
import { startGrpcProxy } from './grpc-proxy.ts';
import { startHttpProxy } from './http-proxy.ts';

/** The body of an answer of Firebase Auth over its quota. */
export const AUTH_EXHAUSTED = {
  error: { code: 429, message: 'QUOTA_EXCEEDED', status: 'RESOURCE_EXHAUSTED' },
};

/** The body of an answer of Stripe over its limit. https://docs.stripe.com/rate-limits */
const STRIPE_EXHAUSTED = {
  error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests.' },
};

/** Host and port of each service: of the emulators, or of proxies in front of them. */
export interface Hosts {
  readonly auth: string;
  readonly firestore: string;
  /** Undefined if the real Stripe is used. */
  readonly stripe: string | undefined;
}

export interface Production extends AsyncDisposable {
  readonly hosts: Hosts;
}

/** Starts proxies in front of emulators, which then have the latencies and quotas of production. */
export async function startProduction({ auth, firestore, stripe }: Hosts): Promise<Production> {
  const proxies = await Promise.all([
    startHttpProxy(auth, admissionOf(PRODUCTION.auth, setTimeout), AUTH_EXHAUSTED),
    startGrpcProxy(firestore, admissionOf(PRODUCTION.firestore, setTimeout)),
    ...(stripe === undefined
      ? []
      : [startHttpProxy(stripe, admissionOf(PRODUCTION.stripe, setTimeout), STRIPE_EXHAUSTED)]),
  ]);
  const [ofAuth, ofFirestore, ofStripe] = proxies;
  return {
    hosts: { auth: ofAuth.host, firestore: ofFirestore.host, stripe: ofStripe?.host },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(proxies.map((proxy) => proxy[Symbol.asyncDispose]()));
    },
  };
}
