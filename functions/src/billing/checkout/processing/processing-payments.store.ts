import type { Reads, Tx } from '../../../firestore/db.ts';
import type { OneTimePurchase } from '../../../firestore/documents/purchase.ts';
import type { Found } from '../../../firestore/query.ts';
import { refusal } from '../../../refusals/refusals.ts';
import {
  hasOneTimePrices,
  isPlanAtLeast,
  planOfLookupKey,
  type Plan,
  type PlanList,
} from '../../../settings/plans.ts';

/**
 * Checks that the payment of a one-time purchase of this plan, or of a higher plan, is not on its way. Reads one
 * document for each such payment, at least one. Reads nothing if no plan is sold by one-time purchases.
 *
 * @throws Refusal `payment_processing`
 */
export async function requireNoPaymentProcessing(
  tx: Tx,
  plans: PlanList,
  customerId: string,
  plan: Plan,
): Promise<void> {
  if (!hasOneTimePrices(plans)) return;
  if ((await processingPurchases(tx, plans, customerId, plan)).length > 0)
    throw refusal('payment_processing');
}

/** The one-time purchases of this plan, or of a higher plan, whose money is on its way. */
export async function processingPurchases(
  reads: Reads,
  plans: PlanList,
  customerId: string,
  plan: Plan,
): Promise<Found<OneTimePurchase>[]> {
  const processing = await reads.purchases(customerId).where('status', '==', 'processing').findIntact();
  return processing.filter(({ data: { lookupKey, isAbandoned } }) => {
    const paid = isAbandoned ? undefined : planOfLookupKey(plans, lookupKey);
    return paid !== undefined && isPlanAtLeast(plans, paid.slug, plan.slug);
  });
}
