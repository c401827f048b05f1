import type Stripe from 'stripe';
import { refusal } from '../../refusals/refusals.ts';
import type { Config } from '../../settings/config.ts';
import { idOf } from './stripe-ids.ts';

/**
 * Finds the id of the active promotion code with this text. For Stripe upper and lower case are the same. A text
 * belongs either to one code for everybody, or to several codes, each for one Stripe customer
 * (https://docs.stripe.com/billing/subscriptions/coupons#create-promotion-codes). One call to Stripe, and a second one
 * if the found code is for another Stripe customer.
 *
 * @throws Refusal `promotion_code_invalid` if there is no such code, or only for other Stripe customers
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

/** The parameters of a session for promotion codes. Stripe accepts either a code or a field for entering a code. */
export function promotionParams(
  { promotionCodes }: Config,
  { promotionCode }: { promotionCode?: string | undefined },
): Pick<Stripe.Checkout.SessionCreateParams, 'discounts' | 'allow_promotion_codes'> {
  if (promotionCode !== undefined) return { discounts: [{ promotion_code: promotionCode }] };
  return promotionCodes ? { allow_promotion_codes: true } : {};
}
