import type { CollectionReference, Firestore, Query, Transaction } from 'firebase-admin/firestore';
import { collectionOf } from '../documents.ts';
import type { Plan, PlanList } from '../plans.ts';
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
export async function currentPlan(
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

/** Whether a user or team is bound by a subscription, as far as Stripe has told us. Reads one document. */
export async function hasRunningSubscription(
  transaction: Transaction,
  firestore: Firestore,
  customerId: string,
): Promise<boolean> {
  return !(await transaction.get(runningSubscriptions(firestore, customerId).limit(1))).empty;
}
