import type { Reads, Tx } from '../firestore/db.ts';
import type { PlanChange } from '../firestore/documents/plan-change.ts';
import type { Query } from '../firestore/query.ts';

/**
 * Records a change of plan in the transaction that stores the new plan. The change is delivered if and only if this
 * transaction commits.
 */
export function recordPlanChange(tx: Tx, change: PlanChange): void {
  if (change.from !== change.to) tx.planChanges.create(tx.planChanges.newId(), change);
}

/** Changes that were recorded before a time and are not delivered yet, the oldest first. */
export function undeliveredPlanChanges(reads: Reads, before: Date): Query<PlanChange> {
  return reads.planChanges.where('at', '<=', before).orderBy('at');
}

/** Changes of one customer that are not delivered yet. */
export function planChangesOf(reads: Reads, customerId: string): Query<PlanChange> {
  return reads.planChanges.where('customerId', '==', customerId);
}
