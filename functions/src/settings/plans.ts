import * as z from 'zod';

const priceSchema = z.strictObject({
  /** Identifies the price in every Stripe account: https://docs.stripe.com/products-prices/manage-prices#lookup-keys */
  lookupKey: z.string().min(1).max(200),
  /** Amount in the currency's smallest unit, such as cents. */
  unitAmount: z.int().min(0),
  currency: z.string().regex(/^[a-z]{3}$/),
});

/** Slugs that would collide with a route, such as /api/auth/checkout/return. */
const RESERVED_SLUGS = new Set(['return']);

const planSchema = z.strictObject({
  slug: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .refine((slug) => !RESERVED_SLUGS.has(slug), 'is reserved'),
  name: z.string().min(1),
  description: z.string().min(1),
  /** Whether the price is multiplied by the number of members. Otherwise it covers all seats of the limits. */
  perSeat: z.boolean().optional(),
  limits: z.strictObject({
    seats: z.int().min(1),
    /** Total size of the uploads of a user or team, in millions of bytes. */
    uploadMegabytes: z.int().min(1),
    /** Size of the largest file, in millions of bytes. */
    fileMegabytes: z.int().min(1),
  }),
  prices: z.strictObject({ month: priceSchema, year: priceSchema }).optional(),
});

/** A plan of plans.json. */
export type Plan = z.output<typeof planSchema>;
export const INTERVALS = ['month', 'year'] as const;
export type Interval = (typeof INTERVALS)[number];
export type PaidPlan = Plan & { prices: NonNullable<Plan['prices']> };

/** The plans of plans.json, ordered from least to most. The first plan is free and applies without a subscription. */
export const planListSchema = z
  .tuple([planSchema], planSchema)
  .refine(([first]) => first.prices === undefined, 'the first plan must be free and have no prices')
  .refine((plans) => isUnique(plans.map((plan) => plan.slug)), 'slugs must be unique')
  .refine((plans) => isUnique(plans.flatMap(lookupKeys)), 'lookup keys must be unique');

export type PlanList = z.output<typeof planListSchema>;

/** The plan with this slug. */
export function findPlan(plans: PlanList, slug: string): Plan | undefined {
  return plans.find((plan) => plan.slug === slug);
}

export function isPaid(plan: Plan): plan is PaidPlan {
  return plan.prices !== undefined;
}

/** The plan of users and teams without a subscription. */
export function freePlan(plans: PlanList): Plan {
  return plans[0];
}

/** Whether a plan is the required plan or a higher one. False if there is no plan with one of the slugs. */
export function reaches(plans: PlanList, slug: string, required: string): boolean {
  const rank = (wanted: string) => plans.findIndex((plan) => plan.slug === wanted);
  return rank(required) !== -1 && rank(slug) >= rank(required);
}

/** The plan that a Stripe price belongs to, by the lookup key of the price. */
export function planOfLookupKey(plans: PlanList, lookupKey: string): Plan | undefined {
  return plans.find((plan) => lookupKeys(plan).includes(lookupKey));
}

/** Lookup keys of the monthly and the yearly price. Empty for a free plan. */
export function lookupKeys(plan: Plan): string[] {
  return plan.prices === undefined ? [] : [plan.prices.month.lookupKey, plan.prices.year.lookupKey];
}

function isUnique(values: string[]): boolean {
  return new Set(values).size === values.length;
}
