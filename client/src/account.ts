import { isUnauthenticated } from './error.ts';
import { pageQuery } from './pages.ts';
import type { Transport } from './transport.ts';
import type { Abortable, OpenSession, Page, PageOptions, Session, User, UserExport } from './types.ts';

/** The session and the account of the signed-in user. */
export class AccountApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The signed-in user with their teams and plan; undefined if nobody is signed in. */
  async session(options: Abortable = {}): Promise<Session | undefined> {
    try {
      return await this.#transport.request('get', '/api/auth/session', options);
    } catch (error) {
      if (isUnauthenticated(error)) return undefined;
      throw error;
    }
  }

  /** Exchanges the ID token of a sign-in within the last 5 minutes for the session cookie. Only in browsers. */
  startSession(idToken: string, options: Abortable = {}): Promise<{ expiresAt: string }> {
    return this.#transport.request('post', '/api/auth/session', { ...options, body: { idToken } });
  }

  /** Ends the session of the cookie, and clears the cookie; `everywhere` ends all sessions of the user. */
  async endSession({ everywhere = false, signal }: { everywhere?: boolean } & Abortable = {}): Promise<void> {
    const query = everywhere ? ({ everywhere: 'true' } as const) : {};
    await this.#transport.request('delete', '/api/auth/session', { query, signal });
  }

  /**
   * Ends one of the caller's own sessions, by its id in `sessions`. The Firebase SDK of that device stays signed in.
   * For a lost device, end all sessions with `endSession({ everywhere: true })`.
   *
   * @throws HearthError 404 `session_not_found`
   */
  async endOneSession(id: string, options: Abortable = {}): Promise<void> {
    await this.#transport.request('delete', '/api/auth/sessions/{id}', { ...options, path: { id } });
  }

  /** The open sessions by cookie, latest expiry first. */
  async sessions(options: PageOptions = {}): Promise<Page<OpenSession>> {
    const { sessions, nextCursor } = await this.#transport.request('get', '/api/auth/sessions', {
      query: pageQuery(options),
      signal: options.signal,
    });
    return { items: sessions, nextCursor };
  }

  /**
   * Mails the caller a link to the app's page that verifies their address. Mails nothing if it is verified.
   *
   * @throws HearthError 409 `email_missing`, 429 `too_many_requests`
   */
  async sendVerification({ continueTo, signal }: { continueTo?: string } & Abortable = {}): Promise<void> {
    const body = continueTo === undefined ? {} : { continueTo };
    await this.#transport.request('post', '/api/auth/verification-mail', { body, signal });
  }

  /**
   * Mails the owner of an address a link to the app's page where they choose a new password. Succeeds for an unknown
   * address as well.
   *
   * @param continueTo path of the app where the page goes on
   * @throws HearthError 429 `too_many_requests`
   */
  async sendPasswordReset(
    email: string,
    { continueTo, signal }: { continueTo?: string } & Abortable = {},
  ): Promise<void> {
    const body = { email, ...(continueTo !== undefined && { continueTo }) };
    await this.#transport.request('post', '/api/auth/password-reset', { body, signal });
  }

  /** Null removes a value. A missing field stays as it is. */
  change(
    change: { displayName?: string | null; photoURL?: string | null },
    options: Abortable = {},
  ): Promise<User> {
    return this.#transport.request('patch', '/api/auth/user', { ...options, body: change });
  }

  /**
   * Everything about the user, as an object.
   *
   * @throws HearthError 403 `recent_sign_in_required`
   */
  export(options: Abortable = {}): Promise<UserExport> {
    return this.#transport.request('get', '/api/auth/user/export', options);
  }

  /**
   * Deletes the account with all data of the user.
   *
   * @throws HearthError 403 `recent_sign_in_required`, 409 `last_owner`
   */
  async delete(options: Abortable = {}): Promise<void> {
    await this.#transport.request('delete', '/api/auth/user', options);
  }
}
