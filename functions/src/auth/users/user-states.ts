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
   * @param since the time of the token or of the sign-in that is checked. The answer counts as newer than this time,
   *   even if our clock is behind that of Google
   */
  readonly current: (uid: string, since: Date) => Promise<UserState>;
  /**
   * A state that was read at most `lifetimeMs` ago and after `since`. So a client that refreshes its ID token after a
   * change sees the change immediately. Concurrent calls share one look-up. A user with an unverified address is always
   * looked up.
   */
  readonly cached: (uid: string, since: Date) => Promise<UserState>;
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
  /** It is used for tokens that were issued up to this time. A later token needs a newer state. */
  readonly coversTokensUntil: number;
}

/** The times in tokens are whole seconds. */
const TOKEN_PRECISION_MS = 1_000;

export function createUserStates(options: UserStatesOptions): UserStates {
  const { ask, lifetimeMs, clock = () => performance.now(), now = Date.now } = options;
  const cache = new LRUCache<string, LookUp>({ max: MAX_USERS });
  /** The latest look-up of each user that has not ended. */
  const underWay = new Map<string, LookUp>();

  const isUsable = (lookUp: LookUp | undefined, since: Date): lookUp is LookUp =>
    lookUp !== undefined &&
    clock() - lookUp.askedAt < lifetimeMs &&
    since.getTime() <= lookUp.coversTokensUntil;

  /** Only the latest look-up changes the cache, because an earlier one may have read an earlier state. */
  const finish = (uid: string, lookUp: LookUp, change: () => void) => {
    if (underWay.get(uid) !== lookUp) return;
    underWay.delete(uid);
    change();
  };

  const current: UserStates['current'] = (uid, since) => {
    // The times in tokens are cut to whole seconds. A token of 10:00:05.9 has the time 10:00:05, so a look-up at
    // 10:00:05.2 must not serve it. A look-up serves the token of its own call, and tokens of earlier seconds.
    const coversTokensUntil = Math.max(since.getTime(), now() - TOKEN_PRECISION_MS);
    const lookUp: LookUp = { askedAt: clock(), coversTokensUntil, state: ask(uid) };
    underWay.set(uid, lookUp);
    lookUp.state.then(
      (state) => {
        finish(uid, lookUp, () => (hasUnverifiedAddress(state) ? cache.delete(uid) : cache.set(uid, lookUp)));
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
    cached: (uid, since) => {
      const usable = [cache.get(uid), underWay.get(uid)].find((lookUp) => isUsable(lookUp, since));
      return usable?.state ?? current(uid, since);
    },
    evict: (uid) => {
      cache.delete(uid);
      underWay.delete(uid);
    },
  };
}

/**
 * True for an address that is not verified. Such an account may belong to somebody who registered another person's
 * address. When the owner of the address takes the account over, the first person must lose access immediately. A user
 * who has just verified the address must get access immediately. So the state of such a user is not cached.
 */
function hasUnverifiedAddress({ email, emailVerified }: UserState): boolean {
  return email !== undefined && !emailVerified;
}
