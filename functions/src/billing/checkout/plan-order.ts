import type { StoredCheckout } from '../../firestore/documents/customer.ts';
import type { AddOnQuantities } from '../../settings/extras.ts';
import type { Interval, PaidPlan } from '../../settings/plans.ts';
import type { PlanWithAddOns } from '../subscriptions/items/line-items.ts';
import type { Subject } from '../subject.ts';

// A checkout has these shapes, each made from the one before it:
//
// 1. `PlanChoice`: the names and numbers that the caller chose.
// 2. `PlanOrder`: the choice, checked against the settings.
// 3. `Cart`: what the order buys, by ids of Stripe. `PreparedCheckout` is the order with its Stripe customer and its cart.
// 4. `StoredCheckout` in the customer's document: the cart, its trial days, and the idempotency key and id of the session.

/**
 * The validated URLs that Stripe's page leads back to: return routes of ours, or pages of the app that a client of the Stripe
 * extension names.
 */
export type ReturnUrls = NonNullable<StoredCheckout['returnUrls']>;

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
  promotionCode?: string | undefined;
  /** By default our return route for a signed-in browser, and the page of the app for a cancelled checkout. */
  returnUrls?: ReturnUrls;
}

/** A plan that a subject wants to buy, checked against the settings. */
export interface PlanOrder extends Omit<PlanChoice, 'slug' | 'addOns'> {
  subject: Subject;
  plan: PaidPlan;
  addOns: PlanWithAddOns['addOns'];
}

/** The contents of a checkout. A later request for the same cart continues the stored checkout. */
export interface Cart {
  /** Id of the price of the plan. */
  priceId: string;
  quantity: number;
  /** The line items beside that of the plan. Missing if there are none. */
  furtherItems?: { priceId: string; quantity?: number }[];
  /** Ids of subscriptions that end once the new one is paid, because they no longer give a plan. Missing if there are none. */
  replaces?: string[];
  currency?: string;
  /** Id of a promotion code at Stripe. */
  promotionCode?: string;
  returnUrls?: ReturnUrls;
}

/** An order with its Stripe customer and its cart. Nothing of it is stored yet. */
export interface PreparedCheckout extends PlanOrder {
  stripeCustomerId: string;
  cart: Cart;
}
