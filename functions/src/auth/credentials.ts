import type { Request } from 'express';
import { refusal } from '../refusals/refusals.ts';
import { readCookie, SESSION_COOKIE, sessionId } from './cookies.ts';
import type { TokenKind } from './tokens/token.ts';

export type WithHeaders = Pick<Request, 'get'>;

/** Credentials as a request carries them, not verified. */
export interface Credentials {
  readonly kind: TokenKind;
  readonly text: string;
}

/**
 * Reads the ID token of the header `Authorization: Bearer`. Without this header, reads the session cookie.
 *
 * @throws Refusal `bearer_token_malformed` for a header of another form
 */
export function credentialsOf(request: WithHeaders): Credentials | undefined {
  const header = request.get('Authorization');
  if (header !== undefined) return { kind: 'id-token', text: bearerToken(header) };
  const cookie = readCookie(request, SESSION_COOKIE);
  return cookie === undefined ? undefined : { kind: 'session-cookie', text: cookie };
}

/** @returns undefined for a request with an ID token or without credentials */
export function sessionIdOf(request: WithHeaders): string | undefined {
  const credentials = credentialsOf(request);
  return credentials?.kind === 'session-cookie' ? sessionId(credentials.text) : undefined;
}

export function hasCredentials(request: WithHeaders): boolean {
  return hasAuthorizationHeader(request) || hasCookieOnly(request);
}

/** A page of another site cannot make a browser send an Authorization header. */
export function hasAuthorizationHeader(request: WithHeaders): boolean {
  return request.get('Authorization') !== undefined;
}

/** True if the cookie is the only credential. Then a page of another site may have caused the request. */
export function hasCookieOnly(request: WithHeaders): boolean {
  return !hasAuthorizationHeader(request) && readCookie(request, SESSION_COOKIE) !== undefined;
}

/** https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
function bearerToken(header: string): string {
  const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (token === undefined) throw refusal('bearer_token_malformed');
  return token;
}
