import type { Backend } from '../../backend.ts';
import type { StoredCheckout } from '../../firestore/documents/checkout.ts';
import type { OneTimePurchase } from '../../firestore/documents/purchase.ts';
import { isPlanAtLeast, planOfLookupKey, type Plan } from '../../settings/plans.ts';
import { withdrawAndExpireCheckout } from '../checkout/stored/withdraw-checkout.service.ts';
import { isMissing, withStripeRefusals } from '../stripe/stripe-errors.ts';

/**
 * After the purchase of a plan, withdraws an open checkout of a subscription to this plan or to a lower plan, and
 * expires its pages. Otherwise the customer could pay twice. From the purchase on, no such checkout begins.
 *
 * @param checkout the checkout of the customer when the purchase was stored
 */
export async function withdrawCoveredCheckout(
  backend: Backend,
  customerId: string,
  { purchase, checkout }: { purchase: OneTimePurchase; checkout: StoredCheckout | undefined },
): Promise<void> {
  const { config } = backend;
  const bought = planOfLookupKey(config.plans, purchase.lookupKey);
  const { status, isAbandoned } = purchase;
  const isBought = status === 'paid' || (status === 'processing' && isAbandoned !== true);
  if (bought === undefined || !isBought || checkout === undefined) return;
  const wanted = await planOfPrice(backend, checkout.priceId);
  if (wanted === undefined || !isPlanAtLeast(config.plans, bought.slug, wanted.slug)) return;
  await withdrawAndExpireCheckout(backend, customerId);
}

/** One call to Stripe. */
async function planOfPrice({ config, stripe }: Backend, priceId: string): Promise<Plan | undefined> {
  const { prices } = await stripe();
  try {
    const { lookup_key: lookupKey } = await withStripeRefusals(() => prices.retrieve(priceId));
    return planOfLookupKey(config.plans, lookupKey);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
