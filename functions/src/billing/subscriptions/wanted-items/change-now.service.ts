import type Stripe from 'stripe';
import { refusal } from '../../../refusals/refusals.ts';
import { isPaymentFailure } from '../../stripe/stripe-errors.ts';
import {
  requireExpanded,
  WITH_PAYMENT_METHODS,
  type ExpandedSubscription,
} from '../from-stripe/bank-debit.ts';
import { newPeriodIf, paymentCondition, type ItemChange } from './item-changes.ts';

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
 * @throws Refusal `payment_failed` for a subscription with a price by usage
 */
export async function changeItemsNow(
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
      ...WITH_PAYMENT_METHODS,
    });
    return requireExpanded(changed);
  } catch (error) {
    if (isPaymentFailure(error)) throw refusal('payment_failed', {}, { cause: error });
    throw error;
  }
}
