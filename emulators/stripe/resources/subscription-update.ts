import {
  paymentError,
  InvalidParameter,
  missingParameter,
  notAllowed,
  noSuchReference,
} from '../api/errors.ts';
import { mergeMetadata } from '../api/metadata.ts';
import { clearable, integer, oneOf, required, shape, text } from '../api/params.ts';
import type { Parsed } from '../api/params.ts';
import { changeItems, invoiceChange } from '../billing/changing.ts';
import type { Failure } from '../billing/collect.ts';
import { endDiscount, redeem } from '../billing/discounts.ts';
import { tellTrialEnd, TRIAL_NOTICE } from '../billing/elapse.ts';
import { cancellation, endingAt, hasEnded, scheduledEnd } from '../billing/ending.ts';
import type { CancellationReason } from '../billing/ending.ts';
import { customerOf } from '../billing/invoices.ts';
import { itemsFrom } from '../billing/renewing.ts';
import { newItem } from '../billing/subscription-object.ts';
import { byId } from '../state.ts';
import type { Subscription, SubscriptionItem } from '../state.ts';
import { inTimeOf, tentatively, update } from '../world.ts';
import type { Scope } from '../world.ts';
import { referencedMethod } from './payment-methods.ts';
import { planOf, usablePrice } from './prices.ts';
import {
  cancellationDetails,
  changedItems,
  paymentBehavior,
  subscriptionDetails,
} from './subscription-params.ts';

export const updateParams = {
  ...subscriptionDetails,
  cancel_at: clearable(integer(0)),
  cancellation_details: cancellationDetails,
  description: clearable(text(500)),
  items: changedItems,
  pause_collection: clearable(
    shape({
      behavior: required(oneOf('keep_as_draft', 'mark_uncollectible', 'void')),
      resumes_at: integer(0),
    }),
  ),
  payment_behavior: paymentBehavior,
  proration_date: integer(0),
};

export type UpdateParams = Parsed<typeof updateParams>;

/** No change at all, to begin with. */
export const UNCHANGED: UpdateParams = {
  automatic_tax: undefined,
  cancel_at: undefined,
  cancel_at_period_end: undefined,
  cancellation_details: undefined,
  default_payment_method: undefined,
  description: undefined,
  discounts: undefined,
  items: undefined,
  metadata: undefined,
  pause_collection: undefined,
  payment_behavior: undefined,
  proration_behavior: undefined,
  proration_date: undefined,
  trial_end: undefined,
  trial_settings: undefined,
};

/** Changes a subscription: what it is called, what it is for, when it ends; wholly, or not at all. */
export function changeSubscription(
  unscoped: Scope,
  subscription: Subscription,
  params: UpdateParams,
): Subscription {
  assertChangeable(subscription, params);
  return tentatively(inTimeOf(unscoped, subscription), (scope) => {
    const copy = byId(scope.state.subscriptions, subscription.id) ?? subscription;
    update(scope, 'customer.subscription.updated', copy, detailChanges(scope, copy, params));
    changeDiscounts(scope, copy, params.discounts);
    const failure = changeTrial(scope, copy, params.trial_end) ?? changeWhatIsPaid(scope, copy, params);
    if (failure && params.payment_behavior === 'error_if_incomplete') throw paymentError(failure);
    return copy;
  });
}

function assertChangeable({ status }: Subscription, params: UpdateParams): void {
  const always: (keyof UpdateParams)[] = ['cancellation_details', 'metadata'];
  const changes = (Object.keys(params) as (keyof UpdateParams)[]).filter((key) => params[key] !== undefined);
  if (changes.every((key) => always.includes(key))) return;
  if (hasEnded({ status })) {
    throw notAllowed('A canceled subscription can only update its cancellation_details and metadata.');
  }
  if (status === 'incomplete' && params.items) {
    throw notAllowed('The items of a subscription cannot be changed while it is incomplete.');
  }
}

function changeWhatIsPaid(scope: Scope, subscription: Subscription, params: UpdateParams): Failure | null {
  if (!params.items) return null;
  return changeItems(scope, subscription, itemsAfter(scope, subscription, params.items), {
    behavior: params.proration_behavior ?? 'create_prorations',
    date: params.proration_date,
  });
}

/** The items after a change: those that are not named stay. */
export function itemsAfter(
  scope: Scope,
  subscription: Subscription,
  given: NonNullable<UpdateParams['items']>,
): SubscriptionItem[] {
  const items = new Map(subscription.items.data.map((item) => [item.id, item]));
  for (const [index, { id, deleted, ...change }] of given.entries()) {
    const existing = id === undefined ? undefined : items.get(id);
    if (id !== undefined && !existing) throw noSuchReference('subscription item', id, `items[${index}][id]`);
    if (deleted) {
      if (!existing) throw missingParameter(`items[${index}][id]`);
      items.delete(existing.id);
    } else {
      const item = existing ?? addedItem(scope, subscription, change.price, index);
      items.set(item.id, changedItem(scope, item, change, index));
    }
  }
  if (items.size === 0) throw notAllowed('A subscription must have at least one active item.');
  return [...items.values()];
}

function changedItem(
  scope: Scope,
  item: SubscriptionItem,
  change: {
    price?: string | undefined;
    quantity?: number | undefined;
    metadata?: ReadonlyMap<string, string> | null | undefined;
  },
  index: number,
): SubscriptionItem {
  const price =
    change.price === undefined || change.price === item.price.id
      ? item.price
      : usablePrice(scope, change.price, `items[${index}][price]`);
  return {
    ...item,
    metadata: mergeMetadata(item.metadata, change.metadata),
    plan: planOf(price),
    price,
    quantity: change.quantity ?? item.quantity,
  };
}

function addedItem(
  scope: Scope,
  subscription: Subscription,
  priceId: string | undefined,
  index: number,
): SubscriptionItem {
  if (priceId === undefined) throw missingParameter(`items[${index}][price]`);
  const price = usablePrice(scope, priceId, `items[${index}][price]`);
  const [first] = subscription.items.data;
  return {
    ...newItem(subscription.id, scope.now(), { price, quantity: 1 }, first?.current_period_end ?? null),
    current_period_start: first?.current_period_start ?? scope.now(),
  };
}

/** Another end for the trial: now, which begins the first paid period, or a time to come. */
function changeTrial(
  scope: Scope,
  subscription: Subscription,
  end: UpdateParams['trial_end'],
): Failure | null {
  const now = scope.now();
  if (end === undefined || (end === 'now' && subscription.status !== 'trialing')) return null;
  if (end !== 'now' && end <= now)
    throw new InvalidParameter('Invalid timestamp: must be in the future', 'trial_end');
  const until = end === 'now' ? now : end;
  if (end === 'now') tellTrialEnd(scope, subscription, now);
  update(scope, 'customer.subscription.updated', subscription, {
    billing_cycle_anchor: until,
    items:
      end === 'now'
        ? itemsFrom(subscription, now, now)
        : {
            ...subscription.items,
            data: subscription.items.data.map((item) => ({ ...item, current_period_end: until })),
          },
    status: end === 'now' ? 'active' : 'trialing',
    trial_end: until,
    trial_start: subscription.trial_start ?? now,
  });
  if (end === 'now') return invoiceChange(scope, subscription, true);
  if (until - now < TRIAL_NOTICE) tellTrialEnd(scope, subscription, until);
  return null;
}

/** The discounts that are named by their own id stay, the others are redeemed, and what is not named ends. */
function changeDiscounts(scope: Scope, subscription: Subscription, given: UpdateParams['discounts']): void {
  if (given === undefined) return;
  const requests = given ?? [];
  const kept = new Set(requests.map(({ discount }) => discount));
  for (const id of subscription.discounts) {
    const discount = byId(scope.state.discounts, id);
    if (discount && !kept.has(id)) endDiscount(scope, subscription, discount);
  }
  const added = redeem(
    scope,
    requests.filter(({ discount }) => discount === undefined),
    customerOf(scope, subscription),
    { subscription: subscription.id, session: null },
  );
  update(scope, 'customer.subscription.updated', subscription, {
    discounts: [...subscription.discounts, ...added.map(({ id }) => id)],
  });
}

/** Changes that cost nothing. */
function detailChanges(
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
    ...(paused !== undefined && {
      pause_collection: paused && { behavior: paused.behavior, resumes_at: paused.resumes_at ?? null },
    }),
    ...(trial && { trial_settings: { end_behavior: { billing_cycle_anchor: null, ...trial.end_behavior } } }),
    metadata: mergeMetadata(subscription.metadata, params.metadata),
  };
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
    if (cancelAt !== null && cancelAt <= scope.now()) {
      throw new InvalidParameter('Invalid timestamp: must be in the future', 'cancel_at');
    }
    return { cancel_at_period_end: false, ...endingAt(scope, subscription, cancelAt) };
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
