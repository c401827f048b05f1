import * as z from 'zod';
import {
  meteredPricesOf,
  planSchema,
  pricesOf,
  seatPricesOf,
  INTERVALS,
  type Plan,
  type PRICE_KINDS,
  type SUBJECT_TYPES,
} from './plan-schema.ts';

export { INTERVALS, meteredPricesOf, PRICE_KINDS, pricesOf, SUBJECT_TYPES } from './plan-schema.ts';
export type { IntervalPrice, Limit, Plan, PlanLimits, Price } from './plan-schema.ts';

export type SubjectType = (typeof SUBJECT_TYPES)[number];
export type Interval = (typeof INTERVALS)[number];
export type PriceKind = (typeof PRICE_KINDS)[number];
export type PaidPlan = Plan & { prices: NonNullable<Plan['prices']> };

/**
 * The plans of plans.json, from the lowest to the highest. The first plan is free and applies without a subscription.
 */
export const planListSchema = z
  .tuple([planSchema], planSchema)
  .refine(([first]) => first.prices === undefined, 'the first plan must be free and have no prices')
  .refine(([first]) => first.for.length > 1, 'the first plan must be for users and teams')
  .refine((plans) => isUnique(plans.flatMap(slugsOf)), 'slugs must be unique, with the former ones')
  .refine((plans) => isUnique(plans.flatMap(allLookupKeys)), 'lookup keys must be unique')
  .refine(
    (plans) => new Set(plans.map(limitKeyOf)).size === 1,
    'all plans must have the same limits, of the same types',
  );

export type PlanList = z.output<typeof planListSchema>;

/** The plan that has this slug now, or had it before. */
export function findPlan(plans: PlanList, slug: string): Plan | undefined {
  return plans.find((plan) => slugsOf(plan).includes(slug));
}

/**
 * The plan that a stored slug names. The result is the free plan if no slug is stored, or if the plan was removed from
 * the configuration.
 */
export function planOrFree(plans: PlanList, slug: string | undefined): Plan {
  return (slug === undefined ? undefined : findPlan(plans, slug)) ?? freePlan(plans);
}

/** True if a plan is sold by a one-time purchase. */
export function hasOneTimePrices(plans: PlanList): boolean {
  return plans.some(({ prices }) => prices?.once !== undefined);
}

export function isPaid(plan: Plan): plan is PaidPlan {
  return plan.prices !== undefined;
}

/** The interval of a checkout that names no interval. Undefined for a plan with only a one-time price. */
export function defaultInterval({ prices }: PaidPlan): Interval | undefined {
  return INTERVALS.find((interval) => prices[interval] !== undefined);
}

export function freePlan(plans: PlanList): Plan {
  return plans[0];
}

/** True if the plan of `slug` is the required plan or a higher one. False if one of the slugs names no plan. */
export function isPlanAtLeast(plans: PlanList, slug: string, required: string): boolean {
  const rank = (wanted: string) => plans.findIndex((plan) => slugsOf(plan).includes(wanted));
  return rank(required) !== -1 && rank(slug) >= rank(required);
}

/**
 * The plan that a Stripe price belongs to, by the lookup key of the price. Prices per seat or by usage beside a base
 * price belong to no plan here.
 *
 * @param lookupKey null for a price without a lookup key
 */
export function planOfLookupKey(plans: PlanList, lookupKey: string | null): Plan | undefined {
  return lookupKey === null ? undefined : plans.find((plan) => planLookupKeys(plan).includes(lookupKey));
}

/** The lookup keys of the prices that decide a subscription's plan. Empty for a free plan. */
export function planLookupKeys(plan: Plan): string[] {
  return pricesOf(plan).map(({ lookupKey }) => lookupKey);
}

/** The lookup keys of the prices per seat beside the base prices of a plan. */
export function seatLookupKeys(plan: Plan): string[] {
  return seatPricesOf(plan).map(({ lookupKey }) => lookupKey);
}

/** The lookup keys of everything that is charged for a plan. */
export function allLookupKeys(plan: Plan): string[] {
  return [
    ...planLookupKeys(plan),
    ...seatLookupKeys(plan),
    ...meteredPricesOf(plan).map(({ lookupKey }) => lookupKey),
  ];
}

/** The slug of a plan, and those that it had before. */
export function slugsOf({ slug, formerly }: Plan): string[] {
  return [slug, ...formerly];
}

/** The names and types of the limits as text that can be compared. */
function limitKeyOf({ limits }: Plan): string {
  return Object.entries(limits)
    .map(([name, limit]) => `${name}: ${typeof limit}`)
    .toSorted()
    .join();
}

export function isUnique(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}
