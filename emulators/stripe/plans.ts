import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Meter, Price } from './objects.ts';
import { newPrice } from './resources/catalogue/price.ts';
import { newProduct } from './resources/catalogue/products.ts';
import { defaultConfiguration } from './resources/portal/portal-configuration-object.ts';
import type { Store } from './store/store.ts';
import { newMeter } from './usage/meter-object.ts';

const price = z.object({
  lookupKey: z.string().min(1),
  unitAmount: z.int().nonnegative(),
  currency: z.string().regex(/^[a-z]{3}$/),
  currencies: z.record(z.string().regex(/^[a-z]{3}$/), z.int().nonnegative()).optional(),
});

const seat = price.omit({ currency: true });

const metered = z.object({
  meter: z.string(),
  lookupKey: z.string().min(1),
  unitAmount: z.number().nonnegative(),
  currencies: z.record(z.string().regex(/^[a-z]{3}$/), z.number().nonnegative()).optional(),
});

/** A price by the month or year, which may have a price per seat and prices by usage beside it. */
const intervalPrice = price.extend({ seat: seat.optional(), metered: z.array(metered).optional() });

const plans = z.array(
  z.object({
    slug: z.string().regex(/^[a-z0-9-]+$/),
    name: z.string().min(1),
    description: z.string().optional(),
    prices: z
      .object({
        month: intervalPrice.optional(),
        year: intervalPrice.optional(),
        once: price.optional(),
      })
      .optional(),
    /** The event name of a meter. A meter is no product. */
    eventName: z.string().min(1).optional(),
  }),
);

/** A list of plans, or the lists of extras.json by their names. */
const sellables = z.union([
  plans,
  z.record(z.string(), plans).transform((lists) => Object.values(lists).flat()),
]);

/** The configured plans, as far as Stripe is concerned; other properties are ignored. */
export type Plans = z.infer<typeof plans>;

/**
 * Reads a file of plans or extras, or checks plans that are already parsed. Throws an Error that names the file and the
 * mistake.
 */
export async function loadPlans(source: string | Plans): Promise<Plans> {
  const parsed = sellables.safeParse(typeof source === 'string' ? await readJson(source) : source);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = typeof source === 'string' ? source : 'plans';
  throw new Error(`${place} is not a list of plans: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Error(
      `Cannot read plans from ${file}: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
}

interface Seed {
  plans: Plans;
  /** Part of the ids. */
  account: string;
  /** Seconds since 1970. */
  created: number;
}

/**
 * Fills an empty store with the plans' products and prices and a default portal. Ids are the same at every start:
 * `prod_<account>_<slug>`, `price_<account>_<slug>_<interval>`, `mtr_<account>_<slug>`. The seats beside a base price
 * are a product of their own: `prod_<account>_<slug>_seat`, `price_<account>_<slug>_seat_<interval>`. So is the usage
 * of a meter: `prod_<account>_<slug>_<meter>`, `price_<account>_<slug>_<meter>_<interval>`.
 */
export function seed(state: Store, { plans: configured, account, created }: Seed): void {
  state.portalConfigurations.insert(defaultConfiguration(created));
  for (const plan of configured) {
    if (plan.eventName !== undefined) {
      const names = { event_name: plan.eventName, display_name: plan.name };
      state.meters.insert(seedMeter(`mtr_${account}_${plan.slug}`, names, created));
      continue;
    }
    const { slug, name, prices: { month, year, once } = {} } = plan;
    const id = `${account}_${slug}`;
    seedProduct(state, { ...plan, id, prices: { month, year, once } }, created);
    seedUsage(state, { ...plan, account }, created);
    if (month?.seat === undefined && year?.seat === undefined) continue;
    const seats = { month: seatPrice(month), year: seatPrice(year), once: undefined };
    seedProduct(state, { id: `${id}_seat`, slug, name: `${name} seat`, prices: seats }, created);
  }
}

/** A product with prices for each meter that a plan bills. */
function seedUsage(
  state: Store,
  { account, slug, name, prices = {} }: Plans[number] & { account: string },
  created: number,
): void {
  for (const interval of ['month', 'year'] as const) {
    const base = prices[interval];
    for (const { meter, ...rest } of base?.metered ?? []) {
      const id = `${account}_${slug}_${meter}`;
      const product = `prod_${id}`;
      if (!state.products.get(product))
        state.products.insert(
          newProduct({ id: product, name: `${name} ${meter}`, created, metadata: { slug } }),
        );
      const place = { id: `price_${id}_${interval}`, product, slug, interval, created };
      seedPrice(
        state,
        { ...place, meter: `mtr_${account}_${meter}` },
        { ...rest, currency: base?.currency ?? '' },
      );
    }
  }
}

/** A meter that sums the values of its events. */
function seedMeter(id: string, names: { event_name: string; display_name: string }, created: number): Meter {
  const meter = newMeter({ now: () => created }, { ...names, default_aggregation: { formula: 'sum' } });
  return { ...meter, id };
}

type SeedPrice = z.infer<typeof price>;

/** The price per seat has the currency of its base price. */
function seatPrice(base: z.infer<typeof intervalPrice> | undefined): SeedPrice | undefined {
  return base?.seat && { ...base.seat, currency: base.currency };
}

interface ProductSeed {
  /** The part of the ids after their prefix. */
  id: string;
  slug: string;
  name: string;
  description?: string | null | undefined;
  prices: Record<'month' | 'year' | 'once', SeedPrice | undefined>;
}

function seedProduct(
  state: Store,
  { id, slug, name, description = null, prices }: ProductSeed,
  created: number,
): void {
  const product = `prod_${id}`;
  const seeded: Price[] = [];
  for (const interval of ['month', 'year', 'once'] as const) {
    const configuredPrice = prices[interval];
    if (configuredPrice)
      seeded.push(
        seedPrice(
          state,
          { id: `price_${id}_${interval}`, product, slug, interval, created },
          configuredPrice,
        ),
      );
  }
  const default_price = seeded[0]?.id ?? null;
  const metadata = { slug };
  state.products.insert(newProduct({ id: product, name, created, default_price, description, metadata }));
}

interface PricePlace {
  id: string;
  product: string;
  slug: string;
  interval: 'month' | 'year' | 'once';
  created: number;
  /** The meter of a price by usage. */
  meter?: string;
}

function seedPrice(
  state: Store,
  { id, product, slug, interval, created, meter }: PricePlace,
  { currency, unitAmount, lookupKey, currencies = {} }: SeedPrice,
): Price {
  const seeded = newPrice({
    id,
    created,
    product,
    currency,
    unit_amount_decimal: String(unitAmount),
    recurring:
      interval === 'once' ? null : { interval, ...(meter !== undefined && { meter, usage_type: 'metered' }) },
    lookup_key: lookupKey,
    metadata: { slug },
  });
  const amounts = Object.entries(currencies).map(([code, amount]) => [code, String(amount)]);
  state.currencyAmounts.insert({ id, amounts: Object.fromEntries(amounts) as Record<string, string> });
  return state.prices.insert(seeded);
}
