import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { writeLog } from '../../common/log.ts';
import { syncPrice, syncProduct } from '../catalogue/catalogue.service.ts';
import { withdrawAndExpireCheckout } from '../checkout/stored/withdraw-checkout.service.ts';
import { adoptByMetadata, completeInterruptedLink } from '../customers/adoption/adopt.service.ts';
import { syncDeletedStripeCustomer } from '../customers/customer-deleted.service.ts';
import { findByStripeCustomer } from '../customers/customer.store.ts';
import { syncEntitlements } from '../customers/sync-entitlements.service.ts';
import type { EventHead } from '../processed-events.store.ts';
import { cancelIfCovered } from '../purchases/covered.service.ts';
import { purchaseInMetadata } from '../purchases/purchase-metadata.ts';
import { syncOneTimePurchase } from '../purchases/sync-purchase.service.ts';
import { subscriptionIdOf } from '../stripe/invoice.ts';
import { withStripeRefusals } from '../stripe/stripe-errors.ts';
import { idOf, type StripeReference } from '../stripe/stripe-ids.ts';
import { syncAndResolveOverlaps } from '../subscriptions/overlap/overlap.service.ts';
import { isReplaceable } from '../subscriptions/overlap/overlap.ts';
import { planItemIfRunning } from '../subscriptions/plan-item.ts';
import { syncPaymentMethod } from '../subscriptions/sync/payment-method.service.ts';
import type { SyncedCustomer } from '../subscriptions/sync/sync-shapes.ts';

/** An event with the object as Stripe sent it. */
interface EventAbout<StripeObject> extends EventHead {
  data: { object: StripeObject };
}

export async function syncSubscriptionOfEvent(
  backend: Backend,
  event: EventAbout<Stripe.Subscription>,
): Promise<void> {
  const { customer, id } = event.data.object;
  await syncIfOurs(backend, event, { stripeCustomer: customer, subscription: id });
}

export async function syncNewSubscriptionOfEvent(
  backend: Backend,
  event: EventAbout<Stripe.Subscription>,
): Promise<void> {
  const { customer, id } = event.data.object;
  const synced = await syncIfOurs(backend, event, { stripeCustomer: customer, subscription: id });
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
  await syncIfOurs(backend, event, {
    stripeCustomer: invoice.customer,
    subscription: subscriptionIdOf(invoice),
  });
}

/**
 * Syncs the one-time purchase or the subscription of a checkout. First links an unknown Stripe customer to the user or
 * team in the metadata of the session. A payment by a payment link waits for its payer, see `adoptForCaller`.
 */
export async function syncCheckoutOfEvent(
  backend: Backend,
  event: EventAbout<Stripe.Checkout.Session>,
): Promise<void> {
  const session = event.data.object;
  if (await syncPurchaseInMetadata(backend, event, session, session.id)) return;
  const { customer: stripeCustomer, subscription } = session;
  if (stripeCustomer === null || subscription === null) return;
  const found = await findByStripeCustomer(backend.db, stripeCustomer);
  if (found === undefined) {
    const adopted = await adoptByMetadata(backend, session);
    if (adopted === undefined) logWaiting(session);
  } else {
    await completeInterruptedLink(backend, found);
  }
  const synced = await syncIfOurs(backend, event, { stripeCustomer, subscription });
  // The page may have been open before the customer bought the plan by a one-time purchase.
  if (synced !== undefined) await cancelIfCovered(backend, synced, idOf(subscription));
}

/** If the payer does not come back, the next visits of the reconciliation log an error. */
function logWaiting({ id: session, client_reference_id: reference }: Stripe.Checkout.Session): void {
  if (reference === null) return;
  writeLog({
    severity: 'INFO',
    message: 'A payment is linked when its payer comes back',
    session,
    reference,
  });
}

export async function syncChargeOfEvent(backend: Backend, event: EventAbout<Stripe.Charge>): Promise<void> {
  await syncPurchaseInMetadata(backend, event, event.data.object);
}

/** The event has only the id of the charge. The metadata of the charge name the purchase. */
export async function syncDisputeOfEvent(backend: Backend, event: EventAbout<Stripe.Dispute>): Promise<void> {
  const { charges } = await backend.stripe();
  const charge = await withStripeRefusals(() => charges.retrieve(idOf(event.data.object.charge)));
  await syncPurchaseInMetadata(backend, event, charge);
}

export async function syncEntitlementsOfEvent(
  backend: Backend,
  event: EventAbout<Stripe.Entitlements.ActiveEntitlementSummary>,
): Promise<void> {
  const found = await findByStripeCustomer(backend.db, event.data.object.customer);
  if (found !== undefined) await syncEntitlements(backend, found.id, event);
}

/**
 * Syncs the payment method if the event says that the customer's default was changed. Every other update of a Stripe
 * customer costs nothing, such as one by our own contact sync.
 */
export async function syncPaymentMethodOfEvent(
  backend: Backend,
  { data: { object, previous_attributes: before } }: Stripe.CustomerUpdatedEvent,
): Promise<void> {
  const { id: stripeCustomerId, invoice_settings: settings } = object;
  const isChanged =
    before?.invoice_settings !== undefined && 'default_payment_method' in before.invoice_settings;
  if (!isChanged || settings.default_payment_method === null) return;
  const found = await findByStripeCustomer(backend.db, stripeCustomerId);
  if (found !== undefined) await syncPaymentMethod(backend, { customerId: found.id, stripeCustomerId });
}

export async function syncDeletedCustomerOfEvent(
  backend: Backend,
  event: EventAbout<{ id: string }>,
): Promise<void> {
  await syncDeletedStripeCustomer(backend, event.data.object.id, event);
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

/** Ids or objects of Stripe. */
interface SubscriptionReferences {
  stripeCustomer: StripeReference | null;
  subscription: StripeReference | undefined;
}

/** @returns undefined without a subscription, or if none of our customers has the Stripe customer */
async function syncIfOurs(
  backend: Backend,
  event: EventHead,
  { stripeCustomer, subscription }: SubscriptionReferences,
): Promise<SyncedCustomer | undefined> {
  if (subscription === undefined) return undefined;
  const found = await findByStripeCustomer(backend.db, stripeCustomer);
  if (found === undefined) return undefined;
  return syncAndResolveOverlaps(backend, found.id, idOf(subscription), { event });
}

/** @returns false if the metadata names no purchase */
async function syncPurchaseInMetadata(
  backend: Backend,
  event: EventHead,
  object: { metadata: Stripe.Metadata | null },
  sessionId?: string,
): Promise<boolean> {
  const target = purchaseInMetadata(object);
  if (target !== undefined) await syncOneTimePurchase(backend, { ...target, sessionId, event });
  return target !== undefined;
}
