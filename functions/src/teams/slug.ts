import { randomInt } from 'node:crypto';
import * as z from 'zod';
import { refusal } from '../refusals/refusals.ts';

const MIN_LENGTH = 3;
const MAX_LENGTH = 48;

/** Reserved slugs: pages and hosts of the app, and names that look official. */
const RESERVED = new Set(
  [
    ['about', 'account', 'admin', 'administrator', 'api', 'app', 'assets', 'auth', 'billing', 'blog'],
    ['checkout', 'contact', 'dashboard', 'docs', 'download', 'help', 'home', 'invitations', 'legal'],
    ['login', 'logout', 'mail', 'members', 'new', 'null', 'owner', 'portal', 'pricing', 'privacy'],
    ['profile', 'public', 'root', 'security', 'session', 'settings', 'sign-in', 'sign-out', 'sign-up'],
    ['static', 'status', 'support', 'system', 'team', 'teams', 'terms', 'undefined', 'upload', 'user'],
    ['users', 'webhooks', 'www'],
  ].flat(),
);

/** A slug names a team in URLs: lower case letters and digits, with single hyphens between them. */
export const slugSchema = z
  .string()
  .trim()
  .toLowerCase()
  .min(MIN_LENGTH)
  .max(MAX_LENGTH)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be letters, digits and single hyphens between them');

/** @throws Refusal `slug_reserved` */
export function requireUnreserved(slug: string): void {
  if (RESERVED.has(slug)) throw refusal('slug_reserved');
}

/**
 * Candidates for the slug of a new team, the best first: the name, if it can be a slug; then the name with a random
 * ending.
 */
export function slugCandidates(name: string): string[] {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH - 9)
    .replace(/^-|-$/g, '');
  const random = randomInt(36 ** 8)
    .toString(36)
    .padStart(8, '0');
  const plain = words.length >= MIN_LENGTH && !RESERVED.has(words) ? [words] : [];
  return [...plain, `${words || 'team'}-${random}`];
}
