import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { documentOf, now, plans, subscription } from '../testing/subscriptions.ts';
import { findDuplicates, findReplaced } from './overlap.ts';

const stored = (id: string, key: string | null, rest: Partial<Stripe.Subscription> = {}) => ({
  id,
  data: documentOf(subscription([{ lookupKey: key }], rest)),
});

const PRO = stored('sub_pro', 'pro_month');

describe('a subscription that was bought anew', () => {
  const anew = stored('sub_new', 'pro_month', { metadata: { replaces: 'sub_old sub_gone' } });

  test.each<[status: Stripe.Subscription.Status, ends: boolean]>([
    ['unpaid', true],
    ['paused', true],
    ['active', false],
    ['trialing', false],
    ['past_due', false],
  ])('that is %s ends: %s', (status, ends) => {
    const old = stored('sub_old', 'pro_month', { status });
    expect(findReplaced([old, anew], now)).toEqual(ends ? ['sub_old'] : []);
  });

  test('stays until the new subscription is paid, and stays if the new subscription does not name it', () => {
    const old = stored('sub_old', 'pro_month', { status: 'unpaid' });
    const unpaid = { ...anew, data: { ...anew.data, status: 'incomplete' } };
    expect([findReplaced([old, unpaid], now), findReplaced([old, PRO], now)]).toEqual([[], []]);
  });
});

describe('a newer subscription', () => {
  const at = (id: string, hours: number, key: string, rest: Partial<Stripe.Subscription> = {}) =>
    stored(id, key, { created: now.getTime() / 1000 + hours * 3600, ...rest });
  const pauses = { behavior: 'keep_as_draft', resumes_at: null } as const;

  test.each<[what: string, running: ReturnType<typeof stored>[], found: string[]]>([
    ['to the same plan is a duplicate', [at('old', -48, 'pro_month'), at('new', -1, 'pro_year')], ['new']],
    [
      'to a lower plan is a duplicate',
      [at('old', -48, 'business_month'), at('new', -1, 'pro_month')],
      ['new'],
    ],
    ['to a better plan is none', [at('old', -48, 'pro_month'), at('new', -1, 'business_month')], []],
    ['that began two days ago is none', [at('old', -99, 'pro_month'), at('new', -48, 'pro_month')], []],
    [
      'beside a trial is a duplicate',
      [at('old', -48, 'pro_month', { status: 'trialing' }), at('new', -1, 'pro_month')],
      ['new'],
    ],
    [
      'beside a past due one is none',
      [at('old', -48, 'pro_month', { status: 'past_due' }), at('new', -1, 'pro_month')],
      [],
    ],
    [
      'beside one that was cancelled is none',
      [at('old', -48, 'pro_month', { cancel_at: 1_800_000_000 }), at('new', -1, 'pro_month')],
      [],
    ],
    [
      'beside one whose collection is paused is none',
      [at('old', -48, 'pro_month', { pause_collection: pauses }), at('new', -1, 'pro_month')],
      [],
    ],
    ['to something else than a plan is none', [at('old', -48, 'pro_month'), at('new', -1, 'support')], []],
    ['of the same second may be either', [at('a', -1, 'pro_month'), at('b', -1, 'pro_month')], ['a', 'b']],
  ])('%s', (_what, running, found) => {
    expect(findDuplicates(running, plans, now).map(({ id }) => id)).toEqual(found);
  });
});
