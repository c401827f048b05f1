import * as z from 'zod';

const priceSchema = z.strictObject({
  /** Finds the price in Stripe, so that no Stripe id stands in the code. https://docs.stripe.com/products-prices/manage-prices#lookup-keys */
  lookupKey: z.string().min(1).max(200),
  /** In the currency's smallest unit, such as cents. */
  unitAmount: z.int().min(0),
  currency: z.string().regex(/^[a-z]{3}$/),
});

/** Segments of addresses that stand where a slug does. */
const RESERVED_SLUGS = new Set(['return']);

const planSchema = z.strictObject({
  slug: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .refine((slug) => !RESERVED_SLUGS.has(slug), 'is reserved'),
  name: z.string().min(1),
  description: z.string().min(1),
  /** Whether the prices are for each member of a team; otherwise they are for all that the limits allow. */
  perSeat: z.boolean().optional(),
  limits: z.strictObject({
    seats: z.int().min(1),
    /** What all uploads of a user or a team take together, in millions of bytes. */
    uploadMegabytes: z.int().min(1),
    /** The largest file. */
    fileMegabytes: z.int().min(1),
  }),
  prices: z.strictObject({ month: priceSchema, year: priceSchema }).optional(),
});

export type Plan = z.output<typeof planSchema>;
export const INTERVALS = ['month', 'year'] as const;
export type Interval = (typeof INTERVALS)[number];
export type PaidPlan = Plan & { prices: NonNullable<Plan['prices']> };

/** The configured plans: the first one is what everybody has without paying. */
export const planListSchema = z
  .tuple([planSchema], planSchema)
  .refine(([first]) => first.prices === undefined, 'the first plan is the free one and has no prices')
  .refine((plans) => isUnique(plans.map((plan) => plan.slug)), 'slugs must be unique')
  .refine((plans) => isUnique(plans.flatMap(lookupKeys)), 'lookup keys must be unique');

export type PlanList = z.output<typeof planListSchema>;

export function findPlan(plans: PlanList, slug: string): Plan | undefined {
  return plans.find((plan) => plan.slug === slug);
}

export function isPaid(plan: Plan): plan is PaidPlan {
  return plan.prices !== undefined;
}

export function freePlan(plans: PlanList): Plan {
  return plans[0];
}

/** Whether a plan is at least another one: they are configured from least to most. */
export function reaches(plans: PlanList, slug: string, least: string): boolean {
  const rank = (wanted: string) => plans.findIndex((plan) => plan.slug === wanted);
  return rank(least) !== -1 && rank(slug) >= rank(least);
}

/** The plan that a Stripe price belongs to, by the price's lookup key. */
export function planOfLookupKey(plans: PlanList, lookupKey: string): Plan | undefined {
  return plans.find((plan) => lookupKeys(plan).includes(lookupKey));
}

export function lookupKeys(plan: Plan): string[] {
  return plan.prices === undefined ? [] : [plan.prices.month.lookupKey, plan.prices.year.lookupKey];
}

function isUnique(values: string[]): boolean {
  return new Set(values).size === values.length;
}
