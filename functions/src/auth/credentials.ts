import type { Request } from 'express';
import { refuse } from '../refusals.ts';
import { readCookie, SESSION_COOKIE } from './cookies.ts';
import type { TokenKind } from './tokens/token.ts';

/** The part of Express's request that credentials are read from. */
export type WithHeaders = Pick<Request, 'get'>;

/** Credentials as a request carries them, not verified. */
export interface Credentials {
  readonly kind: TokenKind;
  readonly token: string;
}

/**
 * The ID token of `Authorization: Bearer` or, without that header, the session cookie; undefined if there is neither.
 *
 * @throws Refusal 401 `unauthenticated` for another form of the header
 */
export function credentialsOf(request: WithHeaders): Credentials | undefined {
  const header = request.get('Authorization');
  if (header !== undefined) return { kind: 'id-token', token: bearerToken(header) };
  const cookie = readCookie(request, SESSION_COOKIE);
  return cookie === undefined ? undefined : { kind: 'session-cookie', token: cookie };
}

/** True if a request has credentials, valid or not. */
export function hasCredentials(request: WithHeaders): boolean {
  return hasToken(request) || hasCookieOnly(request);
}

/** True if a request is authenticated by an ID token. No page of another site can make a browser send one. */
export function hasToken(request: WithHeaders): boolean {
  return request.get('Authorization') !== undefined;
}

/** True if a request is authenticated by the session cookie, which a browser also sends for pages of other sites. */
export function hasCookieOnly(request: WithHeaders): boolean {
  return !hasToken(request) && readCookie(request, SESSION_COOKIE) !== undefined;
}

/** https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
function bearerToken(header: string): string {
  const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (token === undefined) throw refuse('bearer_token_malformed');
  return token;
}
