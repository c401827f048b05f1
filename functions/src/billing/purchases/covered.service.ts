import type { Backend } from '../../backend.ts';
import { DAY_MS } from '../../common/durations.ts';
import { logWarning } from '../../common/log.ts';
import type { OneTimePurchase } from '../../firestore/documents/purchase.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import { planOfLookupKey, isPlanAtLeast } from '../../settings/plans.ts';
import { withStripeRefusals, isInvalidRequest, needsNewKey } from '../stripe/stripe-errors.ts';
import { planOfSubscription } from '../subscriptions/plan-item.ts';
import { isEnding } from '../subscriptions/status.ts';
import { runningSubscriptions } from '../subscriptions/subscription.store.ts';
import { syncSubscription } from '../subscriptions/sync/sync.service.ts';

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
  const isCovered = (subscription: SubscriptionDocument) => {
    const paid = planOfSubscription(subscription, config.plans);
    return paid !== undefined && isPlanAtLeast(config.plans, plan.slug, paid.slug) && !isEnding(subscription);
  };
  for (const { id, data } of await runningSubscriptions(db, customerId).findIntact()) {
    if (!isCovered(data)) continue;
    await endAtPeriodEnd(backend, id, `owned-${purchaseId}-${id}`);
    await syncSubscription(backend, customerId, id);
  }
}

async function endAtPeriodEnd({ stripe }: Backend, id: string, key: string): Promise<void> {
  const { subscriptions } = await stripe();
  const end = (idempotencyKey: string) =>
    subscriptions.update(id, { cancel_at_period_end: true }, { idempotencyKey });
  try {
    await withStripeRefusals(() =>
      end(key).catch((error: unknown) => {
        // For a day Stripe repeats its error for the first key. Therefore the second attempt has another key.
        if (!needsNewKey(error) || isInvalidRequest(error)) throw error;
        return end(`${key}-again`);
      }),
    );
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
    logWarning(`The subscription ${id} still runs although a one-time purchase covers its plan`, error);
  }
}
