import { expect, it } from 'vitest';
import { formatPrice } from './price.ts';

it.each([
  [1200, 'usd', '$12'],
  [1250, 'usd', '$12.50'],
  [1200, 'jpy', '¥1,200'],
  [12345, 'kwd', 'KWD 12.345'],
])('writes %d of %s as %s', (unitAmount, currency, expected) => {
  expect(formatPrice(unitAmount, currency, 'en-US').replace(/\s/g, ' ')).toBe(expected);
});
