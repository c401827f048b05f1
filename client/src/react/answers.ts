import { HearthError, isUnauthenticated } from '../error.ts';
import type { HearthClient } from '../index.ts';
import { SharedAnswer } from './answer.ts';

/** Undefined until it is known; null for nobody. Behind a cookie only the backend knows the user. */
type UserId = string | null | undefined;

const COOKIE_USER = 'the user of the cookie';

const SESSION = 'session';

/** The answers that the components of one provider share. They are discarded when the user changes. */
export class Answers {
  readonly client: HearthClient;
  readonly #hasCookie: boolean;
  #user: UserId;
  /** The uid in the last answer about the session of the cookie; undefined before the first one. */
  #sessionUid: UserId;
  /** Whether an answer said that the token of `#user` is not valid. */
  #isRefused = false;
  /** The number of calls of `userChanged`. Each may mean a new token. */
  #tokenEvents = 0;
  readonly #shared = new Map<string, SharedAnswer<unknown>>();

  /**
   * @param options.waitsForUser whether `userChanged` will be called; otherwise the session cookie identifies the user
   */
  constructor(client: HearthClient, options: { waitsForUser: boolean }) {
    this.client = client;
    this.#hasCookie = !options.waitsForUser;
    this.#user = this.#hasCookie ? COOKIE_USER : undefined;
  }

  /** @param read the same for each use of a key */
  get<Data>(key: string, read: (signal: AbortSignal) => Promise<Data>): SharedAnswer<Data> {
    const found = this.#shared.get(key) as SharedAnswer<Data> | undefined;
    if (found !== undefined) return found;
    const shared = new SharedAnswer(read, () => this.#user !== undefined);
    this.#shared.set(key, shared);
    return shared;
  }

  /** Like `get`, for data of a signed-in user. It fails without a request while nobody is signed in. */
  ofUser<Data>(key: string, read: (signal: AbortSignal) => Promise<Data>): SharedAnswer<Data> {
    return this.get(key, async (signal) => {
      if (this.#user === null) throw signInFirst();
      try {
        return await this.#readWithToken(read, signal);
      } catch (error) {
        // The answer about the session says whether somebody else has signed in.
        if (isUnauthenticated(error) && typeof this.#sessionUid === 'string') void this.reload(SESSION);
        if (isUnauthenticated(error) && !signal.aborted) this.#isRefused = true;
        throw error;
      }
    });
  }

  /**
   * The answer about the session; null for nobody. Behind a cookie another tab can change the user, also after this tab
   * has ended the session. Then the other answers are discarded.
   */
  session<Data>(
    uidOf: (session: Data) => string,
    read: (signal: AbortSignal) => Promise<Data | null>,
  ): SharedAnswer<Data | null> {
    return this.get(SESSION, async (signal) => {
      // With ID tokens, `userChanged` says when somebody signs in.
      if (this.#user === null && !this.#hasCookie) return null;
      const session = await this.#readWithToken(read, signal);
      if (!signal.aborted && session === null) this.#isRefused = true;
      if (!signal.aborted && this.#hasCookie) this.#setSessionUid(session === null ? null : uidOf(session));
      return session;
    });
  }

  /** Requests an answer again, if a component uses it. */
  async reload(...keys: string[]): Promise<void> {
    await Promise.all(keys.map(async (key) => this.#shared.get(key)?.reload()));
  }

  /**
   * @param uid null if nobody is signed in. The same user changes nothing, unless the backend has refused their token:
   *   then they have signed in again, or have a new token.
   */
  userChanged(uid: string | null): void {
    this.#tokenEvents += 1;
    const hasNewToken = uid !== null && this.#isRefused;
    if (uid === this.#user && !hasNewToken) return;
    this.#isRefused = false;
    this.#user = uid;
    this.#resetAll();
  }

  /** The session cookie is a new one. */
  sessionStarted(): void {
    this.#user = COOKIE_USER;
    this.#sessionUid = undefined;
    this.#resetAll();
  }

  /** There is no session cookie any more. */
  sessionEnded(): void {
    this.#user = null;
    this.#sessionUid = null;
    this.#shared.get(SESSION)?.set(null);
    this.#resetAll({ except: SESSION });
  }

  /**
   * Reads once more if the answer is that nobody is signed in, and the token has changed since the request began: the
   * answer was about the former token.
   */
  async #readWithToken<Data>(
    read: (signal: AbortSignal) => Promise<Data>,
    signal: AbortSignal,
  ): Promise<Data> {
    const before = this.#tokenEvents;
    const isFinal = () => signal.aborted || before === this.#tokenEvents;
    try {
      const data = await read(signal);
      if (data !== null || isFinal()) return data;
    } catch (error) {
      if (!isUnauthenticated(error) || isFinal()) throw error;
    }
    return read(signal);
  }

  #setSessionUid(uid: string | null): void {
    const last = this.#sessionUid;
    this.#sessionUid = uid;
    if (uid !== null) this.#user = COOKIE_USER;
    if (last !== undefined && last !== uid) this.#resetAll({ except: SESSION });
  }

  #resetAll({ except }: { except?: string } = {}): void {
    for (const [key, shared] of this.#shared) if (key !== except) shared.reset();
  }
}

function signInFirst(): HearthError {
  return new HearthError('Please sign in first.', { status: 401, code: 'unauthenticated' });
}
