import type { SubscriptionItem } from '../../firestore/documents/subscription.ts';
import { INTERVALS, seatKeys, type Plan } from '../../settings/plans.ts';

/** The line item that bills, or will bill, the members whom a base price does not cover. */
export interface SeatItem {
  /** Undefined if the subscription has no such item yet, because no such member was billed. Then `quantity` is 0. */
  id: string | undefined;
  quantity: number;
  /** Lookup key of the price that the item has, or will have. */
  lookupKey: string;
  /** Members whom the base price covers. */
  included: number;
  planName: string;
}

/**
 * The line item that bills the seats of a plan beside its base price. Undefined if the plan has no such price.
 *
 * @param items of the subscription
 * @param baseKey lookup key of the base price
 */
export function seatItemOf(
  items: readonly SubscriptionItem[],
  plan: Plan,
  baseKey: string | null,
): SeatItem | undefined {
  const base = INTERVALS.map((interval) => plan.prices?.[interval]).find(
    (price) => price?.lookupKey === baseKey,
  );
  if (base?.seat === undefined) return undefined;
  const { lookupKey, included } = base.seat;
  const keys = seatKeys(plan);
  const item = items.find((candidate) => candidate.lookupKey !== null && keys.includes(candidate.lookupKey));
  return { id: item?.id, quantity: item?.quantity ?? 0, lookupKey, included, planName: plan.name };
}

/** The number of members whom a base price does not cover. */
export function seatsToBill(members: number, included: number): number {
  return Math.max(0, members - included);
}
