/**
 * A checkout has these shapes, in this order:
 *
 * 1. `PlanChoice`: the names and numbers that the caller chose.
 * 2. `PlanOrder`: the choice, checked against the settings.
 * 3. `Cart`: the contents of the order, by ids of Stripe.
 * 4. `PreparedCheckout`: the order, the Stripe customer and the cart.
 * 5. `StoredCheckout`: the cart with trial days, buyer, responsible owner and session, in the customer's document.
 *
 * `firestore/documents/checkout.ts` has shapes 3 and 5. `../redirects/return-url.ts` explains the names of URLs.
 */
import type { Cart } from '../../../firestore/documents/checkout.ts';
import type { AddOnQuantities } from '../../../settings/extras.ts';
import type { Interval, PaidPlan } from '../../../settings/plans.ts';
import type { Subject } from '../../subject.ts';
import type { ChosenAddOn } from '../../subscriptions/wanted-items/line-items.ts';
import type { StripeReturnUrls } from '../redirects/return-url.ts';

export interface PlanChoice {
  slug: string;
  /** By default the month, or the year if the plan has no monthly price. */
  interval?: Interval | undefined;
  /** By default Stripe chooses. */
  currency?: string | undefined;
  addOns?: AddOnQuantities | undefined;
  /** A promotion code as a customer enters it. */
  code?: string | undefined;
  /** Id of a promotion code. Clients of the Stripe extension send it instead of `code`. */
  promotionCodeId?: string | undefined;
  /** By default Stripe leads to our return route after the payment, and to CHECKOUT_CANCEL_PATH without a payment. */
  stripeReturnUrls?: StripeReturnUrls;
  /** If the portal opens instead of a checkout: the app page to which it leads back. By default PORTAL_RETURN_PATH. */
  appPageAfterPortal?: string | undefined;
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
