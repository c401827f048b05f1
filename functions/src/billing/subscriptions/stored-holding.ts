/*
 * Two functions find the plan in the document of a customer. They treat a plan that was removed from the configuration
 * differently: with `storedHoldingOf` it becomes the free plan, with `planSlugEvenIfRemoved` it keeps its slug.
 */
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { AddOnQuantities } from '../../settings/extras.ts';
import { findPlan, freePlan, planOrFree, type PlanList } from '../../settings/plans.ts';

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

/**
 * The present slug of the stored plan, also if it was stored under a former slug (`formerly`). A plan that was removed
 * from the configuration keeps its stored slug.
 */
export function planSlugEvenIfRemoved(plans: PlanList, { plan }: Pick<CustomerDocument, 'plan'>): string {
  if (plan === undefined) return freePlan(plans).slug;
  return findPlan(plans, plan)?.slug ?? plan;
}
