import type { Firestore, Transaction } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import type { Plan, PlanList } from '../plans.ts';
import { transact } from '../transaction.ts';
import { bestPlan, RUNNING, toDocument, type SubscriptionDocument } from './subscription.ts';

/** Longer than Stripe repeats an event (three days). https://docs.stripe.com/webhooks#automatic-retries */
const EVENT_TTL_MS = 30 * 86_400_000;

/** The plan that a user's own subscriptions give. Reads one document for each running subscription, at least one. */
export async function currentPlan(firestore: Firestore, plans: PlanList, uid: string): Promise<Plan> {
  const running = await firestore
    .collection(`customers/${uid}/subscriptions`)
    .where('status', 'in', ['active', 'trialing'])
    .get();
  return bestPlan(
    running.docs.map((document) => document.data() as SubscriptionDocument),
    plans,
  );
}

/** Whether a user or team is bound by a subscription, as far as Stripe has told us. Reads one document. */
export async function hasRunningSubscription(
  transaction: Transaction,
  firestore: Firestore,
  customerId: string,
): Promise<boolean> {
  const running = firestore
    .collection(`customers/${customerId}/subscriptions`)
    .where('status', 'in', [...RUNNING])
    .limit(1);
  return !(await transaction.get(running)).empty;
}

/** The uid whose Stripe customer this is, if it is one of ours. */
export async function ownerOfCustomer(firestore: Firestore, customerId: string): Promise<string | undefined> {
  const found = await firestore.collection('customers').where('stripeId', '==', customerId).limit(1).get();
  return found.docs[0]?.id;
}

/**
 * Mirrors a subscription and records the event that told of it, if one did, in one transaction.
 *
 * `fetch` runs inside the transaction, which locks the document it has read: of two events at once the later one fetches
 * after the earlier one has written, so that the last state written is the last state seen, in whatever order they come.
 */
export async function mirrorSubscription(
  firestore: Firestore,
  plans: PlanList,
  customerId: string,
  subscriptionId: string,
  fetch: () => Promise<Stripe.Subscription>,
  event?: Stripe.Event,
): Promise<void> {
  const subscriptionRef = firestore.doc(`customers/${customerId}/subscriptions/${subscriptionId}`);
  await transact(firestore, async (transaction) => {
    const eventRef = event && firestore.doc(`stripeEvents/${event.id}`);
    const [, seen] = await transaction.getAll(subscriptionRef, ...(eventRef ? [eventRef] : []));
    if (seen?.exists === true) return;
    const subscription = await fetch();
    transaction.set(subscriptionRef, toDocument(subscription, plans));
    if (event && eventRef) {
      const now = Date.now();
      transaction.create(eventRef, {
        type: event.type,
        processedAt: new Date(now),
        expiresAt: new Date(now + EVENT_TTL_MS),
      });
    }
  });
}
