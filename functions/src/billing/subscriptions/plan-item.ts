import type { SubscriptionDocument, SubscriptionItem } from '../../firestore/documents/subscription.ts';
import {
  findPlan,
  INTERVALS,
  planOfLookupKey,
  seatLookupKeys,
  type Plan,
  type PlanList,
} from '../../settings/plans.ts';
import { isRunning } from './status.ts';

/*
 * Four functions find the plan of a subscription or of its line items:
 *
 * | function | result | if no line item pays for a plan |
 * | --- | --- | --- |
 * | `planOfSubscription` | the plan | the plan with the stored slug |
 * | `findPlanOfItems` | the plan and its line item | undefined |
 * | `findPlanItem` | a `PlanItem`: the line item, and how its price depends on the members | undefined |
 * | `planItemIfRunning` | the same, for a running subscription only | undefined |
 */

/** The fields that decide which plan a subscription is for. `role` is the stored slug of the plan. */
export type PlanFields = Pick<SubscriptionDocument, 'role'> & { items: readonly KeyedItem[] };

type KeyedItem = Pick<SubscriptionItem, 'lookupKey'>;

/**
 * The plan of a subscription: the plan that its line items pay for. If they pay for no plan, the plan with the stored
 * slug. The line items decide first, because the slug of a plan can change.
 */
export function planOfSubscription({ items, role: planSlug }: PlanFields, plans: PlanList): Plan | undefined {
  const paidPlan = findPlanOfItems(items, plans)?.plan;
  return paidPlan ?? (planSlug === null ? undefined : findPlan(plans, planSlug));
}

/** The highest plan that line items pay for, and the line item that pays for this plan. Their lookup keys decide. */
export function findPlanOfItems<Item extends KeyedItem>(
  items: readonly Item[],
  plans: PlanList,
): { item: Item; plan: Plan } | undefined {
  const planOf = ({ lookupKey }: Item) => planOfLookupKey(plans, lookupKey);
  const plan = highestPlan(items.map(planOf), plans);
  const item = plan && items.find((candidate) => planOf(candidate) === plan);
  return item && { item, plan };
}

export function highestPlan(candidates: readonly (Plan | undefined)[], plans: PlanList): Plan | undefined {
  return plans.findLast((plan) => candidates.includes(plan));
}

/** The line item that pays for a plan. */
export interface PlanItem {
  id: string;
  quantity: number;
  pricing: Pricing;
}

/**
 * How the price of a plan depends on the members of a team:
 *
 * - `flat`: not at all.
 * - `per-seat`: the team pays the price once for each member.
 * - `base-price`: the plan item pays for some members, and the seat item for the others.
 */
export type Pricing = { kind: 'flat' } | { kind: 'per-seat' } | { kind: 'base-price'; seatItem: SeatItem };

/** The line item that pays for the highest plan. Undefined if the subscription is not running or pays for no plan. */
export function planItemIfRunning(
  { status, items }: Pick<SubscriptionDocument, 'status' | 'items'>,
  plans: PlanList,
): PlanItem | undefined {
  return isRunning({ status }) ? findPlanItem(items, plans) : undefined;
}

/** The line item that pays for the highest plan. Undefined if the line items pay for no plan. */
export function findPlanItem(items: readonly SubscriptionItem[], plans: PlanList): PlanItem | undefined {
  const found = findPlanOfItems(items, plans);
  if (found === undefined) return undefined;
  const { item, plan } = found;
  return {
    id: item.id,
    quantity: item.quantity,
    pricing: pricingOf(items, plan, item.lookupKey),
  };
}

function pricingOf(items: readonly SubscriptionItem[], plan: Plan, planLookupKey: string | null): Pricing {
  if (plan.perSeat === true) return { kind: 'per-seat' };
  const seatItem = seatItemOf(items, plan, planLookupKey);
  return seatItem === undefined ? { kind: 'flat' } : { kind: 'base-price', seatItem };
}

/** The line item that pays for the members whom a base price does not cover. */
export interface SeatItem {
  /** Undefined if the subscription does not have the line item yet. */
  id: string | undefined;
  quantity: number;
  lookupKey: string;
  /** Members whom the base price covers. */
  included: number;
  planName: string;
}

/**
 * @param planLookupKey lookup key of the line item that pays for the plan
 * @returns undefined if the plan has no price per seat beside its base price
 */
export function seatItemOf(
  items: readonly SubscriptionItem[],
  plan: Plan,
  planLookupKey: string | null,
): SeatItem | undefined {
  const paidPrice = INTERVALS.map((interval) => plan.prices?.[interval]).find(
    (price) => price?.lookupKey === planLookupKey,
  );
  if (paidPrice?.seat === undefined) return undefined;
  const { lookupKey, included } = paidPrice.seat;
  // The present seat item may still have the price of the other interval.
  const seatKeysOfAllIntervals = seatLookupKeys(plan);
  const item = items.find(({ lookupKey: key }) => key !== null && seatKeysOfAllIntervals.includes(key));
  return { id: item?.id, quantity: item?.quantity ?? 0, lookupKey, included, planName: plan.name };
}

/** The number of members whom a base price does not cover. */
export function seatsToBill(members: number, included: number): number {
  return Math.max(0, members - included);
}
