import type { SubscriptionItem, SubscriptionWithId } from '../../../firestore/documents/subscription.ts';
import type { PlansAndExtras } from '../../../settings/extras.ts';
import {
  INTERVALS,
  meteredPricesOf,
  type IntervalPrice,
  type Plan,
  type PlanList,
  type SubjectType,
} from '../../../settings/plans.ts';
import { unknownItems } from '../add-on-items.ts';
import { findPlanOfItems, planItemIfRunning } from '../plan-item.ts';
import { isEnding } from '../status.ts';
import { willBeCharged } from './overlap.ts';

/** A problem that an operator must solve. */
interface Problem {
  message: string;
  advice: string;
  ids: readonly string[];
}

/** A customer with the running subscriptions. */
interface CustomerWithCopies {
  type: SubjectType;
  runningCopies: readonly SubscriptionWithId[];
}

/** Finds the problems of a subscription, and whether the customer pays for two plans. */
export function findProblems(
  { type, runningCopies }: CustomerWithCopies,
  syncedId: string,
  plansAndExtras: PlansAndExtras,
): Problem[] {
  const { plans } = plansAndExtras;
  const charged = runningCopies.filter(({ data }) => willBeCharged(data));
  const synced = charged.find(({ id }) => id === syncedId);
  if (synced === undefined) return [];
  const { items } = synced.data;
  const found = findPlanOfItems(items, plans);
  if (found === undefined) {
    const message = 'A subscription has no price of a configured plan';
    return [{ message, advice: 'Give its price a lookup key of plans.json.', ids: [syncedId] }];
  }
  const ofSubscription = [...wrongSubject(found.plan, type), ...unbilledUsage(items, found, plansAndExtras)];
  return [...ofSubscription.map((problem) => ({ ...problem, ids: [syncedId] })), ...twoPlans(charged, plans)];
}

type ProblemOfItems = Omit<Problem, 'ids'>;

/** The plan of a subscription, and the line item that pays for it. */
interface PlanOfItems {
  plan: Plan;
  item: SubscriptionItem;
}

function wrongSubject(plan: Plan, type: SubjectType): ProblemOfItems[] {
  if (plan.for.includes(type)) return [];
  return [
    {
      message: 'A subscription gives a plan that is not for its customer',
      advice: `The plan ${plan.slug} is not for a ${type}. Change the plan of the subscription.`,
    },
  ];
}

/**
 * The plan has a price by usage, and no line item bills that meter. Example: the plan was changed in Stripe's
 * dashboard, which does not add the line item.
 *
 * No problem if a line item has a price that is not configured: that price may bill the usage of this one customer.
 */
function unbilledUsage(
  items: readonly SubscriptionItem[],
  found: PlanOfItems,
  plansAndExtras: PlansAndExtras,
): ProblemOfItems[] {
  if (unknownItems(items, plansAndExtras).length > 0) return [];
  const keys = items.map(({ lookupKey }) => lookupKey);
  const billed = plansAndExtras.plans
    .flatMap(meteredPricesOf)
    .filter(({ lookupKey }) => keys.includes(lookupKey))
    .map(({ meter }) => meter);
  const missing = pricesByUsage(found)
    .filter(({ meter }) => !billed.includes(meter))
    .map(({ lookupKey }) => lookupKey);
  if (missing.length === 0) return [];
  return [
    {
      message: 'A subscription does not bill the usage of its plan',
      advice: `Add a line item with the price ${missing.join(', ')}.`,
    },
  ];
}

/** The prices by usage that belong to the base price of a subscription. */
function pricesByUsage({ plan, item }: PlanOfItems): IntervalPrice['metered'] {
  const prices = INTERVALS.map((interval) => plan.prices?.[interval]);
  return prices.find((price) => price?.lookupKey === item.lookupKey)?.metered ?? [];
}

function twoPlans(charged: readonly SubscriptionWithId[], plans: PlanList): Problem[] {
  // An ending subscription is no problem: it ends by itself.
  const withPlan = charged.filter(
    ({ data }) => planItemIfRunning(data, plans) !== undefined && !isEnding(data),
  );
  if (withPlan.length < 2) return [];
  return [
    {
      message: 'A customer pays for two plans',
      advice: 'End one, and refund it.',
      ids: withPlan.map(({ id }) => id),
    },
  ];
}
