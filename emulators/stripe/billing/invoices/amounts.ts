import type { Price } from '../../objects.ts';
import type { World } from '../../world.ts';

/** Whether a price is billed by the usage that a meter counts. Its items have no quantity. */
export function isMetered({ recurring }: Pick<Price, 'recurring'>): boolean {
  return recurring?.usage_type === 'metered';
}

/** Whether a price can be charged in a currency: its own, or one of its currency options. */
export function sellsIn({ state }: World, price: Price, currency: string): boolean {
  return price.currency === currency || state.currencyAmounts.get(price.id)?.amounts[currency] !== undefined;
}

/** The amount for one unit in the smallest unit of a currency that the price sells in, as text. */
export function unitAmount({ state }: World, price: Price, currency: string): string {
  if (currency === price.currency) return price.unit_amount_decimal;
  const amount = state.currencyAmounts.get(price.id)?.amounts[currency];
  if (amount === undefined) throw new Error(`The price ${price.id} has no amount in ${currency}`);
  return amount;
}

/** The amount for a quantity in the smallest unit of a currency. Nothing is due in advance for a metered price. */
export function amountOf(
  world: World,
  price: Price,
  quantity: number | null | undefined,
  currency: string,
): number {
  return Math.round(Number(unitAmount(world, price, currency)) * (quantity ?? 0));
}
