import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import { recordForTeam } from '../../audit.store.ts';
import type { Subject } from '../../subject.ts';
import {
  requireExpanded,
  WITH_PAYMENT_METHODS,
  type ExpandedSubscription,
} from '../from-stripe/bank-debit.ts';
import {
  noteOperatorSchedule,
  requireNoDiscardedSchedule,
  requireNoOperatorSchedule,
} from '../schedules/operator-schedule.service.ts';
import { isEnding } from '../status.ts';
import { discardPlannedChange } from '../wanted-items/planned-change.ts';
import { changeWithoutSeatSync } from './change.service.ts';
import { requirePlanSubscription } from './require-plan-subscription.service.ts';
import { finishChange } from './subscription.service.ts';
import type { ManagedSubscriptionView } from './subscription.view.ts';

/** https://docs.stripe.com/api/subscriptions/cancel#cancel_subscription-cancellation_details-feedback */
export const CANCEL_REASONS = [
  'customer_service',
  'low_quality',
  'missing_features',
  'switched_service',
  'too_complex',
  'too_expensive',
  'unused',
  'other',
] as const satisfies Stripe.SubscriptionUpdateParams.CancellationDetails.Feedback[];

export interface Cancellation {
  reason?: (typeof CANCEL_REASONS)[number] | undefined;
  comment?: string | undefined;
}

/** With these statuses the customer has no service, so a cancellation need not wait for the end of the period. */
const WITHOUT_SERVICE: readonly string[] = ['unpaid', 'paused'];

/**
 * Cancels a subscription at the end of the paid period, or immediately if it is unpaid or paused. Idempotent. Every
 * schedule is discarded, also one that an operator has made, because a customer may always cancel. The subscription
 * then has the id of the operator's schedule in its metadata, so that the customer cannot resume it without the
 * schedule.
 *
 * @throws Refusal `user_has_no_subscription`, `team_has_no_subscription`; `busy` as `changeWithoutSeatSync`
 */
export async function cancelPlanSubscription(
  backend: Backend,
  subject: Subject,
  cancellation: Cancellation,
): Promise<ManagedSubscriptionView> {
  return changeWithoutSeatSync(backend, subject, async () => {
    const current = await requirePlanSubscription(backend, subject);
    await recordForTeam(backend, subject, 'billing.cancel_requested', {
      reason: cancellation.reason ?? null,
    });
    const stripe = await backend.stripe();
    await noteOperatorSchedule(backend, current);
    await discardPlannedChange(stripe, current.subscription);
    const subscription = await cancel(stripe, current.subscription, cancellation);
    return finishChange(backend, subject, current, subscription);
  });
}

/**
 * Takes back a cancellation before the subscription has ended. Also discards a planned change. Idempotent.
 *
 * @throws Refusal `user_has_no_subscription`, `team_has_no_subscription`; `schedule_of_support`, because the schedule
 *   would be lost, or was discarded by the cancellation; `busy` as `changeWithoutSeatSync`
 */
export async function resumeSubscription(
  backend: Backend,
  subject: Subject,
): Promise<ManagedSubscriptionView> {
  return changeWithoutSeatSync(backend, subject, async () => {
    const current = await requirePlanSubscription(backend, subject);
    const stripe = await backend.stripe();
    requireNoDiscardedSchedule(current.subscription);
    await requireNoOperatorSchedule(backend, current);
    await recordForTeam(backend, subject, 'billing.resume_requested');
    await discardPlannedChange(stripe, current.subscription);
    const subscription = await takeBack(stripe, current.subscription);
    return finishChange(backend, subject, current, subscription);
  });
}

async function cancel(
  stripe: Stripe,
  { id, status }: Stripe.Subscription,
  { reason, comment }: Cancellation,
): Promise<ExpandedSubscription> {
  const params = {
    cancellation_details: {
      ...(reason !== undefined && { feedback: reason }),
      ...(comment !== undefined && { comment }),
    },
    ...WITH_PAYMENT_METHODS,
  };
  return requireExpanded(
    WITHOUT_SERVICE.includes(status)
      ? await stripe.subscriptions.cancel(id, params)
      : await stripe.subscriptions.update(id, { cancel_at_period_end: true, ...params }),
  );
}

async function takeBack(stripe: Stripe, subscription: ExpandedSubscription): Promise<ExpandedSubscription> {
  const { id, cancel_at_period_end: atPeriodEnd } = subscription;
  if (!isEnding(subscription)) return { ...subscription, schedule: null };
  const change = atPeriodEnd ? { cancel_at_period_end: false } : { cancel_at: '' as const };
  return requireExpanded(await stripe.subscriptions.update(id, { ...change, ...WITH_PAYMENT_METHODS }));
}
