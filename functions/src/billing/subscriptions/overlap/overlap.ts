import { DAY_MS } from '../../../common/durations.ts';
import type { SubscriptionWithId, SubscriptionDocument } from '../../../firestore/documents/subscription.ts';
import { isPlanAtLeast, type PlanList } from '../../../settings/plans.ts';
import { planOfSubscription } from '../plan-item.ts';
import { isActiveOrTrialing, isEnding } from '../status.ts';

/**
 * Key in the metadata of a new subscription. The value is the ids of the replaced subscriptions, separated by spaces.
 */
export const REPLACES = 'replaces';

/**
 * True if a new subscription may replace this one. It was not paid and gives no plan, and paying it would not help:
 *
 * - `unpaid`: its new invoices stay drafts, which nobody can pay. The invoice that failed may still be open, but its
 *   period began weeks ago.
 * - `paused`: a trial has ended without a payment method, a payment has failed, or an operator has paused the
 *   subscription. A subscription with paused collection has another status.
 * - `past_due`, if the grace is over and the subscription is ending (`isEnding`): paying does not keep it, because it
 *   was cancelled.
 *
 * A subscription that is past due and not ending is not replaceable: paying the open invoice continues it. After the
 * end of the grace, `grace_until` is a past time until the next sync, and then null. Both mean that the grace is over.
 * docs/billing.md has the table of states.
 */
export function isReplaceable(subscription: ReplaceableFields, now: Date): boolean {
  const { status, grace_until } = subscription;
  const isGraceOver = grace_until === null || grace_until <= now;
  if (status === 'past_due') return isEnding(subscription) && isGraceOver;
  return status === 'unpaid' || status === 'paused';
}

/** The fields that decide whether a subscription is replaceable. */
export type ReplaceableFields = Pick<
  SubscriptionDocument,
  'status' | 'cancel_at' | 'cancel_at_period_end' | 'grace_until'
>;

/** Ids of the subscriptions that a newer subscription replaces. */
export function findReplaced(running: readonly SubscriptionWithId[], now: Date): string[] {
  const replaced = new Set(
    running
      .filter(({ data }) => isActiveOrTrialing(data))
      .flatMap(({ data: { metadata } }) => metadata[REPLACES]?.split(' ') ?? []),
  );
  return running.filter(({ id, data }) => replaced.has(id) && isReplaceable(data, now)).map(({ id }) => id);
}

/** After this time a duplicate is neither ended nor refunded, because the customer may have used both plans. */
const RECENT_MS = DAY_MS;

export interface Duplicate {
  id: string;
  /** Id of the older subscription, which stays. */
  keptId: string;
}

/**
 * Finds subscriptions that began in the last 24 hours although an older subscription gives the same plan or a higher
 * plan. Only active and trialing subscriptions count. A subscription whose collection is paused does not count, and an
 * older subscription that is going to end does not count.
 *
 * If two subscriptions to the same plan began in the same second, each is found as a duplicate of the other.
 * `markDuplicate` then decides that only one of them ends.
 */
export function findDuplicates(
  running: readonly SubscriptionWithId[],
  plans: PlanList,
  now: Date,
): Duplicate[] {
  const charged = running
    .filter(({ data }) => willBeCharged(data))
    .map(({ id, data }) => ({ id, data, plan: planOfSubscription(data, plans) }))
    // By id, so that every call finds the same `keptId`.
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  return charged.flatMap(({ id, data, plan }) => {
    const isRecent = now.getTime() - data.created.getTime() <= RECENT_MS;
    if (plan === undefined || !isRecent) return [];
    const kept = charged.find(
      (other) =>
        other.id !== id &&
        other.data.created <= data.created &&
        !isEnding(other.data) &&
        other.plan !== undefined &&
        isPlanAtLeast(plans, other.plan.slug, plan.slug),
    );
    return kept === undefined ? [] : [{ id, keptId: kept.id }];
  });
}

/** True for a trial too. False while an operator has paused the collection of payments. */
export function willBeCharged(document: SubscriptionDocument): boolean {
  return isActiveOrTrialing(document) && document.collection_paused === null;
}
