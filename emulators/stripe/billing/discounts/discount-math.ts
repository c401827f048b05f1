import type { Coupon } from '../../objects.ts';

/**
 * The discount of each coupon on each amount. Each coupon applies to the rest that the previous ones left. An amount
 * below zero is a credit and is not discounted.
 * @param amounts in the currency's smallest unit
 * @returns by coupon, then by amount
 */
export function takenOff(amounts: readonly number[], coupons: readonly Coupon[]): number[][] {
  const left = amounts.map((amount) => Math.max(0, amount));
  return coupons.map((coupon) => {
    const taken =
      coupon.percent_off === null ? spread(coupon.amount_off ?? 0, left) : share(coupon.percent_off, left);
    for (const [index, amount] of taken.entries()) left[index] = (left[index] ?? 0) - amount;
    return taken;
  });
}

function share(percent: number, amounts: readonly number[]): number[] {
  return amounts.map((amount) => Math.round((amount * percent) / 100));
}

/** Divides an amount in proportion; the remainder of rounding goes to the first amounts that can bear it. */
function spread(off: number, amounts: readonly number[]): number[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  const taken = Math.min(off, total);
  const parts = amounts.map((amount) => Math.floor((taken * amount) / (total || 1)));
  let rest = taken - parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part, index) => {
    const more = Math.min(rest, (amounts[index] ?? 0) - part);
    rest -= more;
    return part + more;
  });
}
