import type { Plan } from '@hearth/client';

type Prices = NonNullable<Plan['prices']>;
type Price = NonNullable<Prices['once']>;
type SeatPrice = NonNullable<Prices['month']>['seat'];

/** A price of a plan. */
export interface Offer {
  /** Undefined for a price that is paid once. */
  interval: 'month' | 'year' | undefined;
  price: Price;
  /** The price of each member whom the base price does not cover; null if there is none. */
  seat: SeatPrice;
}

/** The price of a plan for an interval, or the one that the plan is sold for. Undefined for the free plan. */
export function offerOf({ prices }: Pick<Plan, 'prices'>, wanted: 'month' | 'year'): Offer | undefined {
  if (prices === null) return undefined;
  for (const interval of [wanted, 'month', 'year'] as const) {
    const price = prices[interval];
    if (price !== null) return { interval, price, seat: price.seat };
  }
  return prices.once === null ? undefined : { interval: undefined, price: prices.once, seat: null };
}
