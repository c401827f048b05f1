import type { Request } from 'express';
import { refusal } from '../refusals/refusals.ts';
import { readCookie, SESSION_COOKIE } from './cookies.ts';
import type { TokenKind } from './tokens/token.ts';

export type WithHeaders = Pick<Request, 'get'>;

/** Credentials as a request carries them, not verified. */
export interface Credentials {
  readonly kind: TokenKind;
  readonly text: string;
}

/**
 * Reads the credentials of a request: the ID token of the header `Authorization: Bearer`; without this header the
 * session cookie. Undefined if the request has neither.
 *
 * @throws Refusal `bearer_token_malformed` for a header of another form
 */
export function credentialsOf(request: WithHeaders): Credentials | undefined {
  const header = request.get('Authorization');
  if (header !== undefined) return { kind: 'id-token', text: bearerToken(header) };
  const cookie = readCookie(request, SESSION_COOKIE);
  return cookie === undefined ? undefined : { kind: 'session-cookie', text: cookie };
}

/** True if a request has credentials, valid or not. */
export function hasCredentials(request: WithHeaders): boolean {
  return hasAuthorizationHeader(request) || hasCookieOnly(request);
}

/** True if the request has an Authorization header. A page of another site cannot make a browser send one. */
export function hasAuthorizationHeader(request: WithHeaders): boolean {
  return request.get('Authorization') !== undefined;
}

/** True if the session cookie is the only credential. A browser also sends it with requests of other sites' pages. */
export function hasCookieOnly(request: WithHeaders): boolean {
  return !hasAuthorizationHeader(request) && readCookie(request, SESSION_COOKIE) !== undefined;
}

/** https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
function bearerToken(header: string): string {
  const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (token === undefined) throw refusal('bearer_token_malformed');
  return token;
}
