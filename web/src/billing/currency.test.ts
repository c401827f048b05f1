import { expect, it } from 'vitest';
import { amountIn, currenciesOf } from './currency.ts';

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
