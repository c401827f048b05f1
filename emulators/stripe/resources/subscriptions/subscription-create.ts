import { paymentError, InvalidParameter, missingParameter } from '../../api/errors.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { clearable, integer, required, text } from '../../api/parameters/params.ts';
import type { Parsed } from '../../api/parameters/params.ts';
import { NO_METHOD } from '../../billing/invoices/collect.ts';
import { periodEnd } from '../../billing/period.ts';
import { assertOneCycle } from '../../billing/subscriptions/changing.ts';
import { assertOneCurrency } from '../../billing/subscriptions/customer-currency.ts';
import { endingAt, scheduledEnd } from '../../billing/subscriptions/ending.ts';
import { assertSubscriptionAllowed } from '../../billing/subscriptions/limits.ts';
import { startSubscription } from '../../billing/subscriptions/starting.ts';
import type { NewItem } from '../../billing/subscriptions/subscription-object.ts';
import type { Subscription } from '../../objects.ts';
import { inTimeOf, tentatively, update } from '../../world.ts';
import type { Scope } from '../../world.ts';
import { activeRecurringPrice } from '../catalogue/price.ts';
import { referencedCustomer } from '../customers/customer-object.ts';
import { referencedMethod } from '../customers/payment-methods.ts';
import { itemQuantity } from '../subscription-items/item-quantity.ts';
import { endTime, newItems, paymentBehavior, subscriptionDetails } from './subscription-params.ts';

const DAY = 24 * 60 * 60;

export const createParams = {
  ...subscriptionDetails,
  cancel_at: endTime,
  currency: text(3),
  customer: required(text()),
  description: clearable(text(500)),
  items: newItems,
  payment_behavior: paymentBehavior,
  trial_period_days: integer(1, 730),
};

type CreateParams = Parsed<typeof createParams>;

/** Starts a subscription by the API; the customer is not there to authenticate. */
export function createFromParams(unscoped: Scope, params: CreateParams): Subscription {
  if (params.payment_behavior === 'pending_if_incomplete') {
    throw new InvalidParameter(
      '`pending_if_incomplete` can only be used when updating a subscription.',
      'payment_behavior',
    );
  }
  const customer = referencedCustomer(unscoped, params.customer);
  assertSubscriptionAllowed(unscoped, customer.id);
  const scope = inTimeOf(unscoped, customer);
  const paymentMethod =
    params.default_payment_method === undefined
      ? null
      : referencedMethod(scope, params.default_payment_method, customer, 'default_payment_method').id;
  const items = readItems(scope, params);
  assertOneCurrency(scope, customer.id, items.currency ?? '');
  const given = {
    ...items,
    metadata: mergeMetadata({}, params.metadata),
    description: params.description ?? null,
    trialEnd: trialEnd(scope, params),
    missingPaymentMethod: params.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
    paymentMethod,
    automaticTax: params.automatic_tax?.enabled ?? false,
    discounts: params.discounts ?? [],
  };
  const { payment_behavior: behavior = 'allow_incomplete' } = params;
  return tentatively(scope, (trial) => {
    const { subscription, failure } = startSubscription(
      trial,
      { ...given, customer: referencedCustomer(trial, customer.id) },
      behavior === 'default_incomplete' ? null : { asked: true },
    );
    // Without any card, Stripe creates no subscription.
    if (failure && (behavior === 'error_if_incomplete' || failure === NO_METHOD)) throw paymentError(failure);
    return scheduleEnd(trial, subscription, params);
  });
}

function scheduleEnd(scope: Scope, subscription: Subscription, params: CreateParams): Subscription {
  const { cancel_at: cancelAt, cancel_at_period_end: atPeriodEnd = false } = params;
  const end =
    cancelAt === undefined
      ? scheduledEnd(scope, subscription, atPeriodEnd)
      : endingAt(scope, subscription, typeof cancelAt === 'string' ? periodEnd(subscription) : cancelAt);
  return update(scope, 'customer.subscription.updated', subscription, end);
}

function trialEnd(scope: Scope, { trial_end: end, trial_period_days: days }: CreateParams): number | null {
  if (end !== undefined && days !== undefined) {
    throw new InvalidParameter(
      'You may only specify one of these parameters: trial_end, trial_period_days.',
      'trial_end',
    );
  }
  if (days !== undefined) return scope.now() + days * DAY;
  if (end === undefined || end === 'now') return null;
  if (end <= scope.now()) throw new InvalidParameter('Invalid timestamp: must be in the future', 'trial_end');
  return end;
}

function readItems(
  scope: Scope,
  { items: given, currency: chosen }: CreateParams,
): { items: NewItem[]; currency: string | undefined } {
  if (!given || given.length === 0) throw missingParameter('items');
  const items = given.map(({ price: id, quantity, metadata }, index) => {
    if (id === undefined) throw missingParameter(`items[${index}][price]`);
    const price = activeRecurringPrice(scope, id, `items[${index}][price]`);
    return {
      price,
      ...itemQuantity(price, quantity, `items[${index}][quantity]`),
      metadata: mergeMetadata({}, metadata),
    };
  });
  const currency = chosen?.toLowerCase() ?? items[0]?.price.currency;
  assertOneCycle(scope, items, currency ?? '');
  return { items, currency };
}
