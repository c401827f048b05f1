import type { Reads } from '../../../firestore/db.ts';
import type { CustomerDocument } from '../../../firestore/documents/customer.ts';

/**
 * The owned plans of a customer whose document is gone, from the paid purchases. Without them the customer would lose a
 * plan that was paid once. Reads one document for each paid purchase, at least one.
 */
export async function ownedPlansOfPurchases(
  reads: Reads,
  customerId: string,
): Promise<Pick<CustomerDocument, 'ownedPlans'>> {
  const paid = await reads.purchases(customerId).where('status', '==', 'paid').findIntact();
  const plans = paid.filter(({ data }) => data.credits === null);
  if (plans.length === 0) return {};
  return { ownedPlans: Object.fromEntries(plans.map(({ id, data }) => [id, data.lookupKey])) };
}
