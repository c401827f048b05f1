import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import { logFault } from '../../../common/log.ts';
import { isInvalidRequest, withStripeRefusals } from '../../stripe/stripe-errors.ts';
import { idOf } from '../../stripe/stripe-ids.ts';
import { readPlanSubscription } from '../from-stripe/plan-subscriptions.service.ts';
import { isRunning } from '../status.ts';

/** How often we update a subscription before we log a fault for an operator. */
const MAX_ATTEMPTS = 3;

/** Our customer, and its Stripe customer. */
export interface PayingCustomer {
  customerId: string;
  stripeCustomerId: string;
}

/**
 * Makes the running subscriptions to plans pay with the customer's default payment method, after the customer has
 * changed it. A subscription has a payment method of its own since its checkout, and Stripe charges that one.
 * https://docs.stripe.com/billing/revenue-recovery/smart-retries#payment-method-ordering
 *
 * Do not call it without such a change: the customer may have chosen another payment method for one subscription.
 *
 * Asks Stripe again after each update, because the customer may have changed the payment method once more. Idempotent.
 * Makes one call to Stripe if all subscriptions are right.
 */
export async function syncPaymentMethod(backend: Backend, customer: PayingCustomer): Promise<void> {
  let error: unknown;
  for (let attempt = 0; ; attempt++) {
    const wrong = await findWithOtherMethod(backend, customer);
    if (wrong.length === 0) return;
    if (attempt === MAX_ATTEMPTS) {
      const concerned = {
        customerId: customer.customerId,
        subscriptionIds: wrong.map(({ id }) => id).join(' '),
      };
      logFault('A subscription does not pay with the new payment method', concerned, error);
      return;
    }
    for (const change of wrong) error = (await setMethod(backend, change)) ?? error;
  }
}

/** A subscription, and the payment method that it should have. */
interface MethodChange {
  id: string;
  paymentMethodId: string;
}

async function findWithOtherMethod(
  backend: Backend,
  { customerId, stripeCustomerId }: PayingCustomer,
): Promise<MethodChange[]> {
  const { subscriptions } = await backend.stripe();
  const { data } = await withStripeRefusals(() =>
    subscriptions.list({ customer: stripeCustomerId, limit: 100, expand: ['data.customer'] }),
  );
  const found: MethodChange[] = [];
  for (const subscription of data) {
    const paymentMethodId = wantedMethodOf(subscription);
    if (paymentMethodId === undefined) continue;
    const paysForPlan = (await readPlanSubscription(backend, customerId, subscription)) !== undefined;
    if (paysForPlan) found.push({ id: subscription.id, paymentMethodId });
  }
  return found;
}

/**
 * The customer's default payment method, if the subscription has another one. Undefined for a subscription without a
 * payment method of its own: Stripe charges the customer's default then.
 *
 * @param subscription with `customer` expanded
 */
function wantedMethodOf(subscription: Stripe.Subscription): string | undefined {
  const { collection_method, customer, default_payment_method: own } = subscription;
  if (!isRunning(subscription) || collection_method !== 'charge_automatically' || own === null)
    return undefined;
  if (typeof customer === 'string' || customer.deleted === true) return undefined;
  const wanted = customer.invoice_settings.default_payment_method;
  return wanted === null || idOf(wanted) === idOf(own) ? undefined : idOf(wanted);
}

/** @returns the error if Stripe rejects the change, for example because the subscription has ended meanwhile */
async function setMethod(backend: Backend, { id, paymentMethodId }: MethodChange): Promise<unknown> {
  const { subscriptions } = await backend.stripe();
  try {
    await withStripeRefusals(() => subscriptions.update(id, { default_payment_method: paymentMethodId }));
    return undefined;
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
    return error;
  }
}
