import { createHash } from 'node:crypto';
import { credentialsOf, type WithHeaders } from './credentials.ts';

export const SESSION_ID_FORM = /^[\w-]{22}$/;

/** Session id: a hash of the cookie, so that the cookie itself is never stored. */
export function sessionId(cookie: string): string {
  return createHash('sha256').update(cookie).digest('base64url').slice(0, 22);
}

/** The id of the session that a request is authenticated by; undefined for a request with an ID token. */
export function sessionIdOf(request: WithHeaders): string | undefined {
  const credentials = credentialsOf(request);
  return credentials?.kind === 'session-cookie' ? sessionId(credentials.text) : undefined;
}
