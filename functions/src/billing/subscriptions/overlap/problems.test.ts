import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { planListSchema } from '../../../settings/plans.ts';
import { documentOf, plans, subscription, terms, type Item } from '../testing/subscriptions.ts';
import { findProblems } from './problems.ts';

const stored = (id: string, key: string | null, rest: Partial<Stripe.Subscription> = {}) => ({
  id,
  data: documentOf(subscription([{ lookupKey: key }], rest)),
});

const PRO = stored('sub_pro', 'pro_month');
const TWO_PLANS = 'A customer pays for two plans';
const NO_PLAN = 'A subscription has no price of a configured plan';

describe('a customer', () => {
  test.each<[what: string, running: ReturnType<typeof stored>[], problems: [string, string[]][]]>([
    ['with one plan has no problem', [PRO], []],
    ['with two plans pays twice', [PRO, stored('sub_2', 'pro_year')], [[TWO_PLANS, ['sub_pro', 'sub_2']]]],
    [
      'with a trial beside a plan pays twice',
      [PRO, stored('sub_2', 'business_month', { status: 'trialing' })],
      [[TWO_PLANS, ['sub_pro', 'sub_2']]],
    ],
    [
      'with an unpaid one beside a plan has no problem',
      [PRO, stored('sub_2', 'pro_month', { status: 'unpaid' })],
      [],
    ],
    [
      'who has cancelled one plan and has another has no problem',
      [PRO, stored('sub_2', 'business_month', { cancel_at_period_end: true })],
      [],
    ],
    [
      'whose operator has paused the payments of one plan, and who has another, has no problem',
      [
        PRO,
        stored('sub_2', 'business_month', {
          pause_collection: { behavior: 'void', resumes_at: null },
        }),
      ],
      [],
    ],
    ['with something else beside a plan has no problem', [PRO, stored('sub_2', 'support')], []],
  ])('%s', (_what, running, problems) => {
    expect(
      findProblems({ type: 'user', runningCopies: running }, 'sub_pro', terms).map(({ message, ids }) => [
        message,
        ids,
      ]),
    ).toEqual(problems);
  });

  test.each([
    ['another key', 'support'],
    ['no key', null],
  ])('with a price with %s pays for no plan', (_what, key) => {
    const find = (rest: Partial<Stripe.Subscription>) =>
      findProblems({ type: 'user', runningCopies: [stored('sub_1', key, rest)] }, 'sub_1', terms);
    expect(find({})).toMatchObject([{ message: NO_PLAN }]);
    expect(find({ status: 'past_due' })).toEqual([]);
  });
});

describe('a subscription', () => {
  const price = (lookupKey: string, meters: string[]) => ({
    ...{ lookupKey, unitAmount: 100, currency: 'usd' },
    metered: meters.map((meter) => ({ meter, lookupKey: `${lookupKey}_${meter}`, unitAmount: 5 })),
  });
  const [free, pro, business] = plans;
  const sold = planListSchema.parse([
    free,
    { ...pro, for: ['user'], prices: { month: price('pro_month', []), year: price('pro_year', ['calls']) } },
    { ...business, prices: { month: price('business_month', ['calls', 'tokens']) } },
  ]);
  const on = { ...terms, plans: sold };
  const problemsOf = (type: 'user' | 'team', items: Item[], rest: Partial<Stripe.Subscription> = {}) => {
    const runningCopies = [{ id: 'sub_1', data: documentOf(subscription(items, rest), on) }];
    return findProblems({ type, runningCopies }, 'sub_1', on);
  };
  const items = (...keys: (string | null)[]) => keys.map((lookupKey) => ({ lookupKey }));

  test.each<[what: string, items: Item[], missing: string[]]>([
    ['has no usage in its interval', items('pro_month'), []],
    ['lacks the usage of its interval', items('pro_year'), ['pro_year_calls']],
    ['has all usage', items('business_month', 'business_month_calls', 'business_month_tokens'), []],
    ['lacks one meter', items('business_month', 'business_month_calls'), ['business_month_tokens']],
    [
      'bills a meter at the price of another plan',
      items('business_month', 'pro_year_calls', 'business_month_tokens'),
      [],
    ],
    ['has a price of its own, which may bill the usage', items('pro_year', null), []],
  ])('that %s', (_what, of, missing) => {
    const message = 'A subscription does not bill the usage of its plan';
    const advice = `Add a line item with the price ${missing.join(', ')}.`;
    expect(problemsOf('user', of)).toEqual(missing.length === 0 ? [] : [{ message, advice, ids: ['sub_1'] }]);
    expect(problemsOf('user', of, { status: 'past_due' })).toEqual([]);
  });

  test('to a plan for users is a problem of a team', () => {
    const message = 'A subscription gives a plan that is not for its customer';
    const advice = 'The plan pro is not for a team. Change the plan of the subscription.';
    expect(problemsOf('team', items('pro_month'))).toEqual([{ message, advice, ids: ['sub_1'] }]);
    expect(problemsOf('user', items('pro_month'))).toEqual([]);
  });

  test('can have several problems', () => {
    expect(problemsOf('team', items('pro_year')).map(({ message }) => message)).toEqual([
      'A subscription gives a plan that is not for its customer',
      'A subscription does not bill the usage of its plan',
    ]);
  });
});
