import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import type { Cart } from '../../../firestore/documents/checkout.ts';
import { refusal } from '../../../refusals/refusals.ts';
import { idOf } from '../../stripe/stripe-ids.ts';
import { makeLineItems } from '../../subscriptions/wanted-items/line-items.service.ts';
import type { PlanOrder } from './checkout-shapes.ts';

/** @param replaces ids of subscriptions, see `Destination` */
export async function makeCart(
  backend: Backend,
  order: PlanOrder,
  stripeCustomerId: string,
  replaces: readonly string[],
): Promise<Cart> {
  const { currency, code, stripeReturnUrls } = order;
  const stripe = await backend.stripe();
  const [lines, promotionCodeId] = await Promise.all([
    makeLineItems(backend.db, stripe, order),
    code === undefined ? order.promotionCodeId : requirePromotionCode(stripe, code, stripeCustomerId),
  ]);
  const [planLine, ...furtherLines] = lines;
  const furtherItems = furtherLines.map((line) => ({
    priceId: line.priceId,
    ...(line.quantity !== undefined && { quantity: line.quantity }),
  }));
  return {
    priceId: planLine.priceId,
    quantity: planLine.quantity ?? 1,
    ...(furtherItems.length > 0 && { furtherItems }),
    ...(currency !== undefined && { currency }),
    ...(promotionCodeId !== undefined && { promotionCodeId }),
    ...(replaces.length > 0 && { replaces: [...replaces] }),
    ...(stripeReturnUrls && { stripeReturnUrls }),
  };
}

/**
 * Finds the id of the active promotion code with this text. Several codes may have the same text, each for one Stripe
 * customer (https://docs.stripe.com/billing/subscriptions/coupons#create-promotion-codes). One call to Stripe; two if
 * the first code found is for another Stripe customer.
 *
 * @throws Refusal `promotion_code_invalid` if there is no such code for this Stripe customer
 */
export async function requirePromotionCode(
  stripe: Stripe,
  code: string,
  stripeCustomerId: string,
): Promise<string> {
  const filter = { code, active: true, limit: 1 };
  let { data } = await stripe.promotionCodes.list(filter);
  if (data.some((found) => isForAnother(found, stripeCustomerId))) {
    ({ data } = await stripe.promotionCodes.list({ ...filter, customer: stripeCustomerId }));
  }
  const [found] = data;
  if (found === undefined) throw refusal('promotion_code_invalid');
  return found.id;
}

function isForAnother({ customer }: Stripe.PromotionCode, stripeCustomerId: string): boolean {
  return customer !== null && idOf(customer) !== stripeCustomerId;
}
