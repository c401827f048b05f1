import { timingSafeEqual } from 'node:crypto';

/**
 * Compares a secret with a text that somebody has sent. Takes the same time wherever they differ, so that nobody can
 * find out the secret letter by letter.
 */
export function areEqualTexts(sent: string, secret: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}
