import { isDeepStrictEqual } from 'node:util';
import type Stripe from 'stripe';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import { freePlan, planOfLookupKey, type Plan, type PlanList } from '../../settings/plans.ts';

/** States of a subscription that still binds the customer: a second one would charge them twice. */
export const RUNNING = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'paused',
] as const satisfies Stripe.Subscription.Status[];

/** States in which a subscription may give its plan. A past due one does so during its days of grace only. */
export const ENTITLING = ['active', 'trialing', 'past_due'] as const satisfies Stripe.Subscription.Status[];

export function isRunning({ status }: Pick<SubscriptionDocument, 'status'>): boolean {
  return RUNNING.some((running) => running === status);
}

/** The fields that decide which plan a subscription gives. */
type Entitlement = Pick<SubscriptionDocument, 'status' | 'role' | 'grace_until'>;

/** The best plan that any of the subscriptions gives. The free plan if none gives one. */
export function bestPlan(subscriptions: readonly Entitlement[], plans: PlanList, now: Date): Plan {
  const slugs = new Set(subscriptions.filter((one) => givesPlan(one, now)).map(({ role }) => role));
  return plans.findLast((plan) => slugs.has(plan.slug)) ?? freePlan(plans);
}

function givesPlan({ status, grace_until }: Entitlement, now: Date): boolean {
  if (status === 'past_due') return grace_until !== null && grace_until > now;
  return status === 'active' || status === 'trialing';
}

/** The line item that pays for a plan. */
export interface PlanItem {
  id: string;
  quantity: number;
  /** Whether a team pays for each member. */
  perSeat: boolean;
}

/** The line item that pays for the plan. Undefined if the subscription has ended or is for something else. */
export function planItemOf(
  { status, items }: Pick<SubscriptionDocument, 'status' | 'items'>,
  plans: PlanList,
): PlanItem | undefined {
  if (!isRunning({ status })) return undefined;
  for (const { id, quantity, lookupKey } of items) {
    const plan = planOfKey(lookupKey, plans);
    if (plan !== undefined) return { id, quantity, perSeat: plan.perSeat === true };
  }
  return undefined;
}

/** The plan of a price by its lookup key, which a price may lack. */
export function planOfKey(lookupKey: string | null, plans: PlanList): Plan | undefined {
  return lookupKey === null ? undefined : planOfLookupKey(plans, lookupKey);
}

/** Whether a stored document equals the one that Stripe's data gives now. */
export function isUnchanged(stored: SubscriptionDocument, current: SubscriptionDocument): boolean {
  return isDeepStrictEqual(stored, current);
}
