import { InvalidParameter } from '../../api/errors.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { periodEnd } from '../../billing/period.ts';
import { cancellation, endingAt, scheduledEnd } from '../../billing/subscriptions/ending.ts';
import type { CancellationReason } from '../../billing/subscriptions/ending.ts';
import type { Subscription } from '../../objects.ts';
import type { Scope } from '../../world.ts';
import { referencedMethod } from '../customers/payment-methods.ts';
import type { UpdateParams } from './subscription-update-params.ts';

/** Changes that cost nothing. */
export function detailChanges(
  scope: Scope,
  subscription: Subscription,
  params: UpdateParams,
): Partial<Subscription> {
  const end = endChange(scope, subscription, params);
  const { automatic_tax: tax, pause_collection: paused, trial_settings: trial, description } = params;
  return {
    ...end,
    ...reasonChange({ ...subscription, ...end }, params.cancellation_details),
    ...(description !== undefined && { description }),
    ...collectionChange(subscription, params),
    ...(tax && {
      automatic_tax: {
        disabled_reason: null,
        enabled: tax.enabled,
        liability: tax.enabled ? { type: 'self' } : null,
      },
    }),
    ...(params.default_payment_method !== undefined && {
      default_payment_method: referencedMethod(
        scope,
        params.default_payment_method,
        { id: subscription.customer },
        'default_payment_method',
      ).id,
    }),
    ...(paused !== undefined && { pause_collection: paused && pausedCollection(scope, paused) }),
    ...(trial && { trial_settings: { end_behavior: { billing_cycle_anchor: null, ...trial.end_behavior } } }),
    metadata: mergeMetadata(subscription.metadata, params.metadata),
  };
}

/** https://docs.stripe.com/billing/collection-method */
function collectionChange(
  subscription: Subscription,
  { collection_method: given, days_until_due: days }: UpdateParams,
): Partial<Subscription> {
  const method = given ?? subscription.collection_method;
  if (method === 'charge_automatically') {
    if (days === undefined) return { collection_method: method, days_until_due: null };
    throw new InvalidParameter(
      'You can only set `days_until_due` if `collection_method` is `send_invoice`.',
      'days_until_due',
    );
  }
  const due = days ?? subscription.days_until_due;
  if (due !== null) return { collection_method: method, days_until_due: due };
  throw new InvalidParameter(
    'You must set `days_until_due` if `collection_method` is `send_invoice`.',
    'days_until_due',
  );
}

function pausedCollection(
  scope: Scope,
  { behavior, resumes_at: resumes }: NonNullable<UpdateParams['pause_collection']>,
): Subscription['pause_collection'] {
  if (resumes !== undefined && resumes <= scope.now()) {
    throw new InvalidParameter('Invalid timestamp: must be in the future', 'pause_collection[resumes_at]');
  }
  return { behavior, resumes_at: resumes ?? null };
}

function endChange(
  scope: Scope,
  subscription: Subscription,
  { cancel_at: cancelAt, cancel_at_period_end: atPeriodEnd }: UpdateParams,
): Partial<Subscription> {
  if (cancelAt !== undefined && atPeriodEnd) {
    throw new InvalidParameter(
      'You may only specify one of these parameters: cancel_at, cancel_at_period_end.',
      'cancel_at',
    );
  }
  if (cancelAt !== undefined) {
    const end = typeof cancelAt === 'string' ? periodEnd(subscription) : cancelAt;
    if (end !== null && end <= scope.now()) {
      throw new InvalidParameter('Invalid timestamp: must be in the future', 'cancel_at');
    }
    return { cancel_at_period_end: false, ...endingAt(scope, subscription, end) };
  }
  return atPeriodEnd === undefined ? {} : scheduledEnd(scope, subscription, atPeriodEnd);
}

function reasonChange(
  subscription: Subscription,
  reason: UpdateParams['cancellation_details'],
): Partial<Subscription> {
  if (!reason) return {};
  const details = subscription.cancellation_details;
  return { cancellation_details: cancellation(subscription, given(reason), details?.reason ?? null) };
}

/** The reason as far as it was given. */
export function given(reason: UpdateParams['cancellation_details']): CancellationReason {
  return {
    ...(reason?.comment !== undefined && { comment: reason.comment }),
    ...(reason?.feedback !== undefined && { feedback: reason.feedback }),
  };
}
