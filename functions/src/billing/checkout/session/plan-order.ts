/**
 * A checkout has these shapes, each made from the one before it:
 *
 * 1. `PlanChoice`: the names and numbers that the caller chose.
 * 2. `PlanOrder`: the choice, checked against the settings.
 * 3. `Cart`: the contents of the order, by ids of Stripe.
 * 4. `PreparedCheckout`: the order with its Stripe customer and its cart.
 * 5. `StoredCheckout` in the customer's document: the cart with its trial days, and the idempotency key and the id of
 *    the session.
 */
import type { Cart } from '../../../firestore/documents/customer.ts';
import type { AddOnQuantities } from '../../../settings/extras.ts';
import type { Interval, PaidPlan } from '../../../settings/plans.ts';
import type { Subject } from '../../subject.ts';
import type { ChosenAddOn } from '../../subscriptions/wanted-items/line-items.ts';

/**
 * The validated URLs that Stripe's page leads back to: return routes of ours, or pages of the app that a client of the
 * Stripe extension names.
 */
export type ReturnUrls = NonNullable<Cart['returnUrls']>;

/** A plan as a caller chooses it. */
export interface PlanChoice {
  slug: string;
  /** By default the month, or the year if the plan has no monthly price. */
  interval?: Interval | undefined;
  /** One of the currencies of the price. By default Stripe chooses. */
  currency?: string | undefined;
  /** Units of add-ons by their slugs. */
  addOns?: AddOnQuantities | undefined;
  /** A promotion code as a customer enters it. */
  code?: string | undefined;
  /** Id of a promotion code at Stripe. Clients of the Stripe extension give it instead of `code`. */
  promotionCodeId?: string | undefined;
  /** By default `success` is our return route for a signed-in browser, and `cancel` is CHECKOUT_CANCEL_PATH. */
  returnUrls?: ReturnUrls;
  /** A page of the app, if the request opens the portal instead of a checkout. By default PORTAL_RETURN_PATH. */
  portalReturnUrl?: string | undefined;
}

/** A plan that a subject wants to buy, checked against the settings. */
export interface PlanOrder extends Omit<PlanChoice, 'slug' | 'addOns'> {
  subject: Subject;
  plan: PaidPlan;
  addOns: readonly ChosenAddOn[];
}

/** An order with its Stripe customer and its cart. Nothing of it is stored yet. */
export interface PreparedCheckout extends PlanOrder {
  stripeCustomerId: string;
  cart: Cart;
}
