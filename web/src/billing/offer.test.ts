import { expect, it } from 'vitest';
import { offerOf } from './offer.ts';

const price = { unitAmount: 1, currency: 'usd', currencies: {} };
const none = { month: null, year: null, once: null };

it.each([
  ['both intervals', { month: price, year: price }, 'year', 'year'],
  ['only the year', { year: price }, 'month', 'year'],
  ['only the month', { month: price }, 'year', 'month'],
  ['one payment', { once: price }, 'month', undefined],
  ['one payment or the year', { year: price, once: price }, 'month', 'year'],
] as const)('a plan sold for %s', (_case, prices, wanted, interval) => {
  expect(offerOf({ prices: { ...none, ...prices } }, wanted)).toEqual({ interval, price });
});

it('the free plan has no offer', () => {
  expect(offerOf({ prices: null }, 'month')).toBeUndefined();
});
