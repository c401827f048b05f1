import { amountOf, isMetered } from '../billing/amounts.ts';
import { takenOff } from '../billing/discount-math.ts';
import { couponFor } from '../billing/discounts.ts';
import type { DiscountRequest } from '../billing/discounts.ts';
import { byId } from '../state.ts';
import type { CheckoutDetails, CheckoutSession, LineItem } from '../state.ts';
import type { Scope } from '../world.ts';

/** Whether nothing is due now because a trial comes first. */
export function hasTrial({ subscription: { trialDays, trialEnd } }: CheckoutDetails): boolean {
  return trialDays !== null || trialEnd !== null;
}

/** Whether the first payment comes later: after a trial, or for usage. */
export function isDeferred(details: CheckoutDetails): boolean {
  return hasTrial(details) || details.lineItems.every(({ price }) => isMetered(price));
}

/** Works out what is due now: one-time prices and, without a trial, the first period, less the discounts. */
export function reprice(scope: Scope, session: CheckoutSession, details: CheckoutDetails): void {
  const trial = hasTrial(details);
  const amounts = details.lineItems.map(({ price, quantity, currency }) =>
    trial && price.recurring ? 0 : amountOf(scope, price, quantity, currency),
  );
  const customer = byId(scope.state.customers, session.customer ?? '') ?? null;
  const coupons = (session.discounts ?? []).map(
    (discount) => couponFor(scope, requestOf(discount), { customer, param: 'discounts' }).coupon,
  );
  const taken = takenOff(amounts, coupons);
  for (const [index, item] of details.lineItems.entries()) {
    const subtotal = amounts[index] ?? 0;
    const off = sum(taken.map((row) => row[index] ?? 0));
    Object.assign(item, { amount_subtotal: subtotal, amount_discount: off, amount_total: subtotal - off });
  }
  const off = sum(taken.flat());
  session.amount_subtotal = sum(amounts);
  session.amount_total = session.amount_subtotal - off;
  session.total_details = { amount_discount: off, amount_shipping: 0, amount_tax: 0 };
}

/** The coupon or code of a session's discount, by id. */
export function requestOf({
  coupon,
  promotion_code: code,
}: NonNullable<CheckoutSession['discounts']>[number]): DiscountRequest {
  return {
    coupon: typeof coupon === 'string' ? coupon : null,
    promotion_code: typeof code === 'string' ? code : null,
  };
}

/** From how many to how many the page lets one buy. */
export function quantityLimits(item: LineItem | undefined): { least: number; most: number } {
  const adjustable = item?.adjustable_quantity;
  if (!adjustable?.enabled) return { least: item?.quantity ?? 1, most: item?.quantity ?? 1 };
  return { least: Math.max(1, adjustable.minimum ?? 1), most: adjustable.maximum ?? 99 };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
