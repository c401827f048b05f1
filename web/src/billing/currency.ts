import type { Plan } from '@hearth/client';

interface Price {
  unitAmount: number;
  currency: string;
  currencies: Readonly<Record<string, number>>;
}

/** The currencies that prices have, the usual one of each plan first. */
export function currenciesOf(plans: readonly Pick<Plan, 'prices'>[]): string[] {
  const prices = plans.flatMap((plan) => Object.values<Price | null>(plan.prices ?? {}).filter(isSold));
  return [...new Set([...prices.map(({ currency }) => currency), ...prices.flatMap(furtherOf)])];
}

const isSold = (price: Price | null) => price !== null;

const furtherOf = ({ currencies }: Price) => Object.keys(currencies);

/** The amount of a price in the wanted currency, or in its usual one if it has no such amount. */
export function amountIn(
  { unitAmount, currency, currencies }: Price,
  wanted: string | undefined,
): { unitAmount: number; currency: string } {
  const amount = wanted === undefined ? undefined : currencies[wanted];
  return wanted === undefined || amount === undefined
    ? { unitAmount, currency }
    : { unitAmount: amount, currency: wanted };
}
