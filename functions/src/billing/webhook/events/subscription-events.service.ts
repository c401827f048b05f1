import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import { withdrawAndExpireCheckout } from '../../checkout/stored/withdraw-checkout.service.ts';
import { findByStripeCustomer } from '../../customers/customer.store.ts';
import { subscriptionIdOf } from '../../stripe/invoice.ts';
import { idOf, type StripeReference } from '../../stripe/stripe-ids.ts';
import { syncAndResolveOverlaps } from '../../subscriptions/overlap/overlap.service.ts';
import { isReplaceable } from '../../subscriptions/overlap/overlap.ts';
import { planItemIfRunning } from '../../subscriptions/plan-item.ts';
import type { SyncedCustomer } from '../../subscriptions/sync/sync-shapes.ts';
import type { EventIdAndType } from '../../synced-events.store.ts';
import type { EventAbout } from './event-about.ts';

export async function syncSubscriptionOfEvent(
  backend: Backend,
  event: EventAbout<Stripe.Subscription>,
): Promise<void> {
  const { customer, id } = event.data.object;
  await syncIfOurCustomer(backend, event, { stripeCustomer: customer, subscription: id });
}

export async function syncNewSubscriptionOfEvent(
  backend: Backend,
  event: EventAbout<Stripe.Subscription>,
): Promise<void> {
  const { customer, id } = event.data.object;
  const synced = await syncIfOurCustomer(backend, event, { stripeCustomer: customer, subscription: id });
  if (synced !== undefined) await expireOpenCheckout(backend, synced);
}

/**
 * Expires a checkout that is still open, because the customer has got a plan in another way and could pay twice.
 * Example: a person made a subscription in Stripe's dashboard.
 */
async function expireOpenCheckout(
  backend: Backend,
  { customerId, runningCopies }: SyncedCustomer,
): Promise<void> {
  const { plans } = backend.config;
  const now = backend.now();
  const hasPlan = runningCopies.some(
    ({ data }) => planItemIfRunning(data, plans) && !isReplaceable(data, now),
  );
  if (hasPlan) await withdrawAndExpireCheckout(backend, customerId);
}

export async function syncInvoiceOfEvent(backend: Backend, event: EventAbout<Stripe.Invoice>): Promise<void> {
  const invoice = event.data.object;
  await syncIfOurCustomer(backend, event, {
    stripeCustomer: invoice.customer,
    subscription: subscriptionIdOf(invoice),
  });
}

/** Ids or objects of Stripe. */
interface SubscriptionReferences {
  stripeCustomer: StripeReference | null;
  subscription: StripeReference | undefined;
}

/** @returns undefined without a subscription, or if none of our customers has the Stripe customer */
export async function syncIfOurCustomer(
  backend: Backend,
  event: EventIdAndType,
  { stripeCustomer, subscription }: SubscriptionReferences,
): Promise<SyncedCustomer | undefined> {
  if (subscription === undefined) return undefined;
  const found = await findByStripeCustomer(backend.db, stripeCustomer);
  if (found === undefined) return undefined;
  return syncAndResolveOverlaps(backend, found.id, idOf(subscription), { event });
}
