import type { CollectionReference, Firestore, Query } from 'firebase-admin/firestore';
import { collectionOf } from '../../firestore/documents.ts';
import type { Reads } from '../../firestore/db.ts';
import type { Plan, PlanList } from '../../settings/plans.ts';
import { bestPlan, ENTITLING, holdingOf, RUNNING, type SubscriptionDocument } from './subscription.ts';

export function subscriptionsRef(
  firestore: Firestore,
  customerId: string,
): CollectionReference<SubscriptionDocument> {
  return collectionOf<SubscriptionDocument>(firestore, `customers/${customerId}/subscriptions`);
}

export function runningSubscriptions(firestore: Firestore, customerId: string): Query<SubscriptionDocument> {
  return subscriptionsRef(firestore, customerId).where('status', 'in', [...RUNNING]);
}

/** The plan that a user's own subscriptions give. Reads one document for each running subscription, at least one. */
export async function currentPlanLegacy(
  firestore: Firestore,
  plans: PlanList,
  uid: string,
  now: Date,
): Promise<Plan> {
  const entitling = await subscriptionsRef(firestore, uid).where('status', 'in', ENTITLING).get();
  return bestPlan(
    entitling.docs.map((document) => holdingOf(document.data())),
    plans,
    now,
  );
}

/** The plan that a user's own subscriptions give. Reads one document for each running subscription, at least one. */
export async function currentPlan(reads: Reads, plans: PlanList, uid: string, now: Date): Promise<Plan> {
  const entitling = await reads.subscriptions(uid).where('status', 'in', ENTITLING).find();
  return bestPlan(
    entitling.map(({ data }) => data),
    plans,
    now,
  );
}
