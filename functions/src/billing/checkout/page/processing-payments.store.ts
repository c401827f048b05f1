import type { Tx } from '../../../firestore/db.ts';
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
  const processing = await tx.purchases(customerId).where('status', '==', 'processing').findIntact();
  for (const { data: purchase } of processing) {
    const paid = planOfLookupKey(plans, purchase.lookupKey);
    if (paid && isPlanAtLeast(plans, paid.slug, plan.slug)) throw refusal('payment_processing');
  }
}
