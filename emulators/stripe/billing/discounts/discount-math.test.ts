import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takenOff } from './discount-math.ts';
import { newCoupon } from './discounts.ts';

const coupon = (given: { percent_off?: number; amount_off?: number }) =>
  newCoupon({ id: 'c', created: 0, currency: 'usd', duration: 'once', ...given });

test.each([
  [[1000], [{ percent_off: 25 }], [[250]]],
  [[333, 333, 334], [{ percent_off: 50 }], [[167, 167, 167]]],
  [[1000, 500], [{ amount_off: 300 }], [[200, 100]]],
  [[1000], [{ amount_off: 5000 }], [[1000]]],
  [[3, 0], [{ amount_off: 2 }], [[2, 0]]],
  [[1000], [{ percent_off: 50 }, { amount_off: 100 }], [[500], [100]]],
  [[-600, 1000], [{ percent_off: 10 }], [[0, 100]]],
  [[], [{ amount_off: 100 }], [[]]],
])('off %j, the coupons %j take %j', (amounts, coupons, expected) => {
  expect(takenOff(amounts, coupons.map(coupon))).toEqual(expected);
});

test('an amount off is taken wholly, and never more than there is', () => {
  const amounts = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(amounts, fc.integer({ min: 1, max: 1_000_000 }), (given, off) => {
      const [taken = []] = takenOff(given, [coupon({ amount_off: off })]);
      const total = given.reduce((sum, amount) => sum + amount, 0);
      expect(taken.reduce((sum, amount) => sum + amount, 0)).toBe(Math.min(off, total));
      for (const [index, amount] of taken.entries()) {
        expect(amount).toBeGreaterThanOrEqual(0);
        expect(amount).toBeLessThanOrEqual(given[index] ?? 0);
      }
    }),
  );
});
