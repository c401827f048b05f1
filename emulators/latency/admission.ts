/**
 * Decides over a call to a service before a proxy passes it on. Resolves when it may pass, with false if the service
 * would refuse it because a quota is used up.
 */
export type Admission = (call: string) => Promise<boolean>;

/** How a service behaves from a data center, which its emulator does not. */
export interface Service {
  /** Milliseconds that each call takes. */
  readonly latencyMs: number;
  /** Calls that pass in one second. */
  readonly perSecond: number;
}

/**
 * The services as in production.
 *
 * - Firebase Auth: a look-up of a user from another region, and the quota of one service account.
 *   https://firebase.google.com/docs/auth/limits
 * - Firestore: a read in the same region, and the traffic that a new collection bears.
 *   https://firebase.google.com/docs/firestore/best-practices#ramping_up_traffic
 * - Stripe: the limit of live mode. https://docs.stripe.com/rate-limits
 */
export const PRODUCTION = {
  auth: { latencyMs: 120, perSecond: 500 },
  firestore: { latencyMs: 10, perSecond: 500 },
  stripe: { latencyMs: 200, perSecond: 100 },
} as const satisfies Record<string, Service>;

/** @param wait resolves after some milliseconds; `clock` has the time in milliseconds */
export function admissionOf(
  { latencyMs, perSecond }: Service,
  wait: (ms: number) => Promise<unknown>,
  clock: () => number = () => performance.now(),
): Admission {
  let second = 0;
  let calls = 0;
  return async () => {
    const now = Math.floor(clock() / 1000);
    if (now !== second) [second, calls] = [now, 0];
    calls += 1;
    const isWithinQuota = calls <= perSecond;
    await wait(latencyMs);
    return isWithinQuota;
  };
}
