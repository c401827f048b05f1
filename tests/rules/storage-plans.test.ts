import { readFileSync } from 'node:fs';
import { ask, mustLoad } from '@hearth/security-rules/testing';
import { bool, int, map, NULL, string, type MapValue } from '@hearth/security-rules/value';
import { describe, expect, test } from 'vitest';
import { limitsOf } from '../../functions/src/billing/subscriptions/access/limits.ts';
import { extrasSchema } from '../../functions/src/settings/extras.ts';
import { planListSchema } from '../../functions/src/settings/plans.ts';
import { STORAGE_RULES_FILE, withFileLimits } from '../../scripts/plan-tables.ts';

const plan = (slug: string, fileMegabytes: number, rest: object = {}) => ({
  slug,
  name: slug,
  description: slug,
  limits: { seats: 1, storageMegabytes: 1000, fileMegabytes },
  ...rest,
});
const prices = (lookupKey: string) => ({ month: { lookupKey, unitAmount: 1, currency: 'usd' } });
const plans = planListSchema.parse([
  plan('start', 50),
  plan('team-plus', 200, { formerly: ['plus'], prices: prices('plus') }),
]);
const addOn = (slug: string, limits: object, maxQuantity: number) => ({
  slug,
  name: slug,
  description: slug,
  plans: ['team-plus'],
  prices: prices(slug),
  limits,
  maxQuantity,
});
const extras = extrasSchema.parse({
  addOns: [addOn('large-files', { fileMegabytes: 100 }, 3), addOn('seats', { seats: 1 }, 10)],
});
const offered = { plans, extras };

/** The rules of Storage, evaluated directly, so that no large file must be sent. */
const rules = mustLoad(withFileLimits(readFileSync(STORAGE_RULES_FILE, 'utf8'), offered));

interface Upload {
  claims?: Record<string, MapValue | ReturnType<typeof string>>;
  metadata?: Record<string, string>;
}

async function accepts(size: number, { claims = {}, metadata }: Upload = {}): Promise<boolean> {
  const texts = Object.entries(metadata ?? {}).map(([name, value]) => [name, string(value)] as const);
  const { allowed } = await ask(rules, {
    service: 'firebase.storage',
    method: 'create',
    path: ['b', 'bucket', 'o', 'uploads', 'ada', 'a'.repeat(32), 'film.mp4'],
    auth: map({ uid: string('ada'), token: map({ email_verified: bool(true), ...claims }) }),
    resource: NULL,
    newResource: map({
      contentType: string('video/mp4'),
      size: int(size),
      ...(metadata !== undefined && { metadata: map(Object.fromEntries(texts)) }),
    }),
  });
  return allowed;
}

describe('the rules and the functions agree about the largest file of a user', () => {
  test.each([undefined, 'start', 'team-plus', 'plus', 'gone'])('with the plan %s', async (slug) => {
    const claims = slug === undefined ? {} : { plan: string(slug) };
    const largest = limitsOf(offered, { plan: slug }).fileMegabytes * 1_000_000;
    for (const metadata of [undefined, {}, { visibility: 'private' }]) {
      expect(await accepts(largest, { claims, ...(metadata && { metadata }) })).toBe(true);
      expect(await accepts(largest + 1, { claims, ...(metadata && { metadata }) })).toBe(false);
    }
  });

  test('with add-ons', async () => {
    const claims = { plan: string('team-plus'), addOns: map({ 'large-files': int(2), seats: int(3) }) };
    const holder = { plan: 'team-plus', addOns: { 'large-files': 2, seats: 3 } };
    const largest = limitsOf(offered, holder).fileMegabytes * 1_000_000;
    expect(await accepts(largest, { claims })).toBe(true);
    expect(await accepts(largest + 1, { claims })).toBe(false);
  });
});

test('a file for a team has the limit of the highest plan with all its add-ons', async () => {
  const metadata = { team: 'acme' };
  expect(await accepts(500_000_000, { metadata })).toBe(true);
  expect(await accepts(500_000_001, { metadata })).toBe(false);
});
