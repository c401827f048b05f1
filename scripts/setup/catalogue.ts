import type { PlansAndExtras } from '../../functions/src/settings/extras.ts';
import { pricedExtras } from '../../functions/src/settings/extras.ts';
import {
  INTERVALS,
  isPaid,
  type Interval,
  type PaidPlan,
  type Price,
} from '../../functions/src/settings/plans.ts';

/** A price that Stripe must have. */
export interface WantedPrice {
  lookupKey: string;
  unitAmount: number;
  currency: string;
  currencies: Readonly<Record<string, number>>;
  /** Undefined for a price that is paid once. */
  interval: Interval | undefined;
  /** Event name of the meter of a price by usage. */
  eventName?: string;
}

/** A product that Stripe must have, with its prices. */
export interface WantedProduct {
  /** Identifies the product at Stripe, in its metadata as `slug`. */
  slug: string;
  name: string;
  description?: string;
  prices: WantedPrice[];
}

/**
 * The products of plans.json and extras.json. Each plan has its own; its seats and each of its meters have another one.
 */
export function wantedProducts({ plans, extras }: PlansAndExtras): WantedProduct[] {
  const eventNames = new Map(extras.meters.map(({ slug, eventName }) => [slug, eventName]));
  const ofPlans = plans.filter(isPaid).flatMap((plan) => [planProduct(plan), ...besides(plan, eventNames)]);
  const ofExtras = pricedExtras(extras).map(({ slug, name, description, prices }) => ({
    slug,
    name,
    description,
    prices: pricesOf(prices),
  }));
  return [...ofPlans, ...ofExtras].filter(({ prices }) => prices.length > 0);
}

function planProduct({ slug, name, description, prices }: PaidPlan): WantedProduct {
  return { slug, name, description, prices: pricesOf(prices) };
}

/** The products of the seats and the meters of a plan. */
function besides({ slug, name, prices }: PaidPlan, eventNames: ReadonlyMap<string, string>): WantedProduct[] {
  const seats: WantedProduct = { slug: `${slug}-seat`, name: `${name} seat`, prices: [] };
  const metered = new Map<string, WantedProduct>();
  for (const interval of INTERVALS) {
    const base = prices[interval];
    if (base?.seat !== undefined) seats.prices.push({ ...base.seat, currency: base.currency, interval });
    for (const { meter, ...price } of base?.metered ?? []) {
      const product = metered.get(meter) ?? {
        slug: `${slug}-${meter}`,
        name: `${name} ${meter}`,
        prices: [],
      };
      const eventName = eventNames.get(meter);
      if (eventName === undefined) throw new Error(`extras.json has no meter ${meter}.`);
      product.prices.push({ ...price, currency: base?.currency ?? '', interval, eventName });
      metered.set(meter, product);
    }
  }
  return [seats, ...metered.values()];
}

function pricesOf(prices: Readonly<Partial<Record<Interval | 'once', Price | undefined>>>): WantedPrice[] {
  return (['month', 'year', 'once'] as const).flatMap((kind) => {
    const price = prices[kind];
    return price === undefined ? [] : [{ ...price, interval: kind === 'once' ? undefined : kind }];
  });
}
