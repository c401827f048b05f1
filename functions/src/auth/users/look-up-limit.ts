import { LRUCache } from 'lru-cache';
import { refusal } from '../../refusals/refusals.ts';
import type { RateLimit } from '../../settings/rate-limits.ts';
import type { Token } from '../tokens/token.ts';
import { keyOfSignIn } from './sign-in-trust.ts';

/**
 * Counts a look-up that a verified token causes. Throws Refusal `rate_limit_reached` over the limit.
 *
 * @param isTrusted see `SignInTrust`
 */
export type CountLookUp = (token: Pick<Token, 'uid' | 'signedInAt'>, isTrusted: boolean) => void;

interface LookUpLimits {
  /** For each sign-in. */
  readonly each: RateLimit;
  /** For all sign-ins together that are not trusted. */
  readonly untrusted: RateLimit;
}

/** The limit of a user is this many times the limit of one sign-in, because a user has several devices. */
const USER_LIMIT_FACTOR = 2;

/** Bounds the memory to a few MB. */
const MAX_KEYS = 10_000;

/**
 * Makes a counter of look-ups in the memory of this instance. Without it, one user could use up the quota of the
 * project for calls to Firebase Auth: the state of a user with an unverified address is never cached, and a refused
 * token causes a look-up each time.
 *
 * There are three limits:
 *
 * - One for a sign-in, and one for the user, which is twice as high. So the holder of a stolen token that was revoked
 *   can use up at most half of the user's limit. The other half is left for the user's later sign-in.
 * - One for all sign-ins together that are not trusted. Anybody can make many such accounts. They delay each other, and
 *   leave the rest of the quota to verified users.
 *
 * Synchronous, so that no request of a burst passes while an earlier one is being counted. The package of the other
 * limits is not used, because loading it would delay the first request of an instance.
 *
 * @param clock a monotonic clock in milliseconds
 */
export function lookUpCounter(
  { each, untrusted }: LookUpLimits,
  clock = () => performance.now(),
): CountLookUp {
  const counterOf = ({ points, seconds }: RateLimit) =>
    windowCounter({ points, windowMs: seconds * 1000, clock });
  const countForSignIn = counterOf(each);
  const countForUser = counterOf({ ...each, points: each.points * USER_LIMIT_FACTOR });
  const countUntrusted = counterOf(untrusted);
  return (token, isTrusted) => {
    // The narrowest limit first: a look-up over one limit does not count for the next ones.
    countForSignIn(keyOfSignIn(token));
    countForUser(token.uid);
    if (!isTrusted) countUntrusted('all');
  };
}

interface WindowOptions {
  readonly points: number;
  readonly windowMs: number;
  readonly clock: () => number;
}

function windowCounter({ points, windowMs, clock }: WindowOptions): (key: string) => void {
  const windows = new LRUCache<string, { readonly count: number; readonly endsAt: number }>({
    max: MAX_KEYS,
  });
  return (key) => {
    const now = clock();
    const stored = windows.get(key);
    const { count, endsAt } =
      stored !== undefined && now < stored.endsAt ? stored : { count: 0, endsAt: now + windowMs };
    if (count >= points) throw refusal('rate_limit_reached', { wait: Math.ceil((endsAt - now) / 1000) });
    windows.set(key, { count: count + 1, endsAt });
  };
}
