import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import { refusal } from '../../../refusals/refusals.ts';
import { isPaymentFailure, isRefusedForSchedule } from '../../stripe/stripe-errors.ts';
import type { Subject } from '../../subject.ts';
import {
  requireExpanded,
  WITH_PAYMENT_METHODS,
  type ExpandedSubscription,
} from '../from-stripe/bank-debit.ts';
import type { PlanSubscription } from '../from-stripe/plan-subscriptions.service.ts';
import { sendDroppedUsage } from './dropped-usage.service.ts';
import { newPeriodIf, paymentCondition, type ItemChange } from './item-changes.ts';
import { discardPlannedChange, replacesSchedule } from './planned-change.ts';

interface ChangeNow {
  items: ItemChange[];
  /** True for a change from month to year, or back. */
  changesInterval: boolean;
  /** The time from which the difference counts, in seconds since 1970. By default now. */
  prorationDate: number | undefined;
}

/**
 * Charges or credits the difference for the rest of the period immediately. A change to another interval credits this
 * rest, and charges a whole period that begins now. If the payment fails, nothing changes, and `latest_invoice` is the
 * invoice whose payment makes the change. `paymentCondition` has the exceptions.
 *
 * Discards a planned change, but only once the change is made: a customer who does not pay keeps what was planned. If
 * the change waits for its payment, the sync after the payment discards the planned change: see `replacesSchedule`.
 *
 * @throws Refusal `payment_failed` for a subscription with a price by usage; `billing_unavailable` if usage could not
 *   be sent: see `sendDroppedUsage`; `busy`: the same
 */
export async function changeItemsNow(
  backend: Backend,
  { customerId }: Pick<Subject, 'customerId'>,
  current: PlanSubscription,
  change: ChangeNow,
): Promise<ExpandedSubscription> {
  const { subscription } = current;
  await sendDroppedUsage(backend, customerId, current, change.items);
  const stripe = await backend.stripe();
  const changed = await updateOrDiscardFirst(stripe, subscription, change);
  if (changed.pending_update !== null) return changed;
  await discardPlannedChange(stripe, subscription);
  return { ...changed, schedule: null };
}

/**
 * Stripe documents no change of line items that it refuses because of a schedule. If there is one, the planned change
 * must be discarded before.
 */
async function updateOrDiscardFirst(
  stripe: Stripe,
  subscription: ExpandedSubscription,
  change: ChangeNow,
): Promise<ExpandedSubscription> {
  try {
    return await update(stripe, subscription, change);
  } catch (error) {
    if (subscription.schedule === null || !isRefusedForSchedule(error)) throw error;
    await discardPlannedChange(stripe, subscription);
    return update(stripe, { ...subscription, schedule: null }, change);
  }
}

async function update(
  stripe: Stripe,
  subscription: ExpandedSubscription,
  { items, changesInterval, prorationDate }: ChangeNow,
): Promise<ExpandedSubscription> {
  try {
    const changed = await stripe.subscriptions.update(subscription.id, {
      items,
      proration_behavior: 'always_invoice',
      ...newPeriodIf(changesInterval, subscription),
      ...paymentCondition(subscription),
      ...(prorationDate !== undefined && { proration_date: prorationDate }),
      ...replacesSchedule(subscription),
      ...WITH_PAYMENT_METHODS,
    });
    return requireExpanded(changed);
  } catch (error) {
    if (isPaymentFailure(error)) throw refusal('payment_failed', {}, { cause: error });
    throw error;
  }
}
