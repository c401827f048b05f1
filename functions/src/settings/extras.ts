import * as z from 'zod';
import {
  subjectTypesSchema,
  currencyKeyOf,
  identifierSchema,
  priceSchema,
  planSlugSchema,
} from './plan-schema.ts';
import {
  allLookupKeys,
  meteredPricesOf,
  INTERVALS,
  isPaid,
  pricesOf,
  slugsOf,
  type PaidPlan,
  type Plan,
  type PlanList,
  type Price,
  isUnique,
} from './plans.ts';

/** The largest number of credits in one pack. It keeps balances far below the largest exact integer. */
const MAX_CREDITS = 1_000_000_000;

/**
 * The most line items that Stripe allows. https://docs.stripe.com/api/subscriptions/create#create_subscription-items
 */
const MAX_LINE_ITEMS = 20;

const sold = {
  slug: planSlugSchema,
  name: z.string().min(1),
  description: z.string().min(1),
  for: subjectTypesSchema,
};

const creditPackSchema = z.strictObject({
  ...sold,
  credits: z.int().min(1).max(MAX_CREDITS),
  prices: z.strictObject({ once: priceSchema }),
});

export type CreditPack = z.output<typeof creditPackSchema>;

const meterSchema = z.strictObject({
  slug: planSlugSchema,
  name: z.string().min(1),
  /** The event name of the meter at Stripe, which must sum the values: https://docs.stripe.com/api/billing/meter */
  eventName: z.string().min(1).max(100),
  /**
   * True if clients may report their own usage. Clients can leave reports out. Set it only for usage that no server
   * sees, and for which false reports do little harm.
   */
  fromClients: z.boolean().default(false),
});

export type Meter = z.output<typeof meterSchema>;

const addOnSchema = z
  .strictObject({
    ...sold,
    /** Slugs of the plans that the add-on can be added to. */
    plans: z.array(planSlugSchema).min(1),
    /** Numbers that each unit adds to the limits of the plan. */
    limits: z.record(z.string(), z.int().min(1)).default({}),
    /** Entitlements besides those of the plan, for any quantity. */
    entitlements: z.array(identifierSchema).default([]),
    maxQuantity: z.int().min(1).max(10_000).default(1),
    prices: z.strictObject({ month: priceSchema.optional(), year: priceSchema.optional() }),
  })
  .refine(({ limits, entitlements }) => Object.keys(limits).length + entitlements.length > 0, {
    error: 'adds no limit and no entitlement',
  });

/** Something that a customer buys with a subscription or adds to a running one, as a further line item. */
export type AddOn = z.output<typeof addOnSchema>;

/** extras.json: what is sold besides the plans, and the meters of prices by usage. */
export const extrasSchema = z.strictObject({
  creditPacks: z.array(creditPackSchema).default([]),
  addOns: z.array(addOnSchema).default([]),
  meters: z
    .array(meterSchema)
    .refine((meters) => isUnique(meters.map(({ slug }) => slug)), 'slugs of meters must be unique')
    .refine((meters) => isUnique(meters.map(({ eventName }) => eventName)), 'event names must be unique')
    .default([]),
});

export type Extras = z.output<typeof extrasSchema>;

/** The units of add-ons that a customer has, by the slugs. */
export type AddOnQuantities = Readonly<Record<string, number>>;

export interface PlansAndExtras {
  plans: PlanList;
  extras: Extras;
}

/** Everything in extras.json that has prices. */
export function pricedExtras({ creditPacks, addOns }: Extras): (CreditPack | AddOn)[] {
  return [...creditPacks, ...addOns];
}

/** The add-on that a Stripe price belongs to, by the lookup key of the price; undefined if there is none. */
export function addOnOfLookupKey({ addOns }: Extras, lookupKey: string | null): AddOn | undefined {
  return addOns.find((addOn) => lookupKey !== null && lookupKeysOfExtra(addOn).includes(lookupKey));
}

export function isForPlan({ plans }: Pick<AddOn, 'plans'>, { slug }: Pick<Plan, 'slug'>): boolean {
  return plans.includes(slug);
}

/** The lookup keys of all prices of plans, seats, usage and add-ons. */
export function offeredLookupKeys({ plans, extras }: PlansAndExtras): string[] {
  return [...plans.flatMap(allLookupKeys), ...extras.addOns.flatMap(lookupKeysOfExtra)];
}

/** True for the lookup key of a price of a plan, of its seats, of its usage or of an add-on. */
export function isOffered(plansAndExtras: PlansAndExtras, lookupKey: string | null): boolean {
  return lookupKey !== null && offeredLookupKeys(plansAndExtras).includes(lookupKey);
}

/** The reason why extras do not fit the plans; undefined if they fit. */
export function conflictWith(plans: PlanList, extras: Extras): string | undefined {
  const items = pricedExtras(extras);
  const slugs = [...plans.flatMap(slugsOf), ...items.map(({ slug }) => slug)];
  if (!isUnique(slugs)) return 'slugs must be unique, with those of the plans';
  const keys = [...plans.flatMap(allLookupKeys), ...items.flatMap(lookupKeysOfExtra)];
  if (!isUnique(keys)) return 'lookup keys must be unique, with those of the plans';
  const meters = extras.meters.map(({ slug }) => slug);
  const unknown = plans.flatMap(meteredPricesOf).find(({ meter }) => !meters.includes(meter));
  if (unknown !== undefined) return `a plan has a price for the meter ${unknown.meter}, which is not there`;
  for (const addOn of extras.addOns) {
    const reason = reasonForMisfit(addOn, plans);
    if (reason !== undefined) return `the add-on ${addOn.slug} ${reason}`;
  }
  return plans.map((plan) => reasonForExcess(plan, extras)).find((reason) => reason !== undefined);
}

/** The reason why a subscription to a plan with all its add-ons could have too many line items. */
function reasonForExcess({ slug, prices }: Plan, { addOns }: Extras): string | undefined {
  const addOnItems = addOns.filter((addOn) => addOn.plans.includes(slug)).length;
  for (const interval of INTERVALS) {
    const price = prices?.[interval];
    if (price === undefined) continue;
    const count = 1 + (price.seat ? 1 : 0) + price.metered.length + addOnItems;
    if (count > MAX_LINE_ITEMS) {
      return `the plan ${slug} and its add-ons have ${count} prices for the ${interval} (maximum: ${MAX_LINE_ITEMS})`;
    }
  }
  return undefined;
}

/**
 * The reason why an add-on does not fit the plans; undefined if it fits. Add-ons and plans are billed together, so
 * their prices must match.
 */
function reasonForMisfit(addOn: AddOn, [free, ...others]: PlanList): string | undefined {
  // All plans have the same limits, so the free plan stands for all.
  const wrongLimit = Object.keys(addOn.limits).find((name) => !hasNumericLimit(free, name));
  if (wrongLimit !== undefined) return `adds to ${wrongLimit}, which is no limit with a number`;
  for (const slug of addOn.plans) {
    const plan = others.find((plan) => plan.slug === slug);
    if (plan === undefined || !isPaid(plan)) return `is for ${slug}, which is no paid plan`;
    if (!addOn.for.some((type) => plan.for.includes(type))) return `is for no buyer of the plan ${slug}`;
    if (!hasPricesFor(addOn, plan)) return `lacks a price for an interval or a currency of the plan ${slug}`;
  }
  return undefined;
}

function hasNumericLimit({ limits }: Plan, name: string): boolean {
  return Object.entries(limits).some(([key, value]) => key === name && typeof value === 'number');
}

/** Whether an add-on has a price for each interval of a plan, in the currencies of the plan. */
function hasPricesFor({ prices }: AddOn, plan: PaidPlan): boolean {
  const intervals = INTERVALS.filter((interval) => plan.prices[interval] !== undefined);
  const wanted = new Set(pricesOf(plan).map(currencyKeyOf));
  const hasSameCurrencies = (price: Price | undefined) =>
    price !== undefined && wanted.has(currencyKeyOf(price));
  return intervals.length > 0 && intervals.every((interval) => hasSameCurrencies(prices[interval]));
}

/** The lookup keys of all prices of an extra. */
export function lookupKeysOfExtra({ prices }: Pick<CreditPack | AddOn, 'prices'>): string[] {
  return Object.values<Price | undefined>(prices).flatMap((price) => price?.lookupKey ?? []);
}
