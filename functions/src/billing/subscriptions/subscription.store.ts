import type { Reads } from '../../firestore/db.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import type { Query } from '../../firestore/query.ts';
import type { PlansAndExtras } from '../../settings/extras.ts';
import { hasOneTimePrices } from '../../settings/plans.ts';
import { holdingOf, ownedPlansOf, type Holding } from './holding.ts';
import { GRANTED, MAY_BE_ENTITLING, RUNNING } from './status.ts';

export function runningSubscriptions(reads: Reads, customerId: string): Query<SubscriptionDocument> {
  return reads.subscriptions(customerId).where('status', 'in', [...RUNNING]);
}

/** Also finds a damaged copy, if its status is intact. Reads at most one document. */
export async function hasRunningSubscription(reads: Reads, customerId: string): Promise<boolean> {
  return !(await runningSubscriptions(reads, customerId).isEmpty());
}

export function runningAndGrantedSubscriptions(
  reads: Reads,
  customerId: string,
): Query<SubscriptionDocument> {
  return reads.subscriptions(customerId).where('status', 'in', [...RUNNING, GRANTED]);
}

/**
 * The plan and the add-ons of a user. Reads one document for each subscription or granted plan that can be entitling.
 * An empty result costs one read. Reads the customer too, if plans are sold by one-time purchases.
 */
export async function readHoldingOfUser(
  reads: Reads,
  plansAndExtras: PlansAndExtras,
  uid: string,
  now: Date,
): Promise<Holding> {
  const { plans } = plansAndExtras;
  const mayBeEntitling = reads.subscriptions(uid).where('status', 'in', [...MAY_BE_ENTITLING]);
  const [subscriptions, customers] = await Promise.all([
    mayBeEntitling.findIntact(),
    hasOneTimePrices(plans) ? reads.customers.getIntact([uid]) : undefined,
  ]);
  const owned = ownedPlansOf(customers?.get(uid) ?? {}, plans);
  return holdingOf(
    subscriptions.map(({ data }) => data),
    plansAndExtras,
    now,
    owned,
  );
}
