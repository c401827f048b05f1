import type Stripe from 'stripe';
import { logFault } from '../../common/log.ts';
import { refuse } from '../../refusals.ts';
import type { CreditPack } from '../../settings/extras.ts';
import {
  defaultInterval,
  findPlan,
  isPaid,
  type Interval,
  type IntervalPrice,
  type PaidPlan,
  type Plan,
  type PlanList,
  type Price,
  type SubjectType,
} from '../../settings/plans.ts';

/** The most lookup keys in one call. https://docs.stripe.com/api/prices/list#list_prices-lookup_keys */
const MAX_KEYS = 10;

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

/**
 * @param plan a plan or a credit pack
 * @throws Refusal `plan_not_for_subject` if it is sold to the other type of subject only
 */
export function requirePlanForSubject({ name, for: types }: Plan | CreditPack, type: SubjectType): void {
  if (types.includes(type)) return;
  throw refuse(type === 'user' ? 'plan_not_for_subject' : 'plan_for_users_only', { name });
}

/**
 * The price of a plan for an interval.
 *
 * @param wanted by default the month, or the year if the plan has no monthly price
 * @throws Refusal `interval_not_offered`
 */
export function requirePrice(plan: PaidPlan, wanted?: Interval): IntervalPrice {
  return requireInterval(plan, wanted).price;
}

/**
 * The interval that a plan is paid by, and its price.
 *
 * @param wanted by default the month, or the year if the plan has no monthly price
 * @throws Refusal `interval_not_offered`
 */
export function requireInterval(
  plan: PaidPlan,
  wanted?: Interval,
): { interval: Interval; price: IntervalPrice } {
  const interval = wanted ?? defaultInterval(plan);
  const price = interval && plan.prices[interval];
  if (interval === undefined || price === undefined) {
    throw refuse(wanted === undefined ? 'interval_not_offered' : NOT_PAID[wanted], { plan: plan.name });
  }
  return { interval, price };
}

const NOT_PAID = { month: 'plan_not_paid_monthly', year: 'plan_not_paid_yearly' } as const;

/** @throws Refusal `currency_not_offered` if the price has no amount in the wanted currency */
export function requireCurrency({ currency, currencies }: Price, wanted: string | undefined): void {
  if (wanted === undefined || wanted === currency || Object.hasOwn(currencies, wanted)) return;
  throw refuse('currency_not_offered');
}

/** A price by its lookup key, with the name of what it is for. */
export interface NamedKey {
  /** Name of the plan or extra, for messages. */
  name: string;
  lookupKey: string;
}

/**
 * The id of the active Stripe price with a lookup key. One call to Stripe.
 *
 * @throws Refusal `price_not_available` if the price was archived
 */
export async function findPriceIdByKey(stripe: Stripe, wanted: NamedKey): Promise<string> {
  const [{ priceId }] = await withPriceIds(stripe, [wanted]);
  return priceId;
}

/** The wanted keys, each with the id of its price. */
type WithPriceIds<Wanted extends readonly NamedKey[]> = {
  [Index in keyof Wanted]: Wanted[Index] & { priceId: string };
};

/**
 * Adds the ids of the active Stripe prices with the lookup keys. One call to Stripe for every ten keys.
 *
 * @throws Refusal `price_not_available` if one of the prices was archived
 */
export async function withPriceIds<const Wanted extends readonly NamedKey[]>(
  stripe: Stripe,
  wanted: Wanted,
): Promise<WithPriceIds<Wanted>> {
  const ids = new Map<string | null, string>();
  for (let from = 0; from < wanted.length; from += MAX_KEYS) {
    const keys = wanted.slice(from, from + MAX_KEYS).map(({ lookupKey }) => lookupKey);
    const prices = await stripe.prices.list({ lookup_keys: keys, active: true, limit: keys.length });
    for (const price of prices.data) ids.set(price.lookup_key, price.id);
  }
  const found = wanted.map((one) => ({
    ...one,
    priceId: ids.get(one.lookupKey) ?? throwNotAvailable(one),
  }));
  return found as WithPriceIds<Wanted>;
}

function throwNotAvailable({ name, lookupKey }: NamedKey): never {
  const cause = new Error(`Stripe has no active price with the lookup key ${lookupKey}.`);
  logFault('A plan is not on sale', { plan: name, lookupKey }, cause);
  throw refuse('price_not_available', { plan: name }, { cause });
}
