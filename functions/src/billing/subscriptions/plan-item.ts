import type { SubscriptionDocument, SubscriptionItem } from '../../firestore/documents/subscription.ts';
import { findPlan, planOfLookupKey, type Plan, type PlanList } from '../../settings/plans.ts';
import { seatItemOf, type SeatItem } from './seat-item.ts';
import { isRunning } from './status.ts';

/**
 * The fields that decide which plan a subscription is for. `role` is the Stripe extension's name for the slug of the
 * plan.
 */
export type PlanFields = Pick<SubscriptionDocument, 'role'> & { items: readonly KeyedItem[] };

type KeyedItem = Pick<SubscriptionItem, 'lookupKey'>;

/**
 * The best plan that the items of a subscription pay for, by their lookup keys. If no item has a key of a plan, the
 * stored slug (`role`) decides. The keys come first, because the slug of a plan can change. Undefined if the
 * subscription is for none of the plans.
 */
export function planOfSubscription({ items, role }: PlanFields, plans: PlanList): Plan | undefined {
  return planOfItems(items, plans) ?? (role === null ? undefined : findPlan(plans, role));
}

/** The best plan that line items pay for. */
export function planOfItems(items: readonly KeyedItem[], plans: PlanList): Plan | undefined {
  return highestPlan(
    items.map(({ lookupKey }) => planOfLookupKey(plans, lookupKey)),
    plans,
  );
}

/** The highest of some plans. Undefined if there is none. */
export function highestPlan(candidates: readonly (Plan | undefined)[], plans: PlanList): Plan | undefined {
  return plans.findLast((plan) => candidates.includes(plan));
}

/** The line item that pays for a plan. */
export interface PlanItem {
  id: string;
  quantity: number;
  /** Whether a team pays the price of this item for each member. */
  perSeat: boolean;
  /** Bills the seats beside a base price. Undefined for a plan without a base price. */
  seatItem: SeatItem | undefined;
}

/** True if a team pays for its members: for each of them, or for those whom a base price does not cover. */
export function isBilledPerSeat(item: Pick<PlanItem, 'perSeat' | 'seatItem'>): boolean {
  return item.perSeat || item.seatItem !== undefined;
}

/** The line item that pays for the best plan. Undefined if the subscription has ended or no item pays for a plan. */
export function planItemOf(
  { status, items }: Pick<SubscriptionDocument, 'status' | 'items'>,
  plans: PlanList,
): PlanItem | undefined {
  const best = isRunning({ status }) ? planAndItemOf(items, plans) : undefined;
  if (best === undefined) return undefined;
  const { item, plan } = best;
  return {
    id: item.id,
    quantity: item.quantity,
    perSeat: plan.perSeat === true,
    seatItem: seatItemOf(items, plan, item.lookupKey),
  };
}

/** The line item that pays for the best plan, and that plan. Undefined if no item pays for a plan. */
export function planAndItemOf<Item extends KeyedItem>(
  items: readonly Item[],
  plans: PlanList,
): { item: Item; plan: Plan } | undefined {
  const plan = planOfItems(items, plans);
  const item = plan && items.find(({ lookupKey }) => planOfLookupKey(plans, lookupKey) === plan);
  return item && { item, plan };
}
