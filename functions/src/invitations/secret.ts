import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Invitation } from '../firestore/documents/invitation.ts';

/** The secret of a link: 160 random bits in lower-case hex, like the id of an invitation. */
export function newSecret(): string {
  return randomBytes(20).toString('hex');
}

/** The hash that an invitation stores. Nobody who reads the document or a backup can make a working link from it. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/**
 * True if a link has the secret of the invitation. Resending makes a new one. An invitation of an older version has
 * none.
 */
export function hasSecret(
  { secretHash }: Pick<Invitation, 'secretHash'>,
  secret: string | undefined,
): boolean {
  if (secret === undefined || typeof secretHash !== 'string') return false;
  const [given, stored] = [hashOfSecret(secret), secretHash].map((text) => Buffer.from(text));
  return given !== undefined && stored?.length === given.length && timingSafeEqual(given, stored);
}
