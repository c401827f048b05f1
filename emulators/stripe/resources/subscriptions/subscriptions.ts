import { noSuchObject, notAllowed, unsupportedParameter } from '../../api/errors.ts';
import { page, pageParams } from '../../api/list.ts';
import { operation } from '../../api/operation.ts';
import { flag, names, oneOf, required, shape, text, timeRange } from '../../api/parameters/params.ts';
import type { Parsed } from '../../api/parameters/params.ts';
import { searchOperation } from '../../api/search-operation.ts';
import { endDiscount } from '../../billing/discounts/discounts.ts';
import { endNow } from '../../billing/invoices/final-invoice.ts';
import { periodEnd } from '../../billing/period.ts';
import { hasEnded } from '../../billing/subscriptions/ending.ts';
import { pause, resume } from '../../billing/subscriptions/renewing.ts';
import type { Subscription } from '../../objects.ts';
import { inTimeOf } from '../../world.ts';
import type { Scope, World } from '../../world.ts';
import { createFromParams, createParams } from './subscription-create.ts';
import { given } from './subscription-details.ts';
import {
  cancellationDetails,
  listStatus,
  prorationBehavior,
  unsupportedDetails,
} from './subscription-params.ts';
import { updateParams } from './subscription-update-params.ts';
import { changeSubscription } from './subscription-update.ts';

const LIST = { url: '/v1/subscriptions', noun: 'subscription' };

const cancelParams = { cancellation_details: cancellationDetails, invoice_now: flag(), prorate: flag() };

const resumeParams = {
  billing_cycle_anchor: shape({ type: required(oneOf('now', 'unchanged')) }),
  payment_behavior: oneOf('resume_on_payment_attempt', 'resume_on_payment_success'),
  proration_behavior: prorationBehavior,
};

function resumeFromParams(
  scope: Scope,
  subscription: Subscription,
  { billing_cycle_anchor: given, payment_behavior: behavior }: Parsed<typeof resumeParams>,
): void {
  if (subscription.status !== 'paused') throw notAllowed('Only a paused subscription can be resumed.');
  const anchor = given?.type ?? 'now';
  if (anchor === 'unchanged' && periodEnd(subscription) <= scope.now()) {
    throw unsupportedParameter('billing_cycle_anchor[type]=unchanged after the end of the period');
  }
  resume(scope, subscription, { anchor, behavior: behavior ?? 'resume_on_payment_attempt' });
}

/** https://docs.stripe.com/api/subscriptions */
export const subscriptionOperations = [
  operation({
    method: 'POST',
    path: '/v1/subscriptions',
    params: createParams,
    unsupported: [
      ...unsupportedDetails,
      ...names(`backdate_start_date billing_cycle_anchor billing_cycle_anchor_config billing_mode
        collection_method customer_account days_until_due`),
    ],
    run: ({ scope, params }) => createFromParams(scope, params),
  }),
  operation({
    method: 'GET',
    path: '/v1/subscriptions',
    params: {
      ...pageParams,
      automatic_tax: shape({ enabled: required(flag()) }),
      created: timeRange(),
      current_period_end: timeRange(),
      current_period_start: timeRange(),
      collection_method: oneOf('charge_automatically', 'send_invoice'),
      customer: text(),
      price: text(),
      status: listStatus,
      test_clock: text(),
    },
    unsupported: names('customer_account plan'),
    run: ({ scope, params: { customer, price, status, test_clock: clock, ...params } }) =>
      page(
        scope.state.subscriptions,
        (subscription) =>
          isWithin(subscription, params) &&
          (customer === undefined || subscription.customer === customer) &&
          // A subscription with a test clock is listed only for its customer or its clock.
          (customer !== undefined || subscription.test_clock === (clock ?? null)) &&
          (price === undefined || subscription.items.data.some((item) => item.price.id === price)) &&
          hasStatus(subscription, status),
        params,
        LIST,
      ),
  }),
  searchOperation(LIST.url, ['canceled_at', 'created', 'metadata', 'status'], (state) => state.subscriptions),
  operation({
    method: 'GET',
    path: '/v1/subscriptions/:id',
    params: {},
    run: ({ scope, id }) => requestedSubscription(scope, id),
  }),
  operation({
    method: 'POST',
    path: '/v1/subscriptions/:id',
    params: updateParams,
    unsupported: unsupportedDetails,
    run: ({ scope, id, params }) => changeSubscription(scope, requestedSubscription(scope, id), params),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/subscriptions/:id',
    params: cancelParams,
    run: ({ scope, id, params: { cancellation_details: reason, invoice_now: invoice, prorate: settle } }) => {
      const subscription = requestedSubscription(scope, id);
      // Stripe answers for a subscription that has ended as if it did not exist.
      if (hasEnded(subscription)) throw noSuchObject('subscription', id);
      const how = { settle: !!settle, invoice: !!invoice, details: given(reason) };
      return endNow(inTimeOf(scope, subscription), subscription, how);
    },
  }),
  operation({
    method: 'DELETE',
    path: '/v1/subscriptions/:id/discount',
    params: {},
    run: ({ scope, id }) => {
      const subscription = requestedSubscription(scope, id);
      const discount = scope.state.discounts.get(subscription.discounts.at(-1) ?? '');
      if (!discount) throw noSuchObject('discount', id);
      endDiscount(inTimeOf(scope, subscription), subscription, discount);
      const rest = Object.entries(discount).filter(([key]) => key !== 'end');
      return { ...Object.fromEntries(rest), deleted: true };
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/subscriptions/:id/pause',
    params: { type: oneOf('subscription') },
    unsupported: ['bill_for', 'invoicing_behavior'],
    run: ({ scope, id }) => {
      const subscription = requestedSubscription(scope, id);
      if (!['active', 'trialing', 'past_due'].includes(subscription.status)) {
        throw notAllowed(`A subscription that is ${subscription.status} cannot be paused.`);
      }
      return pause(inTimeOf(scope, subscription), subscription, 'pause_requested');
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/subscriptions/:id/resume',
    params: resumeParams,
    unsupported: ['proration_date'],
    run: ({ scope, id, params }) => {
      const subscription = requestedSubscription(scope, id);
      resumeFromParams(inTimeOf(scope, subscription), subscription, params);
      return scope.state.subscriptions.latest(subscription);
    },
  }),
];

export function requestedSubscription({ state }: World, id: string): Subscription {
  const subscription = state.subscriptions.get(id);
  if (!subscription) throw noSuchObject('subscription', id);
  return subscription;
}

type Within = (seconds: number) => boolean;

function isWithin(
  { automatic_tax: tax, created, items, collection_method: method }: Subscription,
  wanted: {
    automatic_tax?: { enabled: boolean } | undefined;
    created?: Within | undefined;
    current_period_end?: Within | undefined;
    current_period_start?: Within | undefined;
    collection_method?: string | undefined;
  },
): boolean {
  const { current_period_end: end = (): boolean => true, current_period_start: start = (): boolean => true } =
    wanted;
  return (
    (wanted.automatic_tax === undefined || wanted.automatic_tax.enabled === tax.enabled) &&
    (wanted.created?.(created) ?? true) &&
    items.data.some((item) => end(item.current_period_end) && start(item.current_period_start)) &&
    (wanted.collection_method === undefined || wanted.collection_method === method)
  );
}

/** Without a status, a list has every subscription that is not canceled. */
function hasStatus(subscription: Subscription, wanted: string | undefined): boolean {
  if (wanted === 'all') return true;
  if (wanted === undefined) return subscription.status !== 'canceled';
  if (wanted === 'ended') return hasEnded(subscription);
  return subscription.status === wanted;
}
