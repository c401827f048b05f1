import { expect, test } from 'vitest';
import { subscription, terms } from '../testing/subscriptions.ts';
import { itemsWithKeysByPrice } from './subscription-items.store.ts';

test.each<[what: string, atStripe: string | null, stored: string | null | undefined, key: string | null]>([
  ['the key at Stripe', 'pro_month', undefined, 'pro_month'],
  ['the key at Stripe, although another one is stored', 'pro_month', 'business_month', 'pro_month'],
  ['the stored key, if the price lost its key', null, 'pro_month', 'pro_month'],
  ['the stored key, if the price has a key of no plan', 'old', 'pro_month', 'pro_month'],
  ['the key at Stripe, if the stored one is of no plan', 'new', 'old', 'new'],
  ['no key', null, null, null],
])('an item has %s', (_what, lookupKey, stored, key) => {
  const { items } = subscription([{ lookupKey, product: { id: 'prod_2' }, quantity: 3 }]);
  const item = { id: 'si_1', price: 'price_1', product: 'prod_2', quantity: 3 };
  const before = stored === undefined ? undefined : { items: [{ ...item, lookupKey: stored }] };
  expect(itemsWithKeysByPrice({ items }, terms, before)).toEqual([{ ...item, lookupKey: key }]);
});

test('a stored key belongs to its price only', () => {
  const { items } = subscription([{ lookupKey: null, price: 'price_2' }]);
  const stored = [{ id: 'si_1', price: 'price_1', lookupKey: 'pro_month', product: 'prod_1', quantity: 1 }];
  expect(itemsWithKeysByPrice({ items }, terms, { items: stored })[0]?.lookupKey).toBeNull();
});
