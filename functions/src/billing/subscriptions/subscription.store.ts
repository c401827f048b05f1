import type { Firestore } from 'firebase-admin/firestore';
import { withDates } from '../../firestore/convert.ts';
import type { Reads } from '../../firestore/db.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import type { Query } from '../../firestore/query.ts';
import type { Plan, PlanList } from '../../settings/plans.ts';
import { bestPlan, ENTITLING, RUNNING } from './subscription.ts';

/** The subscriptions that still bind a user or team. */
export function runningSubscriptions(reads: Reads, customerId: string): Query<SubscriptionDocument> {
  return reads.subscriptions(customerId).where('status', 'in', [...RUNNING]);
}

/** The plan that a user's own subscriptions give. Reads one document for each running subscription, at least one. */
export async function currentPlan(reads: Reads, plans: PlanList, uid: string, now: Date): Promise<Plan> {
  const entitling = await reads
    .subscriptions(uid)
    .where('status', 'in', [...ENTITLING])
    .find();
  return bestPlan(
    entitling.map(({ data }) => data),
    plans,
    now,
  );
}

/** `currentPlan` for callers that have the client. */
export async function currentPlanLegacy(
  firestore: Firestore,
  plans: PlanList,
  uid: string,
  now: Date,
): Promise<Plan> {
  const subscriptions = firestore.collection(`customers/${uid}/subscriptions`);
  const { docs } = await subscriptions.where('status', 'in', [...ENTITLING]).get();
  return bestPlan(
    docs.map((document) => withDates(document.data()) as SubscriptionDocument),
    plans,
    now,
  );
}
