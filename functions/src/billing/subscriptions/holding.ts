/**
 * Three ways to find the plan of a customer. They treat a plan that was removed from the configuration differently:
 *
 * | function | made from | a removed plan |
 * | --- | --- | --- |
 * | `holdingOf`, `heldPlan` | subscriptions, granted plans and owned plans | gives nothing |
 * | `storedHoldingOf` | our customer | becomes the free plan |
 * | `planSlugEvenIfRemoved` | our customer | keeps its slug |
 */
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { SubscriptionDocument, SubscriptionItem } from '../../firestore/documents/subscription.ts';
import {
  addOnOfLookupKey,
  isOffered,
  type AddOn,
  type AddOnQuantities,
  type PlansAndExtras,
} from '../../settings/extras.ts';
import {
  findPlan,
  freePlan,
  planOfLookupKey,
  planOrFree,
  type Plan,
  type PlanList,
} from '../../settings/plans.ts';
import { highestPlan, planOfSubscription, type PlanFields } from './plan-item.ts';
import { isEntitling, type EntitlingFields } from './status.ts';

/** The plan and the add-ons of a customer. */
export interface Holding {
  plan: Plan;
  addOns: AddOnQuantities;
}

/** The fields that decide whether a subscription gives a plan now, and which plan it gives. */
type PlanGivingFields = PlanFields & EntitlingFields;

/**
 * The highest plan of the entitling subscriptions and the one-time purchases. The add-ons are those of the entitling
 * subscriptions.
 *
 * @param owned the plans that were bought by one-time purchases
 */
export function holdingOf(
  subscriptions: readonly (PlanGivingFields & Pick<SubscriptionDocument, 'items'>)[],
  { plans, extras }: PlansAndExtras,
  now: Date,
  owned: readonly Plan[] = [],
): Holding {
  const items = subscriptions
    .filter((subscription) => isEntitling(subscription, now))
    .flatMap((subscription) => subscription.items);
  return { plan: heldPlan(subscriptions, plans, now, owned), addOns: addOnsOf(items, { extras }) };
}

/** The plan of `holdingOf`. */
export function heldPlan(
  subscriptions: readonly PlanGivingFields[],
  plans: PlanList,
  now: Date,
  owned: readonly Plan[] = [],
): Plan {
  const given = subscriptions
    .filter((subscription) => isEntitling(subscription, now))
    .map((subscription) => planOfSubscription(subscription, plans));
  return highestPlan([...given, ...owned], plans) ?? freePlan(plans);
}

/** The units of each add-on that line items pay for. Add-ons without a unit are left out. */
export function addOnsOf(
  items: readonly SubscriptionItem[],
  plansAndExtras: Pick<PlansAndExtras, 'extras'>,
): AddOnQuantities {
  const quantities = new Map<string, number>();
  for (const { addOn, item } of addOnItemsOf(items, plansAndExtras)) {
    if (item.quantity > 0) quantities.set(addOn.slug, (quantities.get(addOn.slug) ?? 0) + item.quantity);
  }
  return Object.fromEntries(quantities);
}

export interface AddOnItem {
  addOn: AddOn;
  item: SubscriptionItem;
}

export function addOnItemsOf(
  items: readonly SubscriptionItem[],
  { extras }: Pick<PlansAndExtras, 'extras'>,
): AddOnItem[] {
  return items.flatMap((item) => {
    const addOn = addOnOfLookupKey(extras, item.lookupKey);
    return addOn === undefined ? [] : [{ addOn, item }];
  });
}

/** The line items of prices that are not configured. */
export function unknownItems(
  items: readonly SubscriptionItem[],
  plansAndExtras: PlansAndExtras,
): SubscriptionItem[] {
  return items.filter(({ lookupKey }) => !isOffered(plansAndExtras, lookupKey));
}

/** A holding in the document of a customer, with Stripe's entitlements. */
export interface StoredHolding {
  planSlug: string;
  addOns?: AddOnQuantities | undefined;
  /**
   * Undefined if Stripe has never given an entitlement. In this case the custom claim `entitlements` stays unchanged,
   * because another program may use it.
   */
  entitlements?: readonly string[] | undefined;
}

/** The holding that the document of a customer names. Without a document, the plan is the free plan. */
export function storedHoldingOf(
  plans: PlanList,
  customer: Pick<CustomerDocument, 'plan' | 'addOns' | 'entitlements'> | undefined,
): StoredHolding {
  const { plan, addOns, entitlements } = customer ?? {};
  return { planSlug: planOrFree(plans, plan).slug, addOns, entitlements };
}

/** The slug of the stored plan, or its new slug. A plan that was removed from the configuration keeps its slug. */
export function planSlugEvenIfRemoved(plans: PlanList, { plan }: Pick<CustomerDocument, 'plan'>): string {
  if (plan === undefined) return freePlan(plans).slug;
  return findPlan(plans, plan)?.slug ?? plan;
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
