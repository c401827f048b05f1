import { LRUCache } from 'lru-cache';
import { hasVerifiedContact } from '../caller.ts';
import type { Token } from '../tokens/token.ts';
import type { UserState } from './user-states.ts';

/** Bounds the memory to a few MB. */
const MAX_SIGN_INS = 10_000;

type SignIn = Pick<Token, 'uid' | 'signedInAt' | 'hasOnlyUnverifiedAddress' | 'signInMethod'>;

/**
 * Decides which sign-ins are trusted. Anybody can make many anonymous accounts, and many accounts with an unverified
 * address. Therefore the look-ups of all sign-ins that are not trusted are limited together: see `lookUpCounter`.
 */
export interface SignInTrust {
  /** By the last look-up for this sign-in. Without one, by the token, which may be older than the account's state. */
  readonly isTrusted: (signIn: SignIn) => boolean;
  readonly remember: (signIn: SignIn, isTrusted: boolean) => void;
}

/**
 * Remembers sign-ins, not users: a revoked sign-in, whose token may be stolen, does not take the trust of a later
 * sign-in of its user.
 */
export function createSignInTrust(): SignInTrust {
  const known = new LRUCache<string, boolean>({ max: MAX_SIGN_INS });
  return {
    isTrusted: (signIn) =>
      known.get(keyOfSignIn(signIn)) ?? !(signIn.hasOnlyUnverifiedAddress || isAnonymous(signIn)),
    remember: (signIn, isTrusted) => {
      known.set(keyOfSignIn(signIn), isTrusted);
    },
  };
}

/** True for a user with a verified contact, and for a user without an address who is not anonymous (custom tokens). */
export function isTrustedUser(signIn: SignIn, user: UserState): boolean {
  return hasVerifiedContact(user) || (user.email === undefined && !isAnonymous(signIn));
}

export function keyOfSignIn({ uid, signedInAt }: Pick<Token, 'uid' | 'signedInAt'>): string {
  return `${signedInAt.getTime()} ${uid}`;
}

const isAnonymous = ({ signInMethod }: Pick<Token, 'signInMethod'>) => signInMethod === 'anonymous';
