import { InvalidParameter } from '../../api/errors.ts';
import { sendTrialNotice, TRIAL_NOTICE } from '../../billing/elapse.ts';
import type { Failure } from '../../billing/invoices/collect.ts';
import { invoiceChange } from '../../billing/subscriptions/changing.ts';
import type { Collection } from '../../billing/subscriptions/changing.ts';
import { itemsFrom } from '../../billing/subscriptions/renewing.ts';
import type { Subscription } from '../../objects.ts';
import { update } from '../../world.ts';
import type { Scope } from '../../world.ts';

/** Ends a trial now, which begins the first paid period, or moves its end. Starts a trial if there was none. */
export function changeTrial(
  scope: Scope,
  subscription: Subscription,
  end: number | 'now' | undefined,
  collection: Collection,
): Failure | null {
  if (end === undefined) return null;
  if (end !== 'now') {
    extendTrial(scope, subscription, end);
    return null;
  }
  return subscription.status === 'trialing' ? endTrial(scope, subscription, collection) : null;
}

function endTrial(scope: Scope, subscription: Subscription, collection: Collection): Failure | null {
  const now = scope.now();
  sendTrialNotice(scope, subscription, now);
  const paying = update(scope, 'customer.subscription.updated', subscription, {
    billing_cycle_anchor: now,
    items: itemsFrom(subscription, now, now),
    status: 'active',
    trial_end: now,
    trial_start: subscription.trial_start ?? now,
  });
  return invoiceChange(scope, paying, { period: true, collection });
}

function extendTrial(scope: Scope, subscription: Subscription, end: number): void {
  const now = scope.now();
  if (end <= now) throw new InvalidParameter('Invalid timestamp: must be in the future', 'trial_end');
  const { items } = subscription;
  update(scope, 'customer.subscription.updated', subscription, {
    billing_cycle_anchor: end,
    items: { ...items, data: items.data.map((item) => ({ ...item, current_period_end: end })) },
    status: 'trialing',
    trial_end: end,
    trial_start: subscription.trial_start ?? now,
  });
  if (end - now < TRIAL_NOTICE) sendTrialNotice(scope, subscription, end);
}
