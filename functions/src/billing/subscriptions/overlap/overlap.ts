import { DAY_MS } from '../../../common/durations.ts';
import type { StoredSubscription, SubscriptionDocument } from '../../../firestore/documents/subscription.ts';
import { reaches, type PlanList } from '../../../settings/plans.ts';
import { planItemIfRunning, planByKeysOrSlug } from '../plan-item.ts';

/**
 * Name in the metadata of a subscription. The value is the ids of the subscriptions that its checkout replaces, with
 * spaces between the ids.
 */
export const REPLACES = 'replaces';

/**
 * True for a subscription that a new one may replace: it gives no plan, and the customer cannot continue it by a
 * payment on Stripe's pages. A past due subscription is replaceable only if it was cancelled and its grace is over.
 */
export function isReplaceable(
  { status, cancel_at, grace_until }: Pick<SubscriptionDocument, 'status' | 'cancel_at' | 'grace_until'>,
  now: Date,
): boolean {
  if (status === 'past_due') return cancel_at !== null && (grace_until === null || grace_until <= now);
  return status === 'unpaid' || status === 'paused';
}

/**
 * Ids of the running subscriptions that can be ended, because a newer subscription that is active or trialing replaces
 * them.
 */
export function findReplaced(running: readonly StoredSubscription[], now: Date): string[] {
  const replaced = new Set(
    running
      .filter(({ data }) => isActiveOrTrialing(data))
      .flatMap(({ data: { metadata } }) => metadata[REPLACES]?.split(' ') ?? []),
  );
  return running.filter(({ id, data }) => replaced.has(id) && isReplaceable(data, now)).map(({ id }) => id);
}

/**
 * Only a subscription of the last day is refunded, for two reasons:
 *
 * - A customer who has had two subscriptions for longer has used both of them.
 * - Stripe forgets the idempotency key of the refund after a day.
 */
const RECENT_MS = DAY_MS;

/** A subscription whose plan an older subscription already covers. */
export interface Duplicate {
  id: string;
  /** Id of the older subscription, which stays. */
  keptId: string;
}

/**
 * Finds subscriptions that began within the last day although an older one gives the same plan or a better one. An
 * older subscription that was cancelled, or whose collection is paused, does not count: the newer one takes its place.
 *
 * If two subscriptions to one plan began in the same second, each is found as a duplicate of the other. `endDuplicates`
 * ends only one of them.
 */
export function findDuplicates(
  running: readonly StoredSubscription[],
  plans: PlanList,
  now: Date,
): Duplicate[] {
  const giving = running
    .filter(({ data }) => isActiveOrTrialing(data) && data.collection_paused === null)
    .map(({ id, data }) => ({ id, data, plan: planByKeysOrSlug(data, plans) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  return giving.flatMap(({ id, data, plan }) => {
    const isRecent = now.getTime() - data.created.getTime() <= RECENT_MS;
    if (plan === undefined || !isRecent) return [];
    const kept = giving.find(
      (other) =>
        other.id !== id &&
        other.data.created <= data.created &&
        !isEnding(other.data) &&
        other.plan !== undefined &&
        reaches(plans, other.plan.slug, plan.slug),
    );
    return kept === undefined ? [] : [{ id, keptId: kept.id }];
  });
}

/**
 * True for a subscription that the customer pays for, or will pay for after the trial. A past due subscription does not
 * count.
 */
export function isActiveOrTrialing({ status }: Pick<SubscriptionDocument, 'status'>): boolean {
  return status === 'active' || status === 'trialing';
}

function isEnding({ cancel_at, cancel_at_period_end }: SubscriptionDocument): boolean {
  return cancel_at_period_end || cancel_at !== null;
}

/** A payment about which a person must decide. */
interface PaymentToDecide {
  message: string;
  advice: string;
  ids: readonly string[];
}

/**
 * Finds the problems of a subscription that was just synced: its price belongs to none of the plans, or another
 * subscription gives a plan at the same time.
 */
export function findProblems(
  running: readonly StoredSubscription[],
  syncedId: string,
  plans: PlanList,
): PaymentToDecide[] {
  const paying = running.filter(({ data }) => isActiveOrTrialing(data));
  const synced = paying.find(({ id }) => id === syncedId);
  if (synced === undefined) return [];
  if (planItemIfRunning(synced.data, plans) === undefined) {
    const message = 'A subscription has no price of a configured plan';
    return [{ message, advice: 'Give its price a lookup key of plans.json.', ids: [syncedId] }];
  }
  // A cancelled subscription ends by itself, and the other one follows it.
  const withPlan = paying.filter(
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
