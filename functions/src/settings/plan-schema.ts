import * as z from 'zod';
import plansJson from '../../plans.json' with { type: 'json' };

const currencySchema = z.string().regex(/^[a-z]{3}$/, 'must be three lower-case letters');

const priceFields = {
  /** Identifies the price in every Stripe account: https://docs.stripe.com/products-prices/manage-prices#lookup-keys */
  lookupKey: z.string().min(1).max(200),
  /** Amount in the currency's smallest unit, such as cents. */
  unitAmount: z.int().min(0),
  currency: currencySchema,
  /** The amounts in further currencies. Stripe calls them `currency_options` of the price. */
  currencies: z.record(currencySchema, z.int().min(0)).default({}),
};

type Currencies = Record<string, number>;

const namesCurrenciesOnce = ({ currency, currencies }: { currency: string; currencies: Currencies }) =>
  !Object.hasOwn(currencies, currency);

const CURRENCY_TWICE = 'names its own currency twice';

/** A price of plans.json or extras.json. */
export const priceSchema = z.strictObject(priceFields).refine(namesCurrenciesOnce, CURRENCY_TWICE);

/** A price per seat beside a base price, in the same currency and for the same interval. */
const seatPriceSchema = z.strictObject({
  lookupKey: priceFields.lookupKey,
  unitAmount: priceFields.unitAmount,
  currencies: priceFields.currencies,
  /** Members that the base price covers. */
  included: z.int().min(0).max(100_000).default(0),
});

/** A price by usage beside a base price, in the same currency and for the same interval. */
const meteredPriceSchema = z.strictObject({
  /** Slug of the meter in extras.json. */
  meter: z.string(),
  lookupKey: priceFields.lookupKey,
  /** Amount for one unit of usage, in the currency's smallest unit. It may be a fraction, such as 0.5 cents. */
  unitAmount: z.number().min(0),
  currencies: z.record(currencySchema, z.number().min(0)).default({}),
});

/** A price by the month or year, which may have a price per seat and prices by usage beside it. */
const intervalPriceSchema = z
  .strictObject({
    ...priceFields,
    seat: seatPriceSchema.optional(),
    metered: z.array(meteredPriceSchema).max(5).default([]),
  })
  .refine(namesCurrenciesOnce, CURRENCY_TWICE)
  .refine(
    ({ currencies, seat }) =>
      seat === undefined || currencyNamesOf(currencies) === currencyNamesOf(seat.currencies),
    {
      error: 'has other currencies than the base price',
      path: ['seat', 'currencies'],
    },
  )
  .refine(
    ({ currencies, metered }) =>
      metered.every((price) => currencyNamesOf(price.currencies) === currencyNamesOf(currencies)),
    {
      error: 'has other currencies than the base price',
      path: ['metered', 'currencies'],
    },
  )
  .refine(({ metered }) => new Set(metered.map(({ meter }) => meter)).size === metered.length, {
    error: 'has several prices for a meter',
    path: ['metered'],
  });

/** Slugs that would collide with a route, such as /api/auth/checkout/return. */
const RESERVED_SLUGS = new Set(['return']);

/** The limits that the service itself applies. */
const knownLimits = {
  seats: z.int().min(1),
  /** Total size of the uploads of a user or team, in millions of bytes. */
  storageMegabytes: z.int().min(1),
  /** Size of the largest file, in millions of bytes. */
  fileMegabytes: z.int().min(1),
};

export type Limit = number | string | boolean;

/** The limits of a plan: those of the service, and those that the app adds to plans.json, by their names. */
export type PlanLimits = Record<keyof typeof knownLimits, number> & (typeof plansJson)[number]['limits'];

const limitsSchema = z
  .object(knownLimits)
  .catchall(z.union([z.number(), z.string().max(200), z.boolean()]))
  .refine((limits) => Object.keys(limits).every((name) => /^[a-z][A-Za-z0-9]{0,39}$/.test(name)), {
    error: 'names must be in camel case, with at most 40 letters and digits',
  })
  .transform((limits) => limits as PlanLimits);

/** A name in documents, custom claims and security rules. */
export const identifierSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,80}$/, 'must have letters, digits, "-" and "_" only');

/** The kinds of subject that a plan can be bought for. */
export const SUBJECT_TYPES = ['user', 'team'] as const;

export const INTERVALS = ['month', 'year'] as const;

export const PRICE_KINDS = [...INTERVALS, 'once'] as const;

export const planSlugSchema = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  .refine((slug) => !RESERVED_SLUGS.has(slug), 'is reserved');

/** Whether users, teams or both can buy something. */
export const subjectTypesSchema = z
  .array(z.enum(SUBJECT_TYPES))
  .min(1)
  .default([...SUBJECT_TYPES]);

const planFields = z.strictObject({
  slug: planSlugSchema,
  /** Slugs that the plan had before. Documents and custom claims may still name them. */
  formerly: z.array(identifierSchema).default([]),
  name: z.string().min(1),
  description: z.string().min(1),
  for: subjectTypesSchema,
  /**
   * True if the price is multiplied by the number of members. Otherwise the price covers all seats of `limits`, or has
   * `seat` beside it.
   */
  perSeat: z.boolean().optional(),
  limits: limitsSchema,
  /** Entitlements are not inherited. A plan must list the entitlements of the lower plans again. */
  entitlements: z.array(identifierSchema).default([]),
  prices: z
    .strictObject({
      month: intervalPriceSchema.optional(),
      year: intervalPriceSchema.optional(),
      /** Paid once, for a plan without an end. */
      once: priceSchema.optional(),
    })
    .refine((prices) => Object.values(prices).some((price) => price !== undefined), 'has no price')
    .optional(),
});

export const planSchema = planFields
  .refine(({ perSeat, for: types }) => perSeat !== true || types.includes('team'), {
    error: 'a price per seat is for teams',
    path: ['for'],
  })
  .refine((plan) => plan.prices?.once === undefined || !isPaidPerSeat(plan), {
    error: 'a plan that is paid once has no price per seat',
    path: ['prices', 'once'],
  })
  .refine((plan) => plan.perSeat !== true || seatPricesOf(plan).length === 0, {
    error: 'has a price per seat already',
    path: ['perSeat'],
  })
  .refine((plan) => seatPricesOf(plan).length === 0 || !plan.for.includes('user'), {
    error: 'a base price with a price per seat is for teams only',
    path: ['for'],
  })
  .refine((plan) => seatPricesOf(plan).length === 0 || seatPricesOf(plan).length === pricesOf(plan).length, {
    error: 'either all prices or none have a price per seat',
    path: ['prices'],
  })
  .refine((plan) => new Set(pricesOf(plan).map(currencyKeyOf)).size <= 1, {
    error: 'all prices of a plan have the same currencies',
    path: ['prices'],
  });

export type Plan = z.output<typeof planFields>;
export type Price = z.output<typeof priceSchema>;
export type IntervalPrice = z.output<typeof intervalPriceSchema>;
export type MeteredPrice = z.output<typeof meteredPriceSchema>;
export type SeatPrice = z.output<typeof seatPriceSchema>;

/** The prices of a plan, without the prices per seat or by usage beside them. Empty for a free plan. */
export function pricesOf({ prices }: Pick<Plan, 'prices'>): Price[] {
  return PRICE_KINDS.map((kind) => prices?.[kind]).filter((price) => price !== undefined);
}

/** The prices per seat beside the base prices of a plan. */
export function seatPricesOf({ prices }: Pick<Plan, 'prices'>): SeatPrice[] {
  return INTERVALS.map((interval) => prices?.[interval]?.seat).filter((price) => price !== undefined);
}

/** The prices by usage beside the base prices of a plan. */
export function meteredPricesOf({ prices }: Pick<Plan, 'prices'>): MeteredPrice[] {
  return INTERVALS.flatMap((interval) => prices?.[interval]?.metered ?? []);
}

/** True if a team pays for each member, or for each member that a base price does not cover. */
function isPaidPerSeat(plan: Pick<Plan, 'perSeat' | 'prices'>): boolean {
  return plan.perSeat === true || seatPricesOf(plan).length > 0;
}

/** The currencies of a price as text that can be compared. */
export function currencyKeyOf({ currency, currencies }: Price): string {
  return [currency, currencyNamesOf(currencies)].join();
}

function currencyNamesOf(amounts: Currencies): string {
  return Object.keys(amounts).toSorted().join();
}
