/**
 * A checkout has these shapes, in this order:
 *
 * 1. `PlanChoice`: the names and numbers that the caller chose.
 * 2. `PlanOrder`: the choice, checked against the settings.
 * 3. `Cart`: the contents of the order, by ids of Stripe.
 * 4. `PreparedCheckout`: the order, the Stripe customer and the cart.
 * 5. `StoredCheckout` in the customer's document: the cart, the trial days, the idempotency key and id of the session,
 *    the people who began it, and the sessions to expire.
 */
import type { Cart } from '../../../firestore/documents/customer.ts';
import type { AddOnQuantities } from '../../../settings/extras.ts';
import type { Interval, PaidPlan } from '../../../settings/plans.ts';
import type { Subject } from '../../subject.ts';
import type { ChosenAddOn } from '../../subscriptions/wanted-items/line-items.ts';

/**
 * The validated URLs to which Stripe's page leads back: our return routes, or the URLs that a client of the Stripe
 * extension chose.
 */
export type ReturnUrls = NonNullable<Cart['returnUrls']>;

export interface PlanChoice {
  slug: string;
  /** By default the month, or the year if the plan has no monthly price. */
  interval?: Interval | undefined;
  /** By default Stripe chooses. */
  currency?: string | undefined;
  addOns?: AddOnQuantities | undefined;
  /** A promotion code as a customer enters it. */
  code?: string | undefined;
  /** Id of a promotion code. Clients of the Stripe extension give it instead of `code`. */
  promotionCodeId?: string | undefined;
  /** By default `success` is our return route for a signed-in browser, and `cancel` is CHECKOUT_CANCEL_PATH. */
  returnUrls?: ReturnUrls;
  /** If the portal opens instead of a checkout: the page of the app that follows. By default PORTAL_RETURN_PATH. */
  portalReturnUrl?: string | undefined;
}

export interface PlanOrder extends Omit<PlanChoice, 'slug' | 'addOns'> {
  subject: Subject;
  plan: PaidPlan;
  addOns: readonly ChosenAddOn[];
}

export interface PreparedCheckout extends PlanOrder {
  stripeCustomerId: string;
  cart: Cart;
}
