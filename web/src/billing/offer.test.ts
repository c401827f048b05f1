import { expect, it } from 'vitest';
import { offerOf } from './offer.ts';

const price = { unitAmount: 1, currency: 'usd', currencies: {} };
const flat = { ...price, seat: null, metered: [] };
const none = { month: null, year: null, once: null };

it.each([
  ['both intervals', { month: flat, year: flat }, 'year', 'year'],
  ['only the year', { year: flat }, 'month', 'year'],
  ['only the month', { month: flat }, 'year', 'month'],
  ['one payment', { once: price }, 'month', undefined],
  ['one payment or the year', { year: flat, once: price }, 'month', 'year'],
] as const)('a plan sold for %s', (_case, prices, wanted, interval) => {
  expect(offerOf({ prices: { ...none, ...prices } }, wanted)).toMatchObject({ interval, price, seat: null });
});

it('a plan with a base price and seats has both prices', () => {
  const seat = { unitAmount: 800, currencies: {}, included: 3 };
  expect(offerOf({ prices: { ...none, month: { ...flat, seat } } }, 'month')?.seat).toEqual(seat);
});

it('the free plan has no offer', () => {
  expect(offerOf({ prices: null }, 'month')).toBeUndefined();
});
