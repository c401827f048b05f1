import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { DAY_MS } from '../../common/durations.ts';
import { logFault } from '../../common/log.ts';
import type { OneTimePurchase } from '../../firestore/documents/purchase.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import { planOfLookupKey, isPlanAtLeast, type Plan, type PlanList } from '../../settings/plans.ts';
import {
  withStripeRefusals,
  isInvalidRequest,
  isMissing,
  needsNewKeyAfter,
} from '../stripe/stripe-errors.ts';
import { planOfSubscription } from '../subscriptions/plan-item.ts';
import { isEnding, isRunning } from '../subscriptions/status.ts';
import { runningSubscriptions } from '../subscriptions/subscription.store.ts';
import type { SyncedCustomer } from '../subscriptions/sync/sync-shapes.ts';
import { syncSubscription } from '../subscriptions/sync/sync.service.ts';
import { discardPlannedChange } from '../subscriptions/wanted-items/planned-change.ts';

/**
 * Time after the payment in which subscriptions are cancelled. For a day Stripe keeps the idempotency key. Therefore a
 * repeated call does not cancel a subscription that the customer has resumed.
 */
const RECENT_MS = DAY_MS;

/**
 * After the purchase of a plan, cancels the subscriptions to this plan or to a lower plan. These subscriptions end with
 * their period. Reads one document for each running subscription, at least one.
 */
export async function cancelCoveredSubscriptions(
  backend: Backend,
  customerId: string,
  { id: purchaseId, purchase }: { id: string; purchase: OneTimePurchase },
): Promise<void> {
  const { config, db, now } = backend;
  const plan = planOfLookupKey(config.plans, purchase.lookupKey);
  const { status, paidAt } = purchase;
  const isRecent = paidAt !== null && now().getTime() - paidAt.getTime() < RECENT_MS;
  if (plan === undefined || status !== 'paid' || !isRecent) return;
  for (const { id, data } of await runningSubscriptions(db, customerId).findIntact()) {
    if (!isCovered(config.plans, data, plan)) continue;
    await endAtPeriodEnd(backend, { customerId, purchaseId, subscriptionId: id }, paidAt);
  }
}

/**
 * After a subscription was bought on a page, cancels it if the customer owns its plan or a higher one. It ends with its
 * period. Example: the page was open before the customer bought the plan once.
 */
export async function cancelIfCovered(
  backend: Backend,
  { customerId, ownedPlans = {}, runningCopies }: SyncedCustomer,
  subscriptionId: string,
): Promise<void> {
  const { config, now } = backend;
  const bought = runningCopies.find(({ id }) => id === subscriptionId)?.data;
  if (bought === undefined || now().getTime() - bought.created.getTime() >= RECENT_MS) return;
  const covering = Object.entries(ownedPlans).find(([, lookupKey]) => {
    const owned = planOfLookupKey(config.plans, lookupKey);
    return owned !== undefined && isCovered(config.plans, bought, owned);
  });
  if (covering === undefined) return;
  const [purchaseId] = covering;
  await endAtPeriodEnd(backend, { customerId, purchaseId, subscriptionId }, bought.created);
}

/** True if a subscription is to the owned plan or to a lower one, and has not been cancelled. */
function isCovered(plans: PlanList, subscription: SubscriptionDocument, owned: Plan): boolean {
  const paid = planOfSubscription(subscription, plans);
  return paid !== undefined && isPlanAtLeast(plans, owned.slug, paid.slug) && !isEnding(subscription);
}

interface CoveredSubscription {
  customerId: string;
  subscriptionId: string;
  /** The purchase of the plan that covers the subscription. */
  purchaseId: string;
}

/**
 * Cancels a subscription at the end of its period, and syncs it. First discards a planned change, because Stripe does
 * not cancel a subscription with a schedule.
 *
 * @param since when the subscription was covered. If a change was planned after this time, the subscription stays as it
 *   is: the customer has resumed it and wants this change
 */
async function endAtPeriodEnd(backend: Backend, covered: CoveredSubscription, since: Date): Promise<void> {
  const { customerId, subscriptionId: id } = covered;
  const stripe = await backend.stripe();
  try {
    await withStripeRefusals(async () => {
      const subscription = await stripe.subscriptions.retrieve(id, { expand: ['schedule'] });
      if (!isRunning(subscription) || hasChangePlannedAfter(subscription, since)) return;
      await discardPlannedChange(stripe, subscription);
      await cancelOnce(stripe, covered);
    });
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
    const isEnded = isMissing(error);
    if (!isEnded) {
      logFault(
        'A subscription still runs although a one-time purchase covers its plan',
        { ...covered },
        error,
      );
    }
  }
  await syncSubscription(backend, customerId, id);
}

/** @param subscription with `schedule` expanded */
function hasChangePlannedAfter({ schedule }: Stripe.Subscription, time: Date): boolean {
  return schedule !== null && typeof schedule !== 'string' && schedule.created * 1000 > time.getTime();
}

async function cancelOnce(
  { subscriptions }: Stripe,
  { subscriptionId: id, purchaseId }: CoveredSubscription,
): Promise<void> {
  const end = (idempotencyKey: string) =>
    subscriptions.update(id, { cancel_at_period_end: true }, { idempotencyKey });
  const key = `owned-${purchaseId}-${id}`;
  await end(key).catch((error: unknown) => {
    // For a day Stripe repeats its error for the first key. Therefore the second attempt has another key.
    if (!needsNewKeyAfter(error) || isInvalidRequest(error)) throw error;
    return end(`${key}-again`);
  });
}
