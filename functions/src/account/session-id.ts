import { createHash } from 'node:crypto';

/** The form of a session id. */
export const SESSION_ID = /^[\w-]{22}$/;

/** Session id: a hash of the cookie, so that the cookie itself is never stored. */
export function sessionId(cookie: string): string {
  return createHash('sha256').update(cookie).digest('base64url').slice(0, 22);
}
