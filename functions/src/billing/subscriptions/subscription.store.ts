import type { Reads } from '../../firestore/db.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import type { Query } from '../../firestore/query.ts';
import type { PlansAndExtras } from '../../settings/extras.ts';
import { holdingOf, ownedPlansOf, type Holding } from './holding.ts';
import type { PlanItem } from './plan-item.ts';
import { seatsToBill } from './plan-item.ts';
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

/** The present and the wanted quantity of the line item that the seat sync corrects. */
export interface QuantityComparison {
  /** The present quantity; 0 if the subscription has no line item for the seats yet. */
  quantity: number;
  wanted: number;
}

/**
 * The quantity that a team is billed for. The price of the plan decides which line item has it:
 *
 * - Base price: the seat item.
 * - Price per seat: the plan item.
 * - Flat price: the plan item, with the wanted quantity 1. The present quantity can be higher, because Stripe's portal
 *   keeps the quantity when a customer changes from a price per seat.
 *
 * Reads one document for each 1,000 members, none for a flat price.
 */
export async function compareQuantity(
  reads: Reads,
  teamId: string,
  { quantity, perSeat, seatBilling }: PlanItem,
): Promise<QuantityComparison> {
  if (seatBilling === undefined)
    return { quantity, wanted: perSeat ? await reads.members(teamId).count() : 1 };
  const members = await reads.members(teamId).count();
  return { quantity: seatBilling.quantity, wanted: seatsToBill(members, seatBilling.included) };
}

export async function hasWrongQuantity(reads: Reads, teamId: string, item: PlanItem): Promise<boolean> {
  const { quantity, wanted } = await compareQuantity(reads, teamId, item);
  return quantity !== wanted;
}

/**
 * The plan and the add-ons of a user. Reads one document for each subscription or granted plan that can be entitling.
 * An empty result costs one read. Reads the customer too, if plans are sold by one-time purchases.
 */
export async function currentHolding(
  reads: Reads,
  plansAndExtras: PlansAndExtras,
  uid: string,
  now: Date,
): Promise<Holding> {
  const { plans } = plansAndExtras;
  const isSoldOnce = plans.some(({ prices }) => prices?.once !== undefined);
  const entitling = reads.subscriptions(uid).where('status', 'in', [...MAY_BE_ENTITLING]);
  const [subscriptions, customers] = await Promise.all([
    entitling.findIntact(),
    isSoldOnce ? reads.customers.getIntact([uid]) : undefined,
  ]);
  const owned = ownedPlansOf(customers?.get(uid) ?? {}, plans);
  return holdingOf(
    subscriptions.map(({ data }) => data),
    plansAndExtras,
    now,
    owned,
  );
}
