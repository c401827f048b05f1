import { LRUCache } from 'lru-cache';
import { isRefusal } from '../../refusals/refusals.ts';
import type { UserState } from './user-state.ts';

/** Bounds the memory to a few MB. */
const MAX_USERS = 5_000;

/** The states of users in Firebase Auth, with a cache in the memory of this instance. */
export interface UserStates {
  /**
   * Asks Firebase Auth. The answer replaces the cached state.
   *
   * @param since when the token that is checked was issued, or its user signed in. The cached answer also serves tokens
   *   of earlier seconds, even if our clock is behind that of Google
   * @param token the text of the token. While the look-up is under way, `cached` shares the look-up for the same token
   */
  readonly current: (uid: string, since: Date, token?: string) => Promise<UserState>;
  /**
   * A state that was read at most `lifetimeMs` ago and after the token was issued. So a client that refreshes its ID
   * token after a change sees the change immediately. Concurrent calls share one look-up. A user with an unverified
   * address is always looked up.
   *
   * @param since the time of the token, in whole seconds
   * @param token the text of the token. Without the text, calls in the same second in which the token was issued do not
   *   share a look-up
   */
  readonly cached: (uid: string, since: Date, token?: string) => Promise<UserState>;
  /** Removes the cached state, and does not cache the answer to a look-up that is under way. */
  readonly evict: (uid: string) => void;
}

interface UserStatesOptions {
  /**
   * Reads the state from Firebase Auth.
   *
   * @throws Refusal `credentials_invalid` for a deleted user
   */
  readonly ask: (uid: string) => Promise<UserState>;
  /** Longest age of a cached state; 0 to cache nothing. */
  readonly lifetimeMs: number;
  /** A monotonic clock in milliseconds. */
  readonly clock?: () => number;
  readonly now?: () => number;
}

/** A look-up that is under way or has ended. */
interface LookUp {
  readonly state: Promise<UserState>;
  /** When it began, by the monotonic clock. The state is from this time or later. */
  readonly askedAt: number;
  /** It is used for tokens with a time up to this one. A later token needs a newer state. */
  readonly coversTokensUntil: number;
  /** The token that it was made for. Undefined if it has ended: no token stays in memory. */
  readonly token: string | undefined;
}

/** The times in tokens are whole seconds. */
const TOKEN_PRECISION_MS = 1_000;

export function createUserStates(options: UserStatesOptions): UserStates {
  const { ask, lifetimeMs, clock = () => performance.now(), now = Date.now } = options;
  const cache = new LRUCache<string, LookUp>({ max: MAX_USERS });
  /** The latest look-up of each user that has not ended. */
  const underWay = new Map<string, LookUp>();

  const isUsable = (lookUp: LookUp | undefined, since: Date, token?: string): lookUp is LookUp =>
    lookUp !== undefined &&
    clock() - lookUp.askedAt < lifetimeMs &&
    (covers(lookUp, since) || (token !== undefined && token === lookUp.token));

  /** Only the latest look-up changes the cache, because an earlier one may have read an earlier state. */
  const finish = (uid: string, lookUp: LookUp, change: () => void) => {
    if (underWay.get(uid) !== lookUp) return;
    underWay.delete(uid);
    change();
  };

  const current: UserStates['current'] = (uid, since, token) => {
    // The times in tokens are cut to whole seconds: tokens of 10:00:05.1 and of 10:00:05.9 both have the time 10:00:05.
    // A look-up at 10:00:05.2 is later than the first one only, so it covers the times up to 10:00:04. A look-up at
    // 10:00:06.0 covers both tokens.
    const coversTokensUntil = Math.max(since.getTime(), now()) - TOKEN_PRECISION_MS;
    const lookUp: LookUp = { askedAt: clock(), coversTokensUntil, state: ask(uid), token };
    underWay.set(uid, lookUp);
    lookUp.state.then(
      (state) => {
        finish(uid, lookUp, () => {
          if (hasUnverifiedAddress(state)) cache.delete(uid);
          else cache.set(uid, { ...lookUp, token: undefined });
        });
      },
      (error: unknown) => {
        finish(uid, lookUp, () => {
          if (isRefusal(error, 'unauthenticated')) cache.delete(uid);
        });
      },
    );
    return lookUp.state;
  };

  return {
    current,
    cached: (uid, since, token) => {
      const usable = [cache.get(uid), underWay.get(uid)].find((lookUp) => isUsable(lookUp, since, token));
      return usable?.state ?? current(uid, since, token);
    },
    evict: (uid) => {
      cache.delete(uid);
      underWay.delete(uid);
    },
  };
}

/** True if a look-up is later than every token with this time. */
function covers({ coversTokensUntil }: LookUp, since: Date): boolean {
  return since.getTime() <= coversTokensUntil;
}

/**
 * True for an address that is not verified. Such an account may belong to somebody who registered another person's
 * address. When the owner of the address takes the account over, the first person must lose access immediately. A user
 * who has just verified the address must get access immediately. So the state of such a user is not cached.
 */
function hasUnverifiedAddress({ email, emailVerified }: UserState): boolean {
  return email !== undefined && !emailVerified;
}
