import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { defaultConfiguration } from './resources/portal-configuration-object.ts';
import { newPrice } from './resources/prices.ts';
import { newProduct } from './resources/products.ts';
import type { Meter, Price } from './state.ts';
import type { Store } from './store/store.ts';
import { newMeter } from './usage/meter-object.ts';

const price = z.object({
  lookupKey: z.string().min(1),
  unitAmount: z.int().nonnegative(),
  currency: z.string().regex(/^[a-z]{3}$/),
  currencies: z.record(z.string().regex(/^[a-z]{3}$/), z.int().nonnegative()).optional(),
});

const plans = z.array(
  z.object({
    slug: z.string().regex(/^[a-z0-9-]+$/),
    name: z.string().min(1),
    description: z.string().optional(),
    prices: z.object({ month: price.optional(), year: price.optional(), once: price.optional() }).optional(),
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

/** Reads a file of plans or extras, or checks plans that are already parsed. Throws an Error that names the file and the mistake. */
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
 * Fills an empty store with the plans' products and prices and a default portal.
 * Ids are the same at every start: `prod_<account>_<slug>`, `price_<account>_<slug>_<interval>`, `mtr_<account>_<slug>`.
 */
export function seed(state: Store, { plans: configured, account, created }: Seed): void {
  state.portalConfigurations.insert(defaultConfiguration(created));
  for (const plan of configured) {
    if (plan.eventName !== undefined) {
      const names = { event_name: plan.eventName, display_name: plan.name };
      state.meters.insert(seedMeter(`mtr_${account}_${plan.slug}`, names, created));
      continue;
    }
    const product = `prod_${account}_${plan.slug}`;
    const prices: Price[] = [];
    for (const interval of ['month', 'year', 'once'] as const) {
      const configuredPrice = plan.prices?.[interval];
      if (!configuredPrice) continue;
      const seeded = newPrice({
        id: `price_${account}_${plan.slug}_${interval}`,
        created,
        product,
        currency: configuredPrice.currency,
        unit_amount_decimal: String(configuredPrice.unitAmount),
        recurring: interval === 'once' ? null : { interval },
        lookup_key: configuredPrice.lookupKey,
        metadata: { slug: plan.slug },
      });
      prices.push(state.prices.insert(seeded));
      const options = Object.entries(configuredPrice.currencies ?? {});
      const amounts = Object.fromEntries(options.map(([code, amount]) => [code, String(amount)]));
      state.currencyAmounts.insert({ id: seeded.id, amounts });
    }
    const { name, description = null, slug } = plan;
    const default_price = prices[0]?.id ?? null;
    const metadata = { slug };
    state.products.insert(newProduct({ id: product, name, created, default_price, description, metadata }));
  }
}

/** A meter that sums the values of its events. */
function seedMeter(id: string, names: { event_name: string; display_name: string }, created: number): Meter {
  const meter = newMeter({ now: () => created }, { ...names, default_aggregation: { formula: 'sum' } });
  return { ...meter, id };
}
