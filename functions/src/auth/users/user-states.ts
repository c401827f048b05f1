import { LRUCache } from 'lru-cache';
import { hasRefusalCode } from '../../refusals/refusals.ts';
import type { UserState } from './user-state.ts';

/** Bounds the memory to a few MB. */
const MAX_USERS = 5_000;

/** The conditions that a state must meet. */
export interface StateRequest {
  /** The state must have been read after this time: when the token that is checked was issued, in whole seconds. */
  readonly notBefore: Date;
  /** The token that is checked. Concurrent calls with the same token share one look-up. */
  readonly tokenText?: string;
}

/** The states of users in Firebase Auth, with a cache in the memory of this instance. */
export interface UserStates {
  /** Asks Firebase Auth. The answer replaces the cached state. */
  readonly current: (uid: string, request?: StateRequest) => Promise<UserState>;
  /**
   * A state that was read at most `lifetimeMs` ago and after the token was issued. If a client refreshes its ID token
   * after a change, the client sees the change immediately. Concurrent calls share one look-up, unless `lifetimeMs` is
   * 0. The state of a user with an unverified address is not cached.
   */
  readonly cached: (uid: string, request: StateRequest) => Promise<UserState>;
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
  /** When the look-up began, by the monotonic clock. The state is from this time or later. */
  readonly askedAt: number;
  /**
   * A token that was issued up to this time may use the look-up. A token that was issued later needs a newer state. See
   * the example in `current`.
   */
  readonly coversTokensIssuedUntil: number;
  /**
   * The text of the token that the look-up was made for. Undefined after the look-up, so that no token stays in memory.
   */
  readonly tokenText: string | undefined;
}

const TOKEN_PRECISION_MS = 1_000;

export function createUserStates(options: UserStatesOptions): UserStates {
  const { ask, lifetimeMs, clock = () => performance.now(), now = Date.now } = options;
  const cache = new LRUCache<string, LookUp>({ max: MAX_USERS });
  /** The latest look-up of each user that has not ended. */
  const underWay = new Map<string, LookUp>();

  const isUsable = (lookUp: LookUp | undefined, request: StateRequest): lookUp is LookUp =>
    lookUp !== undefined && clock() - lookUp.askedAt < lifetimeMs && covers(lookUp, request);

  /** Only the latest look-up changes the cache, because an earlier look-up may have read an earlier state. */
  const finish = (uid: string, lookUp: LookUp, change: () => void) => {
    if (underWay.get(uid) !== lookUp) return;
    underWay.delete(uid);
    change();
  };

  const current: UserStates['current'] = (uid, request) => {
    // The times in tokens are cut to whole seconds: tokens of 10:00:05.1 and of 10:00:05.9 both have the time 10:00:05.
    // - A look-up at 10:00:05.2 is later than the first token only. It covers tokens up to 10:00:04.
    // - A look-up at 10:00:06.0 covers both tokens.
    // If the token is later than our clock, our clock is behind Google's, and the time of the token is used.
    const coversTokensIssuedUntil = Math.max(request?.notBefore.getTime() ?? 0, now()) - TOKEN_PRECISION_MS;
    const lookUp: LookUp = {
      askedAt: clock(),
      coversTokensIssuedUntil,
      state: ask(uid),
      tokenText: request?.tokenText,
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
    cached: (uid, request) => {
      const usable = [cache.get(uid), underWay.get(uid)].find((lookUp) => isUsable(lookUp, request));
      return usable?.state ?? current(uid, request);
    },
    evict: (uid) => {
      cache.delete(uid);
      underWay.delete(uid);
    },
  };
}

/** True if a look-up is later than every token with this time, or was made for this token. */
function covers({ coversTokensIssuedUntil, tokenText }: LookUp, request: StateRequest): boolean {
  if (request.notBefore.getTime() <= coversTokensIssuedUntil) return true;
  return tokenText !== undefined && tokenText === request.tokenText;
}

/**
 * True if the user has an unverified address. The state of such a user is not cached, for two reasons:
 * - Mallory may have registered the account with Ada's address. When Ada takes the account over, Mallory must lose
 *   access immediately.
 * - A user who has just verified the address must get access immediately.
 */
function hasUnverifiedAddress({ email, emailVerified }: UserState): boolean {
  return email !== undefined && !emailVerified;
}
