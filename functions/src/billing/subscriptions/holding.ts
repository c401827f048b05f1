import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import type { AddOnQuantities, PlansAndExtras } from '../../settings/extras.ts';
import {
  findPlan,
  freePlan,
  planOfLookupKey,
  planOrFree,
  type Plan,
  type PlanList,
} from '../../settings/plans.ts';
import { addOnsOf } from './add-on-items.ts';
import { highestPlan, planOfSubscription, type PlanFields } from './plan-item.ts';
import { isEntitling, type EntitlingFields } from './status.ts';

/** The fields that decide whether a subscription gives a plan now, and which. */
type PlanState = PlanFields & EntitlingFields;

/**
 * The best plan of the entitling subscriptions and the one-time purchases. If there is none, the free plan.
 *
 * @param owned the plans that were bought by one-time purchases
 */
export function heldPlan(
  subscriptions: readonly PlanState[],
  plans: PlanList,
  now: Date,
  owned: readonly Plan[] = [],
): Plan {
  const given = subscriptions
    .filter((subscription) => isEntitling(subscription, now))
    .map((subscription) => planOfSubscription(subscription, plans));
  return highestPlan([...given, ...owned], plans) ?? freePlan(plans);
}

/** The plan and the add-ons of a customer. */
export interface Holding {
  plan: Plan;
  addOns: AddOnQuantities;
}

/**
 * The best plan of a customer's entitling subscriptions and one-time purchases, and the add-ons of these subscriptions.
 */
export function holdingOf(
  subscriptions: readonly (PlanState & Pick<SubscriptionDocument, 'items'>)[],
  { plans, extras }: PlansAndExtras,
  now: Date,
  owned: readonly Plan[] = [],
): Holding {
  const items = subscriptions
    .filter((subscription) => isEntitling(subscription, now))
    .flatMap((subscription) => subscription.items);
  return { plan: heldPlan(subscriptions, plans, now, owned), addOns: addOnsOf(items, { extras }) };
}

/** The plan, the add-ons and Stripe's entitlements that the document of a customer names. */
export interface ClaimsInput {
  planSlug: string;
  addOns?: AddOnQuantities | undefined;
  /**
   * Undefined if Stripe has never given the customer an entitlement. Then the claim `entitlements` belongs to other
   * programs, and `syncClaims` does not touch it.
   */
  entitlements?: readonly string[] | undefined;
}

/** Reads the holding from the document of a customer. Without a document, the plan is the free plan. */
export function claimsInputOf(
  plans: PlanList,
  customer: Pick<CustomerDocument, 'plan' | 'addOns' | 'entitlements'> | undefined,
): ClaimsInput {
  const { plan, addOns, entitlements } = customer ?? {};
  return { planSlug: planOrFree(plans, plan).slug, addOns, entitlements };
}

/**
 * The slug of the plan that the document of a customer names. A plan that was removed from the configuration keeps its
 * stored slug, because the customer's change to another plan is recorded with this slug.
 */
export function storedPlanSlug(plans: PlanList, { plan }: Pick<CustomerDocument, 'plan'>): string {
  if (plan === undefined) return freePlan(plans).slug;
  return findPlan(plans, plan)?.slug ?? plan;
}

/** The plans that one-time purchases have bought. Leaves out plans that were removed from the configuration. */
export function ownedPlansOf(
  { ownedPlans = {} }: Pick<CustomerDocument, 'ownedPlans'>,
  plans: PlanList,
): Plan[] {
  return Object.values(ownedPlans)
    .map((lookupKey) => planOfLookupKey(plans, lookupKey))
    .filter((plan) => plan !== undefined);
}
