import { expect, test } from 'vitest';
import { formatMoney } from './money.ts';

test.each([
  [1200, 'usd', '$12.00', '$12'],
  [1250, 'usd', '$12.50', '$12.50'],
  [0.5, 'usd', '$0.005', '$0.005'],
  [1200, 'jpy', '¥1,200', '¥1,200'],
  [12345, 'kwd', 'KWD 12.345', 'KWD 12.345'],
  [120000, 'huf', 'HUF 1,200.00', 'HUF 1,200'],
  [120050, 'huf', 'HUF 1,200.50', 'HUF 1,200.50'],
  [50000, 'isk', 'ISK 500', 'ISK 500'],
  [50000, 'ugx', 'UGX 500', 'UGX 500'],
  [500, 'mga', 'MGA 500', 'MGA 500'],
])('%d of Stripe in %s is %s, and in short %s', (amount, currency, long, short) => {
  const written = (isShort: boolean) =>
    formatMoney(amount, currency, { locale: 'en-US', isShort }).replace(/\s/g, ' ');
  expect([written(false), written(true)]).toEqual([long, short]);
});

test('an amount is written in the language of the reader', () => {
  expect(formatMoney(1250, 'eur', { locale: 'de' }).replace(/\s/g, ' ')).toBe('12,50 €');
});
