import type Stripe from 'stripe';
import { logFault } from '../../common/log.ts';
import { refusal } from '../../refusals/refusals.ts';

/** https://docs.stripe.com/api/prices/list#list_prices-lookup_keys */
const MAX_KEYS_PER_CALL = 10;

export interface WantedPrice {
  /** Name of the plan or extra, for messages. */
  name: string;
  lookupKey: string;
}

/**
 * One call to Stripe.
 *
 * @throws Refusal `price_not_available` as `withPriceIds`
 */
export async function requirePriceId(stripe: Stripe, wanted: WantedPrice): Promise<string> {
  const [{ priceId }] = await withPriceIds(stripe, [wanted]);
  return priceId;
}

type WithPriceIds<Wanted extends readonly WantedPrice[]> = {
  [Index in keyof Wanted]: Wanted[Index] & { priceId: string };
};

/**
 * Adds the ids of the active Stripe prices with the lookup keys. One call to Stripe for every ten keys.
 *
 * If a product was archived, its prices stay active, and Stripe refuses to sell them.
 * https://github.com/stripe/stripe-node/issues/2131
 *
 * @throws Refusal `price_not_available` if one of the lookup keys belongs to no active price of an active product
 */
export async function withPriceIds<const Wanted extends readonly WantedPrice[]>(
  stripe: Stripe,
  wanted: Wanted,
): Promise<WithPriceIds<Wanted>> {
  const ids = new Map<string | null, string>();
  for (let from = 0; from < wanted.length; from += MAX_KEYS_PER_CALL) {
    const keys = wanted.slice(from, from + MAX_KEYS_PER_CALL).map(({ lookupKey }) => lookupKey);
    const prices = await stripe.prices.list({
      lookup_keys: keys,
      active: true,
      limit: keys.length,
      expand: ['data.product'],
    });
    for (const { id, lookup_key: key, product } of prices.data) if (isOnSale(product)) ids.set(key, id);
  }
  const found = wanted.map((price) => ({
    ...price,
    priceId: ids.get(price.lookupKey) ?? throwNotAvailable(price),
  }));
  return found as WithPriceIds<Wanted>;
}

/** @param product expanded */
function isOnSale(product: Stripe.Price['product']): boolean {
  return typeof product === 'string' || (!product.deleted && product.active);
}

function throwNotAvailable({ name, lookupKey }: WantedPrice): never {
  const cause = new Error(
    `Stripe has no active price of an active product with the lookup key ${lookupKey}.`,
  );
  logFault('Stripe has no active price for something on sale', { name, lookupKey }, cause);
  throw refusal('price_not_available', { name }, { cause });
}
