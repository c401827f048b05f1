import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import type { PlanList } from '../../settings/plans.ts';
import type { StoredSubscription } from '../subscriptions/copy-subscription.ts';
import { planItemOf } from '../subscriptions/subscription.ts';

/**
 * Metadata of a subscription: the ids of those that it replaces, with spaces between them. We write it at the checkout.
 */
export const REPLACES = 'replaces';

/**
 * True if a new subscription may replace this one: it gives no plan, and no payment on Stripe's pages would continue it. A
 * past due one counts only if it was cancelled and its grace is over.
 */
export function isReplaceable(
  { status, cancel_at, grace_until }: Pick<SubscriptionDocument, 'status' | 'cancel_at' | 'grace_until'>,
  now: Date,
): boolean {
  if (status === 'past_due') return cancel_at !== null && (grace_until === null || grace_until <= now);
  return status === 'unpaid' || status === 'paused';
}

/** The ids of the running subscriptions that a newer, paid one replaces. They can be ended. */
export function findReplaced(running: readonly StoredSubscription[], now: Date): string[] {
  const replaced = new Set(
    running
      .filter(({ data: { status } }) => status === 'active' || status === 'trialing')
      .flatMap(({ data: { metadata } }) => metadata[REPLACES]?.split(' ') ?? []),
  );
  return running.filter(({ id, data }) => replaced.has(id) && isReplaceable(data, now)).map(({ id }) => id);
}

/** Something that the customer pays for and that a person must decide about. */
interface Problem {
  message: string;
  advice: string;
  ids: readonly string[];
}

/**
 * The problems of a customer with a subscription that was just synced: it gives no plan because no plan knows its price, or
 * another one gives a plan at the same time.
 */
export function findProblems(
  running: readonly StoredSubscription[],
  syncedId: string,
  plans: PlanList,
): Problem[] {
  const paying = running.filter(({ data: { status } }) => status === 'active' || status === 'trialing');
  const synced = paying.find(({ id }) => id === syncedId);
  if (synced === undefined) return [];
  if (planItemOf(synced.data, plans) === undefined) {
    const message = 'A subscription is for none of the plans';
    return [{ message, advice: 'Give its price a lookup key of plans.json.', ids: [syncedId] }];
  }
  const both = paying.filter(({ data }) => planItemOf(data, plans) !== undefined).map(({ id }) => id);
  if (both.length < 2) return [];
  return [{ message: 'A customer pays for two plans', advice: 'End one, and refund it.', ids: both }];
}
