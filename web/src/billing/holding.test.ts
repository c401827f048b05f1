import type { Plan } from '@hearth/client';
import { expect, it } from 'vitest';
import { holdingOf } from './holding.ts';
import { subscriptionSchema } from './subscription.ts';

const NOW = new Date('2030-01-15T00:00:00Z');
const LATER = new Date('2030-02-01T00:00:00Z');
const MUCH_LATER = new Date('2030-03-01T00:00:00Z');

const plan = (slug: string, formerly: string[] = []) => ({ slug, formerly, name: slug }) as unknown as Plan;
const [FREE, PRO, BUSINESS] = [plan('free'), plan('pro', ['gold']), plan('business')];
const PLANS = [FREE, PRO, BUSINESS];

const ACTIVE = { status: 'active', role: 'pro', current_period_end: LATER };
const COMPED = { ...ACTIVE, status: 'comped', grace_until: LATER };

/** The holding that these documents make. Their ids are their places in the list. */
function holdingWith(documents: readonly object[], owned?: Plan) {
  const copies = documents.map((document, index) =>
    subscriptionSchema.parse({ id: `sub_${index}`, ...document }),
  );
  return holdingOf(PLANS, copies, owned, NOW);
}

it.each<[what: string, documents: object[], current: Plan, subscription: string | undefined, buys: boolean]>([
  ['nothing', [], FREE, undefined, true],
  ['an active subscription', [ACTIVE], PRO, 'sub_0', false],
  ['a subscription to a plan by its former slug', [{ ...ACTIVE, role: 'gold' }], PRO, 'sub_0', false],
  ['a paused subscription', [{ ...ACTIVE, status: 'paused' }], FREE, 'sub_0', true],
  ['an unpaid subscription', [{ ...ACTIVE, status: 'unpaid' }], FREE, 'sub_0', true],
  ['one past due within its grace', [{ ...COMPED, status: 'past_due' }], PRO, 'sub_0', false],
  ['one past due after its grace', [{ ...ACTIVE, status: 'past_due' }], FREE, 'sub_0', false],
  [
    'one past due after its grace that ends',
    [{ ...ACTIVE, status: 'past_due', cancel_at_period_end: true }],
    FREE,
    'sub_0',
    true,
  ],
  [
    'one whose invoices are voided',
    [{ ...ACTIVE, collection_paused: { behavior: 'void', resumes_at: null } }],
    FREE,
    'sub_0',
    false,
  ],
  ['a subscription to something else', [{ ...ACTIVE, role: null }], FREE, undefined, true],
  ['one to a plan that was removed', [{ ...ACTIVE, role: 'gone' }], FREE, undefined, true],
  ['one to something else, and one to a plan', [{ ...ACTIVE, role: null }, ACTIVE], PRO, 'sub_1', false],
  ['two subscriptions', [ACTIVE, { ...ACTIVE, role: 'business' }], BUSINESS, 'sub_1', false],
  [
    'a paused and an active one',
    [
      { ...ACTIVE, status: 'paused', created: NOW },
      { ...ACTIVE, created: LATER },
    ],
    PRO,
    'sub_1',
    false,
  ],
  [
    'a paused one to a higher plan, and an active one',
    [{ ...ACTIVE, status: 'paused', role: 'business' }, ACTIVE],
    PRO,
    'sub_0',
    false,
  ],
  ['a subscription that has ended', [{ ...ACTIVE, status: 'canceled' }], FREE, undefined, true],
  ['a comped plan', [COMPED], PRO, undefined, true],
  ['a comped plan that has ended', [{ ...COMPED, grace_until: NOW }], FREE, undefined, true],
  ['a higher comped plan', [ACTIVE, { ...COMPED, role: 'business' }], BUSINESS, 'sub_0', false],
])('somebody with %s has a plan', (_what, documents, current, subscription, buys) => {
  const holding = holdingWith(documents);
  expect(holding.current).toBe(current);
  expect(holding.subscription?.copy.id).toBe(subscription);
  expect(holding.canSubscribe).toBe(buys);
});

it('a plan that was paid once counts beside a lower subscription', () => {
  const holding = holdingWith([ACTIVE], BUSINESS);
  expect(holding).toMatchObject({ current: BUSINESS, owned: BUSINESS, subscription: { plan: PRO } });
});

const STORE = { ...COMPED, metadata: { store: 'APP_STORE' } };
const NEVER = new Date('9999-12-31T23:59:59Z');

it.each<[what: string, documents: object[], expected: object]>([
  ['a comped plan', [COMPED], { isFromAppStore: false, until: LATER, mayRenew: false }],
  ['one for ever', [{ ...COMPED, grace_until: NEVER }], { until: undefined, mayRenew: false }],
  [
    'one of an app store, with a day more',
    [{ ...STORE, grace_until: MUCH_LATER }],
    { isFromAppStore: true, until: LATER, mayRenew: true },
  ],
  ['a cancelled one of an app store', [{ ...STORE, cancel_at_period_end: true }], { mayRenew: false }],
  [
    'one of an app store without an end',
    [{ ...STORE, current_period_end: null, grace_until: NEVER }],
    { until: undefined, mayRenew: false },
  ],
  ['two', [COMPED, { ...COMPED, grace_until: MUCH_LATER }], { until: MUCH_LATER }],
  ['two of two plans', [{ ...COMPED, role: 'business' }, COMPED], { plan: BUSINESS }],
])('reads granted plans: %s', (_what, documents, expected) => {
  expect(holdingWith(documents).grant).toMatchObject(expected);
});

it.each<[what: string, document: object]>([
  ['has ended', { ...COMPED, grace_until: null }],
  ['is none of the plans', { ...COMPED, role: 'gone' }],
])('a granted plan is not shown if it %s', (_what, document) => {
  expect(holdingWith([document]).grant).toBeUndefined();
});
