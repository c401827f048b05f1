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
 * @throws Refusal `price_not_available` if no active price has the lookup key
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
 * @throws Refusal `price_not_available` if one of the lookup keys belongs to no active price
 */
export async function withPriceIds<const Wanted extends readonly WantedPrice[]>(
  stripe: Stripe,
  wanted: Wanted,
): Promise<WithPriceIds<Wanted>> {
  const ids = new Map<string | null, string>();
  for (let from = 0; from < wanted.length; from += MAX_KEYS_PER_CALL) {
    const keys = wanted.slice(from, from + MAX_KEYS_PER_CALL).map(({ lookupKey }) => lookupKey);
    const prices = await stripe.prices.list({ lookup_keys: keys, active: true, limit: keys.length });
    for (const price of prices.data) ids.set(price.lookup_key, price.id);
  }
  const found = wanted.map((price) => ({
    ...price,
    priceId: ids.get(price.lookupKey) ?? throwNotAvailable(price),
  }));
  return found as WithPriceIds<Wanted>;
}

function throwNotAvailable({ name, lookupKey }: WantedPrice): never {
  const cause = new Error(`Stripe has no active price with the lookup key ${lookupKey}.`);
  logFault('Stripe has no active price for something on sale', { name, lookupKey }, cause);
  throw refusal('price_not_available', { name }, { cause });
}
