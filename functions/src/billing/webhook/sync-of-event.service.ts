/** Syncs the object of an event. `STEPS` of webhook.service.ts lists the function for each type of event. */
import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { syncPrice, syncProduct } from '../catalogue/catalogue.service.ts';
import { adoptCheckout, nameStripeCustomer } from '../customers/adopt/adopt.service.ts';
import { syncDeletedCustomer } from '../customers/customer-deleted.service.ts';
import { findCustomer } from '../customers/customer.store.ts';
import { syncEntitlements } from '../customers/entitlements/sync-entitlements.service.ts';
import { purchaseInMetadata } from '../settlement/purchase-metadata.ts';
import { syncOneTimePurchase } from '../settlement/sync-purchase.service.ts';
import { subscriptionIdOf } from '../stripe/invoice.ts';
import type { EventHead } from '../stripe/processed-events.ts';
import { guardStripe } from '../stripe/stripe-errors.ts';
import { idOf, type StripeReference } from '../stripe/stripe-ids.ts';
import { syncAndResolveOverlaps } from '../subscriptions/overlap/overlap.service.ts';
import type { SyncResult } from '../subscriptions/sync/sync-result.ts';
import { expireOpenCheckout } from './expire-open-checkout.service.ts';

/** The part of an event that these functions read: its head, and the object as Stripe sent it. */
interface EventAbout<StripeObject> extends EventHead {
  data: { object: StripeObject };
}

export async function syncSubscriptionOfEvent(
  backend: Backend,
  event: EventAbout<Stripe.Subscription>,
): Promise<void> {
  const { customer: stripeCustomer, id } = event.data.object;
  await syncIfOurs(backend, event, { stripeCustomer, subscription: id });
}

/** Syncs a new subscription. Also expires a checkout that is still open, because the customer could pay twice. */
export async function syncNewSubscriptionOfEvent(
  backend: Backend,
  event: EventAbout<Stripe.Subscription>,
): Promise<void> {
  const { customer: stripeCustomer, id } = event.data.object;
  const synced = await syncIfOurs(backend, event, { stripeCustomer, subscription: id });
  if (synced !== undefined) await expireOpenCheckout(backend, synced.customerId, synced.result);
}

/** Syncs the subscription that an invoice is for. */
export async function syncInvoiceOfEvent(backend: Backend, event: EventAbout<Stripe.Invoice>): Promise<void> {
  const invoice = event.data.object;
  await syncIfOurs(backend, event, {
    stripeCustomer: invoice.customer,
    subscription: subscriptionIdOf(invoice),
  });
}

/**
 * Syncs the one-time purchase or the subscription of a checkout. If none of our customers has the Stripe customer, as
 * after a payment link, the Stripe customer is first linked to the user or team that the session names. Later events
 * then find our customer.
 */
export async function syncCheckoutOfEvent(
  backend: Backend,
  event: EventAbout<Stripe.Checkout.Session>,
): Promise<void> {
  const session = event.data.object;
  if (await syncPurchaseInMetadata(backend, event, session)) return;
  const { customer: stripeCustomer, subscription } = session;
  if (stripeCustomer === null || subscription === null) return;
  const found = await findCustomer(backend.db, stripeCustomer);
  if (found === undefined) {
    const adopted = await adoptCheckout(backend, session);
    // The event about the entitlements may have come before the customer was linked.
    if (adopted !== undefined) await syncEntitlements(backend, adopted);
  } else if (found.customer.metadataMissing === true) {
    // The process died after the link, before the metadata was written.
    await nameStripeCustomer(
      backend,
      { type: found.customer.type, customerId: found.id },
      idOf(stripeCustomer),
    );
    await syncEntitlements(backend, found.id);
  }
  await syncIfOurs(backend, event, { stripeCustomer, subscription });
}

/** Syncs the one-time purchase that a charge has paid for. */
export async function syncChargeOfEvent(backend: Backend, event: EventAbout<Stripe.Charge>): Promise<void> {
  await syncPurchaseInMetadata(backend, event, event.data.object);
}

/**
 * Syncs the one-time purchase whose charge is disputed. Makes one call to Stripe more than `syncChargeOfEvent`, because
 * the event has only the id of the charge.
 */
export async function syncDisputeOfEvent(backend: Backend, event: EventAbout<Stripe.Dispute>): Promise<void> {
  const { charges } = await backend.stripe();
  const charge = await guardStripe(() => charges.retrieve(idOf(event.data.object.charge)));
  await syncPurchaseInMetadata(backend, event, charge);
}

export async function syncEntitlementsOfEvent(
  backend: Backend,
  event: EventAbout<Stripe.Entitlements.ActiveEntitlementSummary>,
): Promise<void> {
  const found = await findCustomer(backend.db, event.data.object.customer);
  if (found !== undefined) await syncEntitlements(backend, found.id, event);
}

export async function syncDeletedCustomerOfEvent(
  backend: Backend,
  event: EventAbout<{ id: string }>,
): Promise<void> {
  await syncDeletedCustomer(backend, event.data.object.id, event);
}

export async function syncProductOfEvent(backend: Backend, event: EventAbout<{ id: string }>): Promise<void> {
  await syncProduct(backend, event.data.object.id, event);
}

export async function syncPriceOfEvent(
  backend: Backend,
  event: EventAbout<Pick<Stripe.Price, 'id' | 'product'>>,
): Promise<void> {
  await syncPrice(backend, event.data.object, event);
}

interface SyncedCustomer {
  customerId: string;
  result: SyncResult;
}

/**
 * Syncs a subscription if its Stripe customer belongs to one of our customers.
 *
 * @returns undefined if nothing was synced, or our customer no longer exists
 */
async function syncIfOurs(
  backend: Backend,
  event: EventHead,
  {
    stripeCustomer,
    subscription,
  }: { stripeCustomer: StripeReference | null; subscription: StripeReference | undefined },
): Promise<SyncedCustomer | undefined> {
  const found = subscription && (await findCustomer(backend.db, stripeCustomer));
  if (!found) return undefined;
  const result = await syncAndResolveOverlaps(backend, found.id, idOf(subscription), { event });
  return result && { customerId: found.id, result };
}

/** @returns false if the metadata names no purchase, and nothing was synced */
async function syncPurchaseInMetadata(
  backend: Backend,
  event: EventHead,
  object: { metadata: Stripe.Metadata | null },
): Promise<boolean> {
  const target = purchaseInMetadata(object);
  if (target !== undefined) await syncOneTimePurchase(backend, { ...target, event });
  return target !== undefined;
}
