import { InvalidParameter, notAllowed, unsupportedParameter } from '../../api/errors.ts';
import { isBankDebit, payingMethod } from '../../billing/payment-methods.ts';
import { hasEnded } from '../../billing/subscriptions/ending.ts';
import type { Subscription } from '../../objects.ts';
import type { World } from '../../world.ts';
import type { UpdateParams } from './subscription-update-params.ts';

/**
 * Parameters that a pending update may have; https://docs.stripe.com/billing/subscriptions/pending-updates-reference.
 */
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

/** Refuses a change that the state of the subscription does not allow. */
export function assertChangeable(world: World, subscription: Subscription, params: UpdateParams): void {
  const { status, schedule: scheduled } = subscription;
  const always: (keyof UpdateParams)[] = ['cancellation_details', 'metadata'];
  const changes = (Object.keys(params) as (keyof UpdateParams)[]).filter((key) => params[key] !== undefined);
  if (params.payment_behavior === 'pending_if_incomplete') assertCanWait(world, subscription, changes);
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

/** Refuses a change that cannot wait for its payment. */
function assertCanWait(
  world: World,
  subscription: Subscription,
  changes: readonly (keyof UpdateParams)[],
): void {
  const strange = changes.find((key) => !PENDING.includes(key));
  if (strange === 'discounts') throw unsupportedParameter('discounts with pending_if_incomplete');
  if (strange !== undefined) {
    throw new InvalidParameter(`\`${strange}\` cannot be used with \`pending_if_incomplete\`.`, strange);
  }
  if (subscription.collection_method === 'send_invoice') {
    throw new InvalidParameter(
      '`pending_if_incomplete` can only be used with `collection_method` set to `charge_automatically`.',
      'payment_behavior',
    );
  }
  const method = payingMethod(world, subscription);
  if (method && isBankDebit(method)) {
    throw new InvalidParameter(
      `\`pending_if_incomplete\` cannot be used with a payment method of the type \`${method.type}\`.`,
      'payment_behavior',
    );
  }
}
