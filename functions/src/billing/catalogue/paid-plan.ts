import type Stripe from 'stripe';
import { logFault } from '../../common/log.ts';
import type { Reads } from '../../firestore/db.ts';
import { refuse } from '../../refusals.ts';
import {
  defaultInterval,
  findPlan,
  isPaid,
  type Interval,
  type PaidPlan,
  type PlanList,
  type Price,
  type SubjectType,
} from '../../settings/plans.ts';

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

/** @throws Refusal `plan_not_for_subject` */
export function requireIsFor({ name, for: types }: PaidPlan, type: SubjectType): void {
  if (types.includes(type)) return;
  throw refuse('plan_not_for_subject', { plan: name, subjects: type === 'user' ? 'teams' : 'users' });
}

/**
 * The price of a plan for an interval.
 *
 * @param wanted by the month unless given, or by the year if the plan has no monthly price
 * @throws Refusal `interval_not_offered`
 */
export function requirePrice(plan: PaidPlan, wanted?: Interval): Price {
  const interval = wanted ?? defaultInterval(plan);
  const price = interval && plan.prices[interval];
  if (price === undefined) throw refuse('interval_not_offered', { plan: plan.name });
  return price;
}

/** @throws Refusal `currency_not_offered` if the price has no amount in the wanted currency */
export function requireCurrency({ currency, currencies }: Price, wanted: string | undefined): void {
  if (wanted === undefined || wanted === currency || Object.hasOwn(currencies, wanted)) return;
  throw refuse('currency_not_offered');
}

/**
 * The id of the active Stripe price of a plan. One call to Stripe.
 *
 * @throws Refusal as `requirePrice`, and `price_not_available` if the price was archived
 */
export async function findPriceId(stripe: Stripe, plan: PaidPlan, interval?: Interval): Promise<string> {
  const { lookupKey } = requirePrice(plan, interval);
  return findPriceIdByKey(stripe, { name: plan.name, lookupKey });
}

/**
 * The id of the active Stripe price with a lookup key. One call to Stripe.
 *
 * @param item.name of the plan or extra, for the message
 * @throws Refusal `price_not_available` if the price was archived
 */
export async function findPriceIdByKey(
  stripe: Stripe,
  { name, lookupKey }: { name: string; lookupKey: string },
): Promise<string> {
  const prices = await stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 });
  const [price] = prices.data;
  if (price !== undefined) return price.id;
  const cause = new Error(`Stripe has no active price with the lookup key ${lookupKey}.`);
  logFault('A plan is not on sale', { plan: name, lookupKey }, cause);
  throw refuse('price_not_available', { plan: name }, { cause });
}

/** The number of members of a team that pays for each, otherwise 1. Reads one document for each 1,000 members. */
export async function quantityToBuy(
  reads: Reads,
  { type, customerId }: { type: 'user' | 'team'; customerId: string },
  { perSeat }: PaidPlan,
): Promise<number> {
  return perSeat === true && type === 'team' ? reads.members(customerId).count() : 1;
}
