import type Stripe from 'stripe';
import type { Config } from '../config.ts';
import type { Services } from '../services.ts';
import { guardStripe } from './stripe-errors.ts';
import { mirrorSubscription, ownerOfCustomer } from './subscription.store.ts';

/**
 * Follows an event of Stripe's. It only tells which subscription to look at: what is stored is the subscription as Stripe
 * has it now, so that events may come twice, late or in any order. Events of other kinds, and of customers that are not
 * ours, are let be.
 */
export async function handleEvent(services: Services, config: Config, event: Stripe.Event): Promise<void> {
  const subject = subscriptionOf(event);
  if (subject === undefined) return;
  const [firestore, stripe] = await Promise.all([services.firestore(), services.stripe()]);
  const owner = await ownerOfCustomer(firestore, subject.customer);
  if (owner === undefined) return;
  await guardStripe(() =>
    mirrorSubscription(
      firestore,
      config.plans,
      owner,
      subject.subscription,
      () => stripe.subscriptions.retrieve(subject.subscription),
      event,
    ),
  );
}

function subscriptionOf(event: Stripe.Event): { customer: string; subscription: string } | undefined {
  switch (event.type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted': {
      const { customer, id } = event.data.object;
      return { customer: idOf(customer), subscription: id };
    }
    case 'checkout.session.completed': {
      const { customer, subscription } = event.data.object;
      if (customer === null || subscription === null) return undefined;
      return { customer: idOf(customer), subscription: idOf(subscription) };
    }
    default:
      return undefined;
  }
}

function idOf(reference: string | { id: string }): string {
  return typeof reference === 'string' ? reference : reference.id;
}
