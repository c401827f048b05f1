/* A change of plan is deleted when it is delivered. Therefore every stored change is undelivered. */
import type { Reads, Tx } from '../../../firestore/db.ts';
import type { PlanChange } from '../../../firestore/documents/plan-change.ts';
import type { Query } from '../../../firestore/query.ts';

/**
 * Records a change of plan, if the two plans differ. Call it in the transaction that stores the new plan. The document
 * is short-lived, because `deliverPlanChange` deletes it.
 */
export function recordIfPlanChanged(tx: Tx, change: PlanChange): void {
  if (change.from !== change.to) tx.planChanges.createAsShortLivedProof(tx.planChanges.newId(), change);
}

/** The undelivered changes that were recorded before a time, the oldest first. */
export function undeliveredPlanChanges(reads: Reads, before: Date): Query<PlanChange> {
  return reads.planChanges.where('at', '<=', before).orderBy('at');
}

/** The undelivered changes of a customer. */
export function planChangesOf(reads: Reads, customerId: string): Query<PlanChange> {
  return reads.planChanges.where('customerId', '==', customerId);
}
