import { InvalidParameter, notAllowed, paymentError, unsupportedParameter } from '../api/errors.ts';
import { mergeMetadata } from '../api/metadata.ts';
import { clearable, integer, oneOf, required, shape, text } from '../api/params.ts';
import type { Parsed } from '../api/params.ts';
import { changeItems, invoiceChange } from '../billing/changing.ts';
import type { Collection } from '../billing/changing.ts';
import { collect } from '../billing/collect.ts';
import type { Failure } from '../billing/collect.ts';
import { endDiscount, redeem } from '../billing/discounts.ts';
import { tellTrialEnd, TRIAL_NOTICE } from '../billing/elapse.ts';
import { hasEnded } from '../billing/ending.ts';
import { customerOf } from '../billing/invoices.ts';
import { assertQuantityAllowed } from '../billing/limits.ts';
import { expirePendingUpdate, storePendingUpdate } from '../billing/pending-update.ts';
import { itemsFrom } from '../billing/renewing.ts';
import { followItems } from '../billing/schedule-object.ts';
import { byId } from '../state.ts';
import type { Event, Subscription } from '../state.ts';
import { inTimeOf, tentatively, update } from '../world.ts';
import type { Scope } from '../world.ts';
import { detailChanges } from './subscription-details.ts';
import { itemsAfter } from './subscription-items-change.ts';
import {
  cancellationDetails,
  changedItems,
  endTime,
  paymentBehavior,
  subscriptionDetails,
} from './subscription-params.ts';

export const updateParams = {
  ...subscriptionDetails,
  billing_cycle_anchor: shape({ type: required(oneOf('now', 'unchanged')) }),
  cancel_at: clearable(endTime),
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
  billing_cycle_anchor: undefined,
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

/** Changes a subscription: its details, its items, its end; wholly, or not at all. */
export function changeSubscription(
  unscoped: Scope,
  subscription: Subscription,
  params: UpdateParams,
): Subscription {
  assertChangeable(subscription, params);
  if (params.items) assertQuantityAllowed(inTimeOf(unscoped, subscription), subscription);
  const scope = inTimeOf(unscoped, subscription);
  const { payment_behavior: behavior } = params;
  try {
    return tentatively(scope, (trial) => {
      const copy = copyIn(trial, subscription);
      const failure = applyChange(trial, copy, params);
      if (failure && behavior !== 'allow_incomplete' && behavior !== undefined) throw new Unpaid(failure);
      return copy;
    });
  } catch (error) {
    if (!(error instanceof Unpaid)) throw error;
    if (behavior !== 'pending_if_incomplete') throw paymentError(error.failure);
    return tentatively(scope, (trial) => holdBack(trial, copyIn(trial, subscription), params));
  }
}

/** The invoice of a change was not paid, and the change was not to happen then. */
class Unpaid extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

function copyIn({ state }: Scope, subscription: Subscription): Subscription {
  return byId(state.subscriptions, subscription.id) ?? subscription;
}

/** Parameters that a pending update may have; https://docs.stripe.com/billing/subscriptions/pending-updates-reference. */
const PENDING: readonly (keyof UpdateParams)[] = [
  'billing_cycle_anchor',
  'cancel_at_period_end',
  'items',
  'metadata',
  'payment_behavior',
  'proration_behavior',
  'proration_date',
  'trial_end',
];

function assertChangeable({ status, schedule: scheduled }: Subscription, params: UpdateParams): void {
  const always: (keyof UpdateParams)[] = ['cancellation_details', 'metadata'];
  const changes = (Object.keys(params) as (keyof UpdateParams)[]).filter((key) => params[key] !== undefined);
  const strange = changes.find((key) => !PENDING.includes(key));
  if (params.payment_behavior === 'pending_if_incomplete' && strange !== undefined) {
    if (strange === 'discounts') throw unsupportedParameter('discounts with pending_if_incomplete');
    throw new InvalidParameter(`\`${strange}\` cannot be used with \`pending_if_incomplete\`.`, strange);
  }
  if (changes.every((key) => always.includes(key))) return;
  if (scheduled !== null && (params.cancel_at !== undefined || params.cancel_at_period_end !== undefined)) {
    throw notAllowed(
      `The subscription is managed by the subscription schedule \`${scheduled}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    );
  }
  if (hasEnded({ status })) {
    throw notAllowed('A canceled subscription can only update its cancellation_details and metadata.');
  }
  if (status === 'incomplete' && params.items) {
    throw notAllowed('The items of a subscription cannot be changed while it is incomplete.');
  }
}

function applyChange(scope: Scope, subscription: Subscription, params: UpdateParams): Failure | null {
  if (conflictsWithPending(subscription, params)) expirePendingUpdate(scope, subscription);
  update(scope, 'customer.subscription.updated', subscription, detailChanges(scope, subscription, params));
  changeDiscounts(scope, subscription, params.discounts);
  const failure = changeTrial(scope, subscription, params) ?? changeWhatIsPaid(scope, subscription, params);
  if (params.items) followItems(scope, subscription);
  return failure;
}

/** A change of what a pending update would change discards that one. */
function conflictsWithPending({ pending_update: pending }: Subscription, params: UpdateParams): boolean {
  const { cancel_at_period_end: ends, items, trial_end: trialEnd, billing_cycle_anchor: anchor } = params;
  const otherEnd = ends !== undefined && typeof pending?.cancel_at_period_end === 'boolean';
  return pending !== null && (items !== undefined || trialEnd !== undefined || !!anchor || otherEnd);
}

/** Makes the invoice of a change, and stores the change until that is paid. */
function holdBack(scope: Scope, subscription: Subscription, params: UpdateParams): Subscription {
  if (conflictsWithPending(subscription, params)) expirePendingUpdate(scope, subscription);
  const before = structuredClone(subscription);
  const invoice = withoutSubscriptionEvents(scope, (quiet) => {
    applyChange(quiet, subscription, { ...params, payment_behavior: 'default_incomplete' });
    return byId(quiet.state.invoices, subscription.latest_invoice ?? '');
  });
  const after = differences(before, subscription);
  Object.assign(subscription, before);
  if (!invoice) return subscription;
  // Only the customer pays it: there are no further attempts.
  invoice.auto_advance = false;
  const shown = { metadata: params.metadata ? mergeMetadata({}, params.metadata) : null };
  storePendingUpdate(scope, subscription, { invoice, after, shown });
  collect(scope, invoice, { asked: true });
  return subscription;
}

/** The fields that a change sets, without those that are set whenever it is stored. */
function differences(before: Subscription, after: Subscription): Partial<Subscription> {
  const apart: (keyof Subscription)[] = ['latest_invoice', 'metadata', 'pending_update', 'status'];
  const changed = (Object.keys(after) as (keyof Subscription)[]).filter(
    (key) => !apart.includes(key) && JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  return {
    ...Object.fromEntries(changed.map((key) => [key, structuredClone(after[key])])),
    // A trial that an update ends is over once the update is applied.
    ...(before.status === 'trialing' && { status: 'active' as const }),
  };
}

function withoutSubscriptionEvents<T>(scope: Scope, work: (quiet: Scope) => T): T {
  const isTold = ({ type }: Event): boolean => !type.startsWith('customer.subscription.');
  const known = scope.state.events.length;
  const result = work({
    ...scope,
    deliver: (event) => {
      if (isTold(event)) scope.deliver(event);
    },
  });
  scope.state.events = scope.state.events.filter((event, index) => index < known || isTold(event));
  return result;
}

function collectionOf({ payment_behavior: behavior }: UpdateParams): Collection {
  return behavior === 'default_incomplete' ? 'later' : 'now';
}

function changeWhatIsPaid(scope: Scope, subscription: Subscription, params: UpdateParams): Failure | null {
  const reset = params.billing_cycle_anchor?.type === 'now';
  if (!params.items && !reset) return null;
  if (reset && subscription.status === 'trialing') {
    throw unsupportedParameter('billing_cycle_anchor[type]=now during a trial');
  }
  return changeItems(scope, subscription, itemsAfter(scope, subscription, params.items ?? []), {
    behavior: params.proration_behavior ?? 'create_prorations',
    collection: collectionOf(params),
    date: params.proration_date,
    reset,
  });
}

/** Another end for the trial: now, which begins the first paid period, or a time to come. */
function changeTrial(scope: Scope, subscription: Subscription, params: UpdateParams): Failure | null {
  const { trial_end: end } = params;
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
  if (end === 'now')
    return invoiceChange(scope, subscription, { period: true, collection: collectionOf(params) });
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
