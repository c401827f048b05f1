import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { SubscriptionItem } from '../../firestore/documents/subscription.ts';
import type { AddOnQuantities, PlansAndExtras } from '../../settings/extras.ts';
import { freePlan, planOfLookupKey, type Plan, type PlanList } from '../../settings/plans.ts';
import { addOnsOf } from './add-on-items.ts';
import { highestPlan, planOfSubscription, type PlanFields } from './plan-item.ts';
import { isEntitling, type EntitlingFields } from './status.ts';

/** The plan and the add-ons of a customer. A plan that was removed from the configuration gives nothing. */
export interface Holding {
  plan: Plan;
  addOns: AddOnQuantities;
}

/**
 * The fields of a subscription that `holdingOf` needs: those that decide whether it is entitling, its stored plan, and
 * its line items.
 */
type HoldingFields = Pick<PlanFields, 'role'> & EntitlingFields & { items: readonly SubscriptionItem[] };

/**
 * The highest plan of the entitling subscriptions and the one-time purchases. The add-ons are those of the entitling
 * subscriptions.
 *
 * @param owned the plans that were bought by one-time purchases
 */
export function holdingOf(
  subscriptions: readonly HoldingFields[],
  { plans, extras }: PlansAndExtras,
  now: Date,
  owned: readonly Plan[] = [],
): Holding {
  const entitling = subscriptions.filter((subscription) => isEntitling(subscription, now));
  const given = entitling.map((subscription) => planOfSubscription(subscription, plans));
  return {
    plan: highestPlan([...given, ...owned], plans) ?? freePlan(plans),
    addOns: addOnsOf(
      entitling.flatMap(({ items }) => items),
      { extras },
    ),
  };
}

/** The plans that one-time purchases have bought. Leaves out plans that were removed from the configuration. */
export function ownedPlansOf(
  { ownedPlans = {} }: { readonly ownedPlans?: CustomerDocument['ownedPlans'] | undefined },
  plans: PlanList,
): Plan[] {
  return Object.values(ownedPlans)
    .map((lookupKey) => planOfLookupKey(plans, lookupKey))
    .filter((plan) => plan !== undefined);
}
