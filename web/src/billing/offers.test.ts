import type { Plan } from '@hearth/client';
import { expect, it } from 'vitest';
import { amountIn, currenciesOf, formatPrice, offerOf, periodOf, plansFor, savingOf } from './offers.ts';

it.each([
  [1200, 'usd', '$12'],
  [1250, 'usd', '$12.50'],
  [1200, 'jpy', '¥1,200'],
  [12345, 'kwd', 'KWD 12.345'],
])('writes %d of %s as %s', (unitAmount, currency, expected) => {
  expect(formatPrice(unitAmount, currency, 'en-US').replace(/\s/g, ' ')).toBe(expected);
});

const price = (currency: string, currencies: Record<string, number> = {}) => ({
  unitAmount: 900,
  currency,
  currencies,
});
const monthly = (currency: string, currencies: Record<string, number>) => ({
  ...price(currency, currencies),
  seat: null,
  metered: [],
});
const none = { month: null, year: null, once: null };

it('lists each currency once, the usual ones first', () => {
  const euro = { ...none, month: monthly('usd', { eur: 800 }), year: monthly('usd', { eur: 8000 }) };
  const pound = { ...none, once: price('usd', { gbp: 700, eur: 800 }) };
  expect(currenciesOf([{ prices: null }, { prices: euro }, { prices: pound }])).toEqual([
    'usd',
    'eur',
    'gbp',
  ]);
});

it.each([
  [undefined, { unitAmount: 900, currency: 'usd' }],
  ['usd', { unitAmount: 900, currency: 'usd' }],
  ['eur', { unitAmount: 800, currency: 'eur' }],
  ['gbp', { unitAmount: 900, currency: 'usd' }],
])('shows the amount in %s', (wanted, shown) => {
  expect(amountIn(price('usd', { eur: 800 }), wanted)).toEqual(shown);
});

const cheap = { unitAmount: 1, currency: 'usd', currencies: {} };
const flat = { ...cheap, seat: null, metered: [] };

it.each([
  ['both intervals', { month: flat, year: flat }, 'year', 'year'],
  ['only the year', { year: flat }, 'month', 'year'],
  ['only the month', { month: flat }, 'year', 'month'],
  ['one payment', { once: cheap }, 'month', undefined],
  ['one payment or the year', { year: flat, once: cheap }, 'month', 'year'],
] as const)('a plan sold for %s', (_case, prices, wanted, interval) => {
  expect(offerOf({ prices: { ...none, ...prices } }, wanted)).toMatchObject({
    interval,
    price: cheap,
    seat: null,
  });
});

it('a plan with a base price and seats has both prices', () => {
  const seat = { unitAmount: 800, currencies: {}, included: 3 };
  expect(offerOf({ prices: { ...none, month: { ...flat, seat } } }, 'month')?.seat).toEqual(seat);
});

it.each([
  ['two months of twelve', [{ month: 1_200, year: 12_000 }], 16],
  [
    'the most of several plans',
    [
      { month: 100, year: 1_080 },
      { month: 100, year: 600 },
    ],
    50,
  ],
  ['nothing if the year costs more', [{ month: 100, year: 1_300 }], 0],
  ['nothing without plans', [], 0],
])('paying by the year saves %s', (_case, amounts, saving) => {
  const priced = amounts.map(({ month, year }) => ({
    prices: { ...none, month: { ...flat, unitAmount: month }, year: { ...flat, unitAmount: year } },
  }));
  expect(savingOf([...priced, { prices: null }])).toBe(saving);
});

it('the free plan has no offer', () => {
  expect(offerOf({ prices: null }, 'month')).toBeUndefined();
});

it('a plan whose prices are archived has no offer', () => {
  expect(offerOf({ prices: none }, 'month')).toBeUndefined();
});

const plan = (slug: string, types: Plan['for'], prices: Plan['prices'] = null) =>
  ({ slug, for: types, prices }) as Plan;
const plans = [
  plan('free', ['user', 'team']),
  plan('solo', ['user'], { ...none, month: flat }),
  plan('business', ['team'], { ...none, once: cheap }),
  plan('archived', ['user', 'team'], none),
];

it.each([
  ['a user', undefined, 'free', ['free', 'solo']],
  ['a team', 'acme', 'free', ['free', 'business']],
  ['a team with a plan for users', 'acme', 'solo', ['free', 'solo', 'business']],
  ['a user with a plan that is not on sale', undefined, 'archived', ['free', 'solo', 'archived']],
])('%s is shown the plans that it can have', (_who, id, current, slugs) => {
  expect(plansFor(plans, { team: id }, current).map(({ slug }) => slug)).toEqual(slugs);
});

it.each([
  [undefined, false, 'once'],
  ['month', false, 'a month'],
  ['year', true, 'a member and year'],
] as const)('a price with the interval %j, for each member %j, is %s', (interval, perMember, words) => {
  expect(periodOf({ interval }, perMember)).toBe(words);
});
