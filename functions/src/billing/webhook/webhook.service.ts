import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { followPrice, followProduct } from '../catalogue/catalogue.service.ts';
import { followDeletedCustomer } from '../customers/customer-deleted.service.ts';
import { findCustomer } from '../customers/customer.store.ts';
import { followSubscription } from '../subscriptions/sync.service.ts';
import { idOf } from '../stripe/stripe-ids.ts';

/** The kinds of events to send to the webhook; others are let be. */
export const FOLLOWED_EVENTS: readonly string[] = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.trial_will_end',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'price.created',
  'price.updated',
  'price.deleted',
  'product.created',
  'product.updated',
  'product.deleted',
] satisfies Stripe.Event['type'][];

/**
 * Follows an event of Stripe's. It only tells what to look at: what is stored is what Stripe has now, so that events may
 * come twice, late or in any order. Events of customers that are not ours are let be.
 *
 * @throws Refusal 503 when Stripe, or what else it takes, does not answer
 */
export async function handleEvent(backend: Backend, event: Stripe.Event): Promise<void> {
  if (!FOLLOWED_EVENTS.includes(event.type)) return;
  const { object } = event.data;
  switch (object.object) {
    case 'subscription':
      return followSubscriptionOf(backend, event, object.customer, object);
    case 'checkout.session':
      return followSubscriptionOf(backend, event, object.customer, object.subscription);
    case 'invoice': {
      const subscription = object.parent?.subscription_details?.subscription ?? null;
      return followSubscriptionOf(backend, event, object.customer, subscription);
    }
    case 'customer':
      return followDeletedCustomer(backend, object.id, event);
    case 'product':
      return followProduct(backend, object.id, event);
    case 'price':
      return followPrice(backend, object, event);
    default:
      return undefined;
  }
}

type Reference = string | { id: string } | null;

async function followSubscriptionOf(
  backend: Backend,
  event: Stripe.Event,
  customer: Reference,
  subscription: Reference,
): Promise<void> {
  if (customer === null || subscription === null) return;
  const found = await findCustomer(await backend.firestore(), idOf(customer));
  if (found === undefined) return;
  await followSubscription(backend, found.id, idOf(subscription), { event });
}
