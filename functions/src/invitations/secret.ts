import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Invitation } from './invitation.ts';

/** 160 random bits in hex, like an invitation id. */
export function newSecret(): string {
  return randomBytes(20).toString('hex');
}

/** The hash that an invitation stores. So neither the API, the rules nor a backup can expose a link that acts. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Whether a link carries the secret of the last mail. An invitation from before there were secrets has none. */
export function hasSecret(
  { secretHash }: Pick<Invitation, 'secretHash'>,
  secret: string | undefined,
): boolean {
  if (secret === undefined || typeof secretHash !== 'string') return false;
  const [given, stored] = [hashOfSecret(secret), secretHash].map((text) => Buffer.from(text));
  return given !== undefined && stored?.length === given.length && timingSafeEqual(given, stored);
}
