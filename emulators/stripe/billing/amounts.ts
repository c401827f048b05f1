import type { Price } from '../state.ts';

/** Whether a price is billed by the usage that a meter counts. Its items have no quantity. */
export function isMetered({ recurring }: Pick<Price, 'recurring'>): boolean {
  return recurring?.usage_type === 'metered';
}

/** The amount for a quantity in the currency's smallest unit. Nothing is due in advance for a metered price. */
export function amountOf(price: Price, quantity: number | null | undefined): number {
  return Math.round(Number(price.unit_amount_decimal) * (quantity ?? 0));
}
