import { takenOff } from '../../billing/discounts/discount-math.ts';
import { couponFor } from '../../billing/discounts/discounts.ts';
import type { DiscountRequest } from '../../billing/discounts/discounts.ts';
import { amountOf, isMetered } from '../../billing/invoices/amounts.ts';
import type { CheckoutDetails } from '../../hidden-records.ts';
import type { CheckoutSession, Coupon, LineItem } from '../../objects.ts';
import type { Scope } from '../../world.ts';

/** Whether nothing is due now because a trial comes first. */
export function hasTrial({ subscription: { trialDays, trialEnd } }: CheckoutDetails): boolean {
  return trialDays !== null || trialEnd !== null;
}

/** Whether the first payment comes later: after a trial, or for usage. */
export function isDeferred(details: CheckoutDetails): boolean {
  return hasTrial(details) || details.lineItems.every(({ price }) => isMetered(price));
}

/** A session and the values that it does not show. */
export interface Checkout {
  session: CheckoutSession;
  details: CheckoutDetails;
}

/** A checkout with the amounts due now: one-time prices and, without a trial, the first period, less the discounts. */
export function priced(scope: Scope, { session, details }: Checkout): Checkout {
  const trial = hasTrial(details);
  const amounts = details.lineItems.map(({ price, quantity, currency }) =>
    trial && price.recurring ? 0 : amountOf(scope, price, quantity, currency),
  );
  const taken = takenOff(amounts, couponsOf(scope, session));
  const off = sum(taken.flat());
  const lineItems = details.lineItems.map((item, index) => {
    const subtotal = amounts[index] ?? 0;
    const discount = sum(taken.map((row) => row[index] ?? 0));
    return {
      ...item,
      amount_subtotal: subtotal,
      amount_discount: discount,
      amount_total: subtotal - discount,
    };
  });
  return {
    details: { ...details, lineItems },
    session: {
      ...session,
      amount_subtotal: sum(amounts),
      amount_total: sum(amounts) - off,
      total_details: { amount_discount: off, amount_shipping: 0, amount_tax: 0 },
    },
  };
}

function couponsOf(scope: Scope, { customer: id, discounts }: CheckoutSession): Coupon[] {
  const customer = scope.state.customers.get(id ?? '') ?? null;
  return (discounts ?? []).map(
    (discount) => couponFor(scope, requestOf(discount), { customer, param: 'discounts' }).coupon,
  );
}

/** Stores a changed checkout with its new amounts. */
export function saveCheckout(scope: Scope, changed: Checkout): Checkout {
  const { session, details } = priced(scope, changed);
  return {
    session: scope.state.checkoutSessions.patch(session.id, session),
    details: scope.state.checkoutDetails.patch(details.id, details),
  };
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

/** The quantities that can be bought on the page. */
export function quantityLimits(item: LineItem | undefined): { least: number; most: number } {
  const adjustable = item?.adjustable_quantity;
  if (!adjustable?.enabled) return { least: item?.quantity ?? 1, most: item?.quantity ?? 1 };
  return { least: Math.max(1, adjustable.minimum ?? 1), most: adjustable.maximum ?? 99 };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
