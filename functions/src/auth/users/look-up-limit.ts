import { windowCounter } from '../../rate-limits/window-counter.ts';
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
  /** The limit of one sign-in. The limit of a user follows from it: see `USER_LIMIT_FACTOR`. */
  readonly perSignIn: RateLimit;
  /** For all sign-ins together that are not trusted. */
  readonly allUntrusted: RateLimit;
}

/** The limit of a user is this many times the limit of one sign-in, because a user has several devices. */
const USER_LIMIT_FACTOR = 2;

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
 * @param clock a monotonic clock in milliseconds
 */
export function lookUpCounter(
  { perSignIn, allUntrusted }: LookUpLimits,
  clock = () => performance.now(),
): CountLookUp {
  const counterOf = (limit: RateLimit) => windowCounter(limit, clock).count;
  const countForSignIn = counterOf(perSignIn);
  const countForUser = counterOf({ ...perSignIn, points: perSignIn.points * USER_LIMIT_FACTOR });
  const countUntrusted = counterOf(allUntrusted);
  return (token, isTrusted) => {
    // The narrowest limit first: a look-up over one limit does not count for the next ones.
    countForSignIn(keyOfSignIn(token));
    countForUser(token.uid);
    if (!isTrusted) countUntrusted('all');
  };
}
