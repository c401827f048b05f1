import * as z from 'zod';
import { buyersSchema, priceSchema, slugSchema } from './plan-schema.ts';
import { lookupKeys, type PlanList } from './plans.ts';

/** The largest number of credits in one pack, so that balances stay far below the integers that are exact. */
const MAX_CREDITS = 1_000_000_000;

const creditPackSchema = z.strictObject({
  slug: slugSchema,
  name: z.string().min(1),
  description: z.string().min(1),
  /** Whether users, teams or both can buy the pack. */
  for: buyersSchema,
  /** Credits that one pack gives. */
  credits: z.int().min(1).max(MAX_CREDITS),
  prices: z.strictObject({ once: priceSchema }),
});

/** Credits that are paid once. */
export type CreditPack = z.output<typeof creditPackSchema>;

const meterSchema = z.strictObject({
  slug: slugSchema,
  name: z.string().min(1),
  /** The event name of the meter at Stripe, which must sum the values: https://docs.stripe.com/api/billing/meter */
  eventName: z.string().min(1).max(100),
  /**
   * Whether clients may report their own usage. They can leave reports out, so this is for usage that only a client sees and
   * that is not worth forging.
   */
  fromClients: z.boolean().default(false),
});

/** Something that the app counts and Stripe bills by, such as calls of an API. */
export type Meter = z.output<typeof meterSchema>;

/** extras.json: what is sold besides the plans, and the meters of prices by usage. */
export const extrasSchema = z.strictObject({
  creditPacks: z.array(creditPackSchema).default([]),
  meters: z
    .array(meterSchema)
    .refine((meters) => !hasTwins(meters.map(({ slug }) => slug)), 'slugs of meters must be unique')
    .refine((meters) => !hasTwins(meters.map(({ eventName }) => eventName)), 'event names must be unique')
    .default([]),
});

export type Extras = z.output<typeof extrasSchema>;

/** Everything in extras.json that has prices. */
export function sellables({ creditPacks }: Extras): CreditPack[] {
  return creditPacks;
}

/** The reason why extras do not fit the plans. Undefined if they do. */
export function conflictWith(plans: PlanList, extras: Extras): string | undefined {
  const items = sellables(extras);
  const slugs = [
    ...plans.flatMap(({ slug, formerly }) => [slug, ...formerly]),
    ...items.map(({ slug }) => slug),
  ];
  if (hasTwins(slugs)) return 'slugs must be unique, with those of the plans';
  const keys = [...plans.flatMap(lookupKeys), ...items.flatMap(lookupKeysOf)];
  return hasTwins(keys) ? 'lookup keys must be unique, with those of the plans' : undefined;
}

/** The lookup keys of all prices of an extra. */
export function lookupKeysOf({ prices }: Pick<CreditPack, 'prices'>): string[] {
  return Object.values(prices).map(({ lookupKey }) => lookupKey);
}

function hasTwins(values: readonly string[]): boolean {
  return new Set(values).size < values.length;
}
