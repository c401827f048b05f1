import { noSuchObject, notAllowed, unsupportedParameter } from '../api/errors.ts';
import { page, pageParams } from '../api/list.ts';
import { mergeMetadata } from '../api/metadata.ts';
import { operation } from '../api/operation.ts';
import { clearable, flag, metadata, oneOf, shape, text, timeRange, names } from '../api/params.ts';
import { byId } from '../state.ts';
import type { Metadata, Subscription } from '../state.ts';
import { emit, update } from '../world.ts';
import type { Scope, World } from '../world.ts';

const LIST = { url: '/v1/subscriptions', noun: 'subscription' };

const cancellationDetails = shape(
  {
    comment: clearable(text()),
    feedback: clearable(
      oneOf(
        'customer_service',
        'low_quality',
        'missing_features',
        'other',
        'switched_service',
        'too_complex',
        'too_expensive',
        'unused',
      ),
    ),
  },
  ['feedback_option'],
);

const unsupportedChanges = names(`
  add_invoice_items application_fee_percent automatic_tax billing_cycle_anchor billing_schedules
  billing_thresholds cancel_at collection_method days_until_due default_payment_method
  default_source default_tax_rates discounts invoice_settings items off_session on_behalf_of
  pause_collection payment_behavior payment_settings pending_invoice_item_interval
  proration_behavior proration_date transfer_data trial_end trial_from_plan trial_settings
`);

type CancellationReason = Pick<NonNullable<Subscription['cancellation_details']>, 'comment' | 'feedback'>;

/** Ends a subscription at once, without proration. */
export function cancelNow(
  scope: Scope,
  subscription: Subscription,
  reason: Partial<CancellationReason> = {},
): void {
  const now = scope.now();
  Object.assign(subscription, {
    status: 'canceled',
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: now,
    ended_at: now,
    cancellation_details: cancellation(subscription, reason, 'cancellation_requested'),
  } satisfies Partial<Subscription>);
  emit(scope, 'customer.subscription.deleted', subscription);
}

/** Lets a subscription end with its current period, or takes that back. */
export function cancelAtPeriodEnd(scope: Scope, subscription: Subscription, cancel: boolean): void {
  update(scope, 'customer.subscription.updated', subscription, scheduledEnd(scope, subscription, cancel));
}

function scheduledEnd(scope: World, subscription: Subscription, cancel: boolean): Partial<Subscription> {
  if (cancel === subscription.cancel_at_period_end) return {};
  const periodEnd = Math.min(...subscription.items.data.map((item) => item.current_period_end));
  return {
    cancel_at_period_end: cancel,
    cancel_at: cancel ? periodEnd : null,
    canceled_at: cancel ? scope.now() : null,
    cancellation_details: cancellation(subscription, {}, cancel ? 'cancellation_requested' : null),
  };
}

function cancellation(
  { cancellation_details: current }: Subscription,
  changes: Partial<CancellationReason>,
  reason: 'cancellation_requested' | null,
): Subscription['cancellation_details'] {
  return { comment: null, feedback: null, feedback_option: null, ...current, ...changes, reason };
}

/** https://docs.stripe.com/api/subscriptions */
export const subscriptionOperations = [
  operation({
    method: 'GET',
    path: '/v1/subscriptions',
    params: {
      ...pageParams,
      created: timeRange(),
      customer: text(),
      price: text(),
      status: oneOf(
        'active',
        'all',
        'canceled',
        'ended',
        'incomplete',
        'incomplete_expired',
        'past_due',
        'paused',
        'trialing',
        'unpaid',
      ),
    },
    unsupported: names(`
  automatic_tax collection_method current_period_end current_period_start customer_account plan
  test_clock
`),
    run: ({ scope, params: { created, customer, price, status, ...paging } }) =>
      page(
        scope.state.subscriptions,
        (subscription) =>
          (created?.(subscription.created) ?? true) &&
          (customer === undefined || subscription.customer === customer) &&
          (price === undefined || subscription.items.data.some((item) => item.price.id === price)) &&
          hasStatus(subscription, status),
        paging,
        LIST,
      ),
  }),
  operation({
    method: 'GET',
    path: '/v1/subscriptions/:id',
    params: {},
    run: ({ scope, id }) => requestedSubscription(scope, id),
  }),
  operation({
    method: 'POST',
    path: '/v1/subscriptions/:id',
    params: {
      cancel_at_period_end: flag(),
      cancellation_details: cancellationDetails,
      description: clearable(text(500)),
      metadata: clearable(metadata()),
    },
    unsupported: unsupportedChanges,
    run: ({ scope, id, params }) => {
      const subscription = requestedSubscription(scope, id);
      update(scope, 'customer.subscription.updated', subscription, changes(scope, subscription, params));
      return subscription;
    },
  }),
  operation({
    method: 'DELETE',
    path: '/v1/subscriptions/:id',
    params: { cancellation_details: cancellationDetails, invoice_now: flag(), prorate: flag() },
    run: ({ scope, id, params: { cancellation_details: reason, invoice_now: invoice, prorate } }) => {
      if (invoice) throw unsupportedParameter('invoice_now');
      if (prorate) throw unsupportedParameter('prorate');
      const subscription = requestedSubscription(scope, id);
      // Stripe answers for a subscription that has ended as if it did not exist.
      if (subscription.status === 'canceled') throw noSuchObject('subscription', id);
      cancelNow(scope, subscription, given(reason));
      return subscription;
    },
  }),
];

interface Changes {
  cancel_at_period_end: boolean | undefined;
  cancellation_details: { [K in keyof CancellationReason]?: CancellationReason[K] | undefined } | undefined;
  description: string | null | undefined;
  metadata: ReadonlyMap<string, string> | null | undefined;
}

function changes(scope: World, subscription: Subscription, params: Changes): Partial<Subscription> {
  const { cancel_at_period_end: cancel, cancellation_details: reason, description, metadata: patch } = params;
  if (subscription.status === 'canceled' && (cancel !== undefined || description !== undefined)) {
    throw notAllowed('A canceled subscription can only update its cancellation_details and metadata.');
  }
  const merged: Metadata = mergeMetadata(subscription.metadata, patch);
  const end = cancel === undefined ? {} : scheduledEnd(scope, subscription, cancel);
  const details = end.cancellation_details ?? subscription.cancellation_details;
  return {
    ...end,
    ...(description !== undefined && { description }),
    ...(reason && {
      cancellation_details: cancellation(
        { ...subscription, cancellation_details: details },
        given(reason),
        details?.reason === 'cancellation_requested' ? 'cancellation_requested' : null,
      ),
    }),
    metadata: merged,
  };
}

function given(reason: Changes['cancellation_details']): Partial<CancellationReason> {
  return {
    ...(reason?.comment !== undefined && { comment: reason.comment }),
    ...(reason?.feedback !== undefined && { feedback: reason.feedback }),
  };
}

function requestedSubscription({ state }: World, id: string): Subscription {
  const subscription = byId(state.subscriptions, id);
  if (!subscription) throw noSuchObject('subscription', id);
  return subscription;
}

/** Without a status, a list has every subscription that is not canceled. */
function hasStatus({ status }: Subscription, wanted: string | undefined): boolean {
  if (wanted === 'all') return true;
  if (wanted === undefined) return status !== 'canceled';
  if (wanted === 'ended') return status === 'canceled' || status === 'incomplete_expired';
  return status === wanted;
}
