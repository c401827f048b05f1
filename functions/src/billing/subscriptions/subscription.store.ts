import type { Reads } from '../../firestore/db.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import type { Query } from '../../firestore/query.ts';
import type { Plan, PlanList } from '../../settings/plans.ts';
import { bestPlan, MAY_BE_ENTITLING, ownedPlansOf, RUNNING, type PlanItem } from './subscription.ts';

/** The subscriptions that still bind a user or team. */
export function runningSubscriptions(reads: Reads, customerId: string): Query<SubscriptionDocument> {
  return reads.subscriptions(customerId).where('status', 'in', [...RUNNING]);
}

/**
 * The quantity that a team should be billed for: its members, or 1 for a flat price. A change of plan in Stripe's portal
 * keeps the quantity of the plan before. Reads one document for each 1,000 members, none for a flat price.
 */
export async function billedQuantity(reads: Reads, teamId: string, { perSeat }: PlanItem): Promise<number> {
  return perSeat ? reads.members(teamId).count() : 1;
}

/** Whether a team is billed for a wrong quantity. */
export async function hasWrongQuantity(reads: Reads, teamId: string, item: PlanItem): Promise<boolean> {
  return item.quantity !== (await billedQuantity(reads, teamId, item));
}

/**
 * The plan that a user has by their own subscriptions, or by a one-time purchase. Reads one document for each
 * subscription that is active, trialing or past due, at least one; and the customer, if plans are sold for one payment.
 */
export async function currentPlan(reads: Reads, plans: PlanList, uid: string, now: Date): Promise<Plan> {
  const isSoldOnce = plans.some(({ prices }) => prices?.once !== undefined);
  const entitling = reads.subscriptions(uid).where('status', 'in', [...MAY_BE_ENTITLING]);
  const [subscriptions, customers] = await Promise.all([
    entitling.findIntact(),
    isSoldOnce ? reads.customers.getIntact([uid]) : undefined,
  ]);
  const owned = ownedPlansOf(customers?.get(uid) ?? {}, plans);
  return bestPlan(
    subscriptions.map(({ data }) => data),
    plans,
    now,
    owned,
  );
}
