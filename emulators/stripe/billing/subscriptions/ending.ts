import type { Subscription } from '../../objects.ts';
import { emit, update } from '../../world.ts';
import type { Scope, World } from '../../world.ts';
import { subscriptionOf } from '../invoices/invoices.ts';
import { periodEnd } from '../period.ts';
import { endSchedule } from '../schedules/schedule-object.ts';
import { expirePendingUpdate } from './pending-update.ts';

type Details = NonNullable<Subscription['cancellation_details']>;
export type CancellationReason = Partial<Pick<Details, 'comment' | 'feedback'>>;

/** True if a subscription has ended and cannot run again. */
export function hasEnded({ status }: Pick<Subscription, 'status'>): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

/**
 * Ends a subscription immediately; its finalized invoices are no longer collected.
 * https://docs.stripe.com/api/subscriptions/cancel
 */
export function endSubscription(
  scope: Scope,
  subscription: Subscription,
  {
    reason = 'cancellation_requested',
    details = {},
  }: { reason?: Details['reason']; details?: CancellationReason },
): Subscription {
  const now = scope.now();
  expirePendingUpdate(scope, subscription);
  endSchedule(scope, subscription);
  stopCollecting(scope, subscription);
  const { subscriptions } = scope.state;
  const ended = subscriptions.patch(subscription.id, {
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? now,
    ended_at: now,
    cancellation_details: cancellation(subscription, details, reason),
  });
  emit(scope, 'customer.subscription.deleted', ended);
  return ended;
}

function stopCollecting(scope: Scope, { id }: Subscription): void {
  for (const invoice of scope.state.invoices) {
    if (subscriptionOf(scope, invoice)?.id !== id || invoice.status !== 'open') continue;
    scope.state.invoices.patch(invoice.id, { auto_advance: false, next_payment_attempt: null });
  }
}

/**
 * Schedules the end of a subscription for the end of its period, as the portal does in flexible billing mode: by
 * `cancel_at` alone. https://docs.stripe.com/billing/subscriptions/billing-mode/compare
 */
export function scheduleEndInPortal(scope: Scope, subscription: Subscription): Subscription {
  const last = Math.max(...subscription.items.data.map((item) => item.current_period_end));
  return setEnd(scope, subscription, Math.max(last, scope.now()));
}

/** Cancels the scheduled end of a subscription. */
export function cancelScheduledEnd(scope: Scope, subscription: Subscription): Subscription {
  return setEnd(scope, subscription, null);
}

function setEnd(scope: Scope, subscription: Subscription, cancelAt: number | null): Subscription {
  return update(scope, 'customer.subscription.updated', subscription, {
    cancel_at_period_end: false,
    ...endingAt(scope, subscription, cancelAt),
  });
}

export function scheduledEnd(
  scope: World,
  subscription: Subscription,
  cancel: boolean,
): Partial<Subscription> {
  if (cancel === subscription.cancel_at_period_end) return {};
  return {
    cancel_at_period_end: cancel,
    ...endingAt(scope, subscription, cancel ? endOfPeriod(scope, subscription) : null),
  };
}

/** The period of a paused subscription may be over. Such a subscription ends now. */
function endOfPeriod(scope: World, subscription: Subscription): number {
  return Math.max(periodEnd(subscription), scope.now());
}

/** Schedules the end for a time in seconds since 1970, or (null) cancels it. */
export function endingAt(
  scope: World,
  subscription: Subscription,
  cancelAt: number | null,
): Partial<Subscription> {
  return {
    cancel_at: cancelAt,
    canceled_at: cancelAt === null ? null : scope.now(),
    cancellation_details: cancellation(subscription, {}, cancelAt === null ? null : 'cancellation_requested'),
  };
}

export function cancellation(
  { cancellation_details: current }: Pick<Subscription, 'cancellation_details'>,
  changes: CancellationReason,
  reason: Details['reason'],
): Details {
  return { comment: null, feedback: null, feedback_option: null, ...current, ...changes, reason };
}
