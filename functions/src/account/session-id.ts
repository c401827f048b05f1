import { createHash } from 'node:crypto';

/** Session id: a hash of the cookie, so that the cookie itself is never stored. */
export const SESSION_ID = /^[\w-]{22}$/;

export function sessionId(cookie: string): string {
  return createHash('sha256').update(cookie).digest('base64url').slice(0, 22);
}
