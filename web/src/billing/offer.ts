import type { Plan } from '@hearth/client';

type Price = NonNullable<NonNullable<Plan['prices']>['month']>;

/** A price of a plan. */
export interface Offer {
  /** Undefined for a price that is paid once. */
  interval: 'month' | 'year' | undefined;
  price: Price;
}

/** The price of a plan for an interval, or the one that the plan is sold for. Undefined for the free plan. */
export function offerOf({ prices }: Pick<Plan, 'prices'>, wanted: 'month' | 'year'): Offer | undefined {
  if (prices === null) return undefined;
  for (const interval of [wanted, 'month', 'year'] as const) {
    const price = prices[interval];
    if (price !== null) return { interval, price };
  }
  return prices.once === null ? undefined : { interval: undefined, price: prices.once };
}
