import { createHash, randomBytes } from 'node:crypto';
import { areEqualTexts } from '../common/equal-texts.ts';
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
 * True if a link has the secret of the invitation. Resending an invitation replaces its secret. An invitation of an
 * older version of the service has no secret.
 */
export function hasSecret(
  { secretHash }: Pick<Invitation, 'secretHash'>,
  secret: string | undefined,
): boolean {
  if (secret === undefined || typeof secretHash !== 'string') return false;
  return areEqualTexts(hashOfSecret(secret), secretHash);
}
