import type { UserRecord } from 'firebase-admin/auth';
import { LRUCache } from 'lru-cache';
import { hasRefusalCode } from '../../refusals/refusals.ts';

/** Bounds the memory to a few MB. */
const MAX_USERS = 5_000;

/** The fields of an account in Firebase Auth that decide what its user may do, at one moment. */
export interface UserState {
  readonly uid: string;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly phoneNumber: string | undefined;
  readonly displayName: string | undefined;
  readonly photoURL: string | undefined;
  readonly disabled: boolean;
  /** Sign-ins before this time have been revoked. */
  readonly tokensValidAfterTime: string | undefined;
  readonly customClaims: Readonly<Record<string, unknown>>;
  readonly providerData: readonly { readonly providerId: string; readonly uid: string }[];
}

/** The token that a state is needed for, and the limit of look-ups. */
export interface LookUpOptions {
  /** When the token was issued, in whole seconds. The look-up must begin after this time: see `isNewEnough`. */
  readonly tokenIssuedAt: Date;
  /** Concurrent calls of `cachedOrCurrent` with the same token share one look-up. */
  readonly tokenText?: string;
  /** Called before Firebase Auth is asked. Over the limit it throws, and Firebase Auth is not asked. */
  readonly beforeLookUp?: () => void;
}

/** The states of users in Firebase Auth, with a cache in the memory of this instance. */
export interface UserStates {
  /**
   * Asks Firebase Auth. The answer replaces the cached state, unless a later look-up has begun. The state of a user
   * with an unverified address is not cached. An error of `beforeLookUp` is thrown synchronously, so that `identify`
   * does not begin to read the session.
   */
  readonly current: (uid: string, lookUpOptions?: LookUpOptions) => Promise<UserState>;
  /**
   * A state that was read at most `lifetimeMs` ago, and after the token was issued. Therefore a client that refreshes
   * its ID token after a change sees the change. Without such a state, asks Firebase Auth as `current` does.
   */
  readonly cachedOrCurrent: (uid: string, lookUpOptions: LookUpOptions) => Promise<UserState>;
  /** Removes the cached state. The result of a look-up under way is not cached either. */
  readonly evict: (uid: string) => void;
}

interface UserStatesOptions {
  /** @throws Refusal `credentials_invalid` for a deleted user */
  readonly ask: (uid: string) => Promise<UserState>;
  /** The longest age of a cached state. With 0, nothing is cached or shared. */
  readonly lifetimeMs: number;
  /** A monotonic clock in milliseconds. */
  readonly clock?: () => number;
  readonly now?: () => number;
}

/** A look-up that is under way or has ended. */
interface LookUp {
  readonly state: Promise<UserState>;
  /**
   * The later of two times: when the look-up began, and when the token that caused it was issued. The second one is
   * later only if our clock is behind Google's. Tokens that were issued before this time can use the state: see
   * `isNewEnough`. Example: our clock shows 10:00:03, and the token was issued at 10:00:05. Then the time is 10:00:05,
   * and tokens of 10:00:04 and earlier can use the state.
   */
  readonly coversTokensIssuedBefore: number;
  /** When the state is too old to be used, by the monotonic clock. */
  readonly expiresAt: number;
  /** Undefined after the look-up, so that no token stays in memory. */
  readonly tokenText: string | undefined;
}

/** For `cachedOrCurrent`: the state may be older than the token. */
export const ANY_AGE: LookUpOptions = { tokenIssuedAt: new Date(0) };

const TOKEN_PRECISION_MS = 1_000;

export function createUserStates(options: UserStatesOptions): UserStates {
  const { ask, lifetimeMs, clock = () => performance.now(), now = Date.now } = options;
  const cache = new LRUCache<string, LookUp>({ max: MAX_USERS });
  /** The latest look-up of each user that has not ended. */
  const underWay = new Map<string, LookUp>();

  const isUsable = (lookUp: LookUp | undefined, lookUpOptions: LookUpOptions): lookUp is LookUp =>
    lookUp !== undefined && clock() < lookUp.expiresAt && isNewEnough(lookUp, lookUpOptions);

  /** An earlier look-up may have read an earlier state, so only the latest look-up changes the cache. */
  const finish = (uid: string, lookUp: LookUp, change: () => void) => {
    if (underWay.get(uid) !== lookUp) return;
    underWay.delete(uid);
    change();
  };

  const current: UserStates['current'] = (uid, lookUpOptions) => {
    lookUpOptions?.beforeLookUp?.();
    const lookUp: LookUp = {
      coversTokensIssuedBefore: Math.max(now(), lookUpOptions?.tokenIssuedAt.getTime() ?? 0),
      expiresAt: clock() + lifetimeMs,
      state: ask(uid),
      tokenText: lookUpOptions?.tokenText,
    };
    underWay.set(uid, lookUp);
    lookUp.state.then(
      (state) => {
        finish(uid, lookUp, () => {
          if (hasUnverifiedAddress(state)) cache.delete(uid);
          else cache.set(uid, { ...lookUp, tokenText: undefined });
        });
      },
      (error: unknown) => {
        finish(uid, lookUp, () => {
          if (hasRefusalCode(error, 'unauthenticated')) cache.delete(uid);
        });
      },
    );
    return lookUp.state;
  };

  return {
    current,
    cachedOrCurrent: (uid, lookUpOptions) => {
      const usable = [cache.get(uid), underWay.get(uid)].find((lookUp) => isUsable(lookUp, lookUpOptions));
      return usable?.state ?? current(uid, lookUpOptions);
    },
    evict: (uid) => {
      cache.delete(uid);
      underWay.delete(uid);
    },
  };
}

/**
 * True if a look-up began after the token was issued. Also true for a look-up under way that was begun for the same
 * token: concurrent requests share it. A look-up that has ended has no `tokenText`, so that only its time counts.
 *
 * The time of a token is cut to a whole second. Example: a token with the time 10:00:05 was issued between 10:00:05.0
 * and 10:00:05.9. A look-up at 10:00:05.2 may be too early. A look-up at 10:00:06.0 is new enough.
 */
function isNewEnough({ coversTokensIssuedBefore, tokenText }: LookUp, lookUpOptions: LookUpOptions): boolean {
  const issuedAtLatest = lookUpOptions.tokenIssuedAt.getTime() + TOKEN_PRECISION_MS;
  if (issuedAtLatest <= coversTokensIssuedBefore) return true;
  return tokenText !== undefined && tokenText === lookUpOptions.tokenText;
}

/**
 * The state of a user with an unverified address is not cached, for two reasons:
 * - If Mallory registered the account with Ada's address, Mallory must lose access as soon as Ada takes over the
 *   account.
 * - A user who verifies the address must get access immediately.
 */
function hasUnverifiedAddress({ email, emailVerified }: UserState): boolean {
  return email !== undefined && !emailVerified;
}

/** Copies only these fields. A UserRecord may also have the hash of the password, which must not stay in memory. */
export function userStateOf(user: UserRecord): UserState {
  return {
    uid: user.uid,
    email: user.email,
    emailVerified: user.emailVerified,
    phoneNumber: user.phoneNumber,
    displayName: user.displayName,
    photoURL: user.photoURL,
    disabled: user.disabled,
    tokensValidAfterTime: user.tokensValidAfterTime ?? undefined,
    customClaims: user.customClaims ?? {},
    providerData: user.providerData.map(({ providerId, uid }) => ({ providerId, uid })),
  };
}

/** https://firebase.google.com/docs/auth/admin/manage-sessions */
export function isRevoked(
  signedInAt: Date,
  { tokensValidAfterTime }: Pick<UserState, 'tokensValidAfterTime'>,
): boolean {
  return tokensValidAfterTime !== undefined && signedInAt.getTime() < Date.parse(tokensValidAfterTime);
}
