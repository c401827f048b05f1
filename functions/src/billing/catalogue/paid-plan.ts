import type Stripe from 'stripe';
import { refuse } from '../../refusals.ts';
import { findPlan, isPaid, type Interval, type PaidPlan, type PlanList } from '../../settings/plans.ts';

/**
 * The plan with this slug, which can be bought.
 *
 * @throws Refusal `plan_not_found`, `plan_is_free`
 */
export function requirePaidPlan(plans: PlanList, slug: string): PaidPlan {
  const plan = findPlan(plans, slug);
  if (plan === undefined) throw refuse('plan_not_found');
  if (!isPaid(plan)) throw refuse('plan_is_free');
  return plan;
}

/** The id of the active Stripe price of a plan. One call to Stripe. */
export async function findPriceId(stripe: Stripe, plan: PaidPlan, interval: Interval): Promise<string> {
  const { lookupKey } = plan.prices[interval];
  const prices = await stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 });
  const [price] = prices.data;
  if (price === undefined) throw new Error(`Stripe has no active price with the lookup key ${lookupKey}.`);
  return price.id;
}
