import { timingSafeEqual } from 'node:crypto';

/**
 * Compares a secret with a text that somebody has sent. The time does not depend on the place of a difference, so that
 * nobody can find out the secret letter by letter.
 */
export function areEqualTexts(sent: string, secret: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}
