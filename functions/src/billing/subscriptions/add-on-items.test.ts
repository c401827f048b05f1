import { expect, test } from 'vitest';
import { extrasSchema } from '../../settings/extras.ts';
import { planListSchema } from '../../settings/plans.ts';
import { addOnsOf, unknownItems } from './add-on-items.ts';
import { changesTo, itemsAfter } from './wanted-items/item-changes.ts';

const price = (lookupKey: string) => ({ lookupKey, unitAmount: 100, currency: 'usd' });
const limits = { seats: 1, storageMegabytes: 1, fileMegabytes: 1 };
const free = { slug: 'free', name: 'Free', description: 'd', limits };
const plans = planListSchema.parse([
  free,
  {
    ...free,
    slug: 'pro',
    for: ['team'],
    prices: { month: { ...price('pro'), seat: { lookupKey: 'seat', unitAmount: 5 } } },
  },
]);
const addOn = (slug: string) => ({
  slug,
  name: slug,
  description: 'd',
  plans: ['pro'],
  limits: { seats: 1 },
  prices: { month: price(slug) },
});
const extras = extrasSchema.parse({ addOns: [addOn('crew'), addOn('storage')] });
const plansAndExtras = { plans, extras };

const item = (lookupKey: string | null, quantity = 1) => ({
  id: `si_${lookupKey}`,
  price: `price_${lookupKey}`,
  lookupKey,
  product: 'prod',
  quantity,
});

test('the line items of an add-on are added up, and add-ons without a unit are left out', () => {
  const items = [item('pro'), item('crew', 2), { ...item('crew', 3), id: 'si_2' }, item('storage', 0)];
  expect(addOnsOf(items, plansAndExtras)).toEqual({ crew: 5 });
});

test('a line item with a price that is not configured is unknown', () => {
  const items = [item('pro'), item('seat'), item('crew'), item('support'), item(null)];
  expect(unknownItems(items, plansAndExtras).map(({ lookupKey }) => lookupKey)).toEqual(['support', null]);
});

test('changes update the wanted line items, remove the unwanted ones, and leave the unknown ones', () => {
  const items = [item('support'), item('pro'), item('seat', 4), item('crew'), item('storage')];
  const wanted = [
    { purpose: 'plan' as const, priceId: 'price_new', quantity: 1 },
    { purpose: 'add-on:crew' as const, priceId: 'price_crew_year', quantity: 2 },
  ];
  const changes = changesTo(wanted, { items, planItemId: 'si_pro' }, plansAndExtras);
  expect(changes).toEqual([
    { id: 'si_pro', price: 'price_new', quantity: 1 },
    { id: 'si_crew', price: 'price_crew_year', quantity: 2 },
    { id: 'si_seat', deleted: true },
    { id: 'si_storage', deleted: true },
  ]);
  expect(itemsAfter(items, changes)).toEqual([
    { price: 'price_new', quantity: 1, formerPrice: 'price_pro' },
    { price: 'price_crew_year', quantity: 2, formerPrice: 'price_crew' },
    { price: 'price_support', quantity: 1, formerPrice: 'price_support' },
  ]);
});

test('a change joins two line items of one add-on', () => {
  const items = [item('pro'), { ...item('crew', 2), id: 'si_former' }, item('crew')];
  const wanted = [
    { purpose: 'plan' as const, priceId: 'price_new', quantity: 1 },
    { purpose: 'add-on:crew' as const, priceId: 'price_crew', quantity: 3 },
  ];
  expect(changesTo(wanted, { items, planItemId: 'si_pro' }, plansAndExtras)).toEqual([
    { id: 'si_pro', price: 'price_new', quantity: 1 },
    { id: 'si_former', price: 'price_crew', quantity: 3 },
    { id: 'si_crew', deleted: true },
  ]);
});

test('usage is sent to Stripe without a quantity, and keeps its line item when the plan changes', () => {
  const byUsage = (lookupKey: string) => [{ meter: 'calls', lookupKey, unitAmount: 5 }];
  const metered = planListSchema.parse([
    free,
    { ...free, slug: 'pro', prices: { month: { ...price('pro'), metered: byUsage('pro_calls') } } },
    { ...free, slug: 'max', prices: { month: { ...price('max'), metered: byUsage('max_calls') } } },
  ]);
  const items = [item('pro'), item('pro_calls')];
  const wanted = [
    { purpose: 'plan' as const, priceId: 'price_max', quantity: 1 },
    { purpose: 'meter:calls' as const, priceId: 'price_max_calls' },
  ];
  const changes = changesTo(wanted, { items, planItemId: 'si_pro' }, { plans: metered, extras });
  expect(changes).toEqual([
    { id: 'si_pro', price: 'price_max', quantity: 1 },
    { id: 'si_pro_calls', price: 'price_max_calls' },
  ]);
  expect(itemsAfter(items, changes)).toEqual([
    { price: 'price_max', quantity: 1, formerPrice: 'price_pro' },
    { price: 'price_max_calls', formerPrice: 'price_pro_calls' },
  ]);
});
