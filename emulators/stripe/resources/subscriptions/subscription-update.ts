import { paymentError, unsupportedParameter } from '../../api/errors.ts';
import type { Failure } from '../../billing/invoices/collect.ts';
import { updateCurrentPhase } from '../../billing/schedules/schedule-object.ts';
import { changeItems } from '../../billing/subscriptions/changing.ts';
import type { Collection } from '../../billing/subscriptions/changing.ts';
import { assertQuantityAllowed } from '../../billing/subscriptions/limits.ts';
import type { Subscription } from '../../objects.ts';
import { inTimeOf, tentatively, update } from '../../world.ts';
import type { Scope } from '../../world.ts';
import { itemsAfter } from '../subscription-items/subscription-items-change.ts';
import { assertChangeable } from './subscription-changeable.ts';
import { detailChanges } from './subscription-details.ts';
import { changeDiscounts } from './subscription-discounts.ts';
import { expireConflictingUpdate, deferUntilPaid } from './subscription-pending.ts';
import { changeTrial } from './subscription-trial.ts';
import type { UpdateParams } from './subscription-update-params.ts';

/** Changes a subscription: its details, its items, its end. The change is made completely or not at all. */
export function changeSubscription(
  unscoped: Scope,
  subscription: Subscription,
  params: UpdateParams,
): Subscription {
  assertChangeable(unscoped, subscription, params);
  const scope = inTimeOf(unscoped, subscription);
  if (params.items) assertQuantityAllowed(scope, subscription);
  const { payment_behavior: behavior } = params;
  try {
    return tentatively(scope, (trial) => {
      const failure = applyChange(trial, subscription, params);
      if (failure && behavior !== 'allow_incomplete' && behavior !== undefined) throw new Unpaid(failure);
      return trial.state.subscriptions.latest(subscription);
    });
  } catch (error) {
    if (!(error instanceof Unpaid)) throw error;
    if (behavior !== 'pending_if_incomplete') throw paymentError(error.failure);
    return tentatively(scope, (trial) => deferUntilPaid(trial, subscription, params, applyChange));
  }
}

/** The invoice of a change was not paid, and the parameters require payment for the change. */
class Unpaid extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Makes each part of a change and collects its invoice. Returns why the invoice was not paid, or null. */
function applyChange(scope: Scope, given: Subscription, params: UpdateParams): Failure | null {
  const { subscriptions } = scope.state;
  const subscription = expireConflictingUpdate(scope, given, params);
  const detailed = update(
    scope,
    'customer.subscription.updated',
    subscription,
    detailChanges(scope, subscription, params),
  );
  changeDiscounts(scope, detailed, params.discounts);
  const discounted = subscriptions.latest(detailed);
  const failure = changeTrialAndItems(scope, discounted, params);
  if (params.items || params.discounts !== undefined) updateCurrentPhase(scope, discounted);
  return failure;
}

/** If the trial ends now, the items change first: the invoice of the first paid period then has the new items. */
function changeTrialAndItems(scope: Scope, subscription: Subscription, params: UpdateParams): Failure | null {
  const latest = () => scope.state.subscriptions.latest(subscription);
  const trial = () => changeTrial(scope, latest(), params.trial_end, collectionOf(params));
  const items = () => changeWhatIsPaid(scope, latest(), params);
  const endsTrial = params.trial_end === 'now' && !params.billing_cycle_anchor;
  return endsTrial ? (items() ?? trial()) : (trial() ?? items());
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
