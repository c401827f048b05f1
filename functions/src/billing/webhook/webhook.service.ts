import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { adoptCheckout } from '../customers/adopt/adopt.service.ts';
import { syncPrice, syncProduct } from '../catalogue/catalogue.service.ts';
import { syncDeletedCustomer } from '../customers/customer-deleted.service.ts';
import { findCustomer } from '../customers/customer.store.ts';
import { giveUpIfDamaged } from '../damaged.ts';
import { syncEntitlements } from '../customers/entitlements/sync-entitlements.service.ts';
import { copyForExtension } from '../extension/payment-events.ts';
import { mailAboutEvent } from './notices/plan-mail.service.ts';
import { syncAndResolveOverlaps } from '../subscriptions/overlap/overlap.service.ts';
import { handleReversal } from './reversals/reversal.service.ts';
import { purchaseInMetadata } from '../settlement/purchase-metadata.ts';
import { syncOneTimePurchase } from '../settlement/sync-purchase.service.ts';
import { guardStripe } from '../stripe/stripe-errors.ts';
import { idOf } from '../stripe/stripe-ids.ts';
import { expireOpenCheckout } from './open-checkout.service.ts';

/** The types of events that the webhook handles. Others are ignored. */
export const HANDLED_EVENTS: readonly string[] = [
  'charge.dispute.closed',
  'charge.dispute.created',
  'charge.refunded',
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
  'entitlements.active_entitlement_summary.updated',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'payment_intent.canceled',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.succeeded',
  'price.created',
  'price.updated',
  'price.deleted',
  'product.created',
  'product.updated',
  'product.deleted',
] satisfies Stripe.Event['type'][];

/**
 * The types of events that leave no trace in Stripe's lists of products, prices and subscriptions. If such an event is lost,
 * only Stripe's list of events shows it. That list can be asked for at most 20 types.
 */
export const TRACELESS_EVENTS = HANDLED_EVENTS.filter(
  (type) => !/^(?:product|price|customer\.subscription)\./.test(type),
);

/**
 * Handles an event of Stripe. An event names the object to sync. The current state of that object is retrieved from Stripe, so
 * events may come twice, late or in any order. These facts are taken from the event: that a customer was deleted, that a charge
 * was fully refunded, the status of a dispute, the checkout that is adopted, and the invoice in mail. Events of Stripe customers
 * that are not ours are ignored, unless a paid checkout names our user or team.
 *
 * If the handling meets a damaged document, the fault is logged and the event counts as handled: after the repair the
 * reconciliation syncs the object. A traceless event must fail instead, so that Stripe lists it as undelivered. The reconciliation
 * then handles it.
 *
 * @throws Refusal `billing_unavailable`, `auth_unavailable`, `busy` or `document_damaged`, or an error of Cloud Tasks: Stripe sends
 *   the event again
 */
export async function handleEvent(backend: Backend, event: Stripe.Event): Promise<void> {
  if (!HANDLED_EVENTS.includes(event.type)) return;
  const handle = async () => {
    await syncObjectOfEvent(backend, event);
    await handleReversal(backend, event);
    await mailAboutEvent(backend, event);
  };
  // A traceless event must fail, so that Stripe lists it as undelivered.
  if (TRACELESS_EVENTS.includes(event.type)) await handle();
  else await giveUpIfDamaged(handle);
}

async function syncObjectOfEvent(backend: Backend, event: Stripe.Event): Promise<void> {
  const { object } = event.data;
  switch (object.object) {
    case 'subscription':
      return syncSubscriptionOfCustomer(backend, event, object.customer, object);
    case 'charge':
      return syncPurchaseInMetadata(backend, event, object);
    case 'dispute':
      return syncPurchaseInMetadata(backend, event, await retrieveCharge(backend, object));
    case 'checkout.session':
      await copyForExtension(backend, event);
      if (purchaseInMetadata(object) !== undefined) return syncPurchaseInMetadata(backend, event, object);
      return syncCheckout(backend, event, object);
    case 'invoice': {
      await copyForExtension(backend, event);
      const subscription = object.parent?.subscription_details?.subscription ?? null;
      return syncSubscriptionOfCustomer(backend, event, object.customer, subscription);
    }
    case 'payment_intent':
      return copyForExtension(backend, event);
    case 'customer':
      return syncDeletedCustomer(backend, object.id, event);
    case 'entitlements.active_entitlement_summary':
      return syncEntitlementsOfCustomer(backend, event, object.customer);
    case 'product':
      return syncProduct(backend, object.id, event);
    case 'price':
      return syncPrice(backend, object, event);
    default:
      return undefined;
  }
}

/**
 * Syncs the subscription of a checkout. If the Stripe customer is unknown to us, as after a payment link, it is first linked to
 * the user or team that the checkout session names, so that this and later events find our customer.
 */
async function syncCheckout(
  backend: Backend,
  event: Stripe.Event,
  session: Stripe.Checkout.Session,
): Promise<void> {
  const { customer, subscription } = session;
  if (customer === null || subscription === null) return;
  if ((await findCustomer(backend.db, idOf(customer))) === undefined) {
    const adopted = await adoptCheckout(backend, session);
    // The event about the entitlements may have come before the customer was linked.
    if (adopted !== undefined) await syncEntitlements(backend, adopted);
  }
  await syncSubscriptionOfCustomer(backend, event, customer, subscription);
}

/** How an object of Stripe names another one: by its id, or with the object itself. */
type StripeReference = string | { id: string } | null;

/** Syncs a subscription, if its Stripe customer is one of ours. A new subscription also ends a checkout that is still open. */
async function syncSubscriptionOfCustomer(
  backend: Backend,
  event: Stripe.Event,
  stripeCustomer: StripeReference,
  subscription: StripeReference,
): Promise<void> {
  if (stripeCustomer === null || subscription === null) return;
  const found = await findCustomer(backend.db, idOf(stripeCustomer));
  if (found === undefined) return;
  const result = await syncAndResolveOverlaps(backend, found.id, idOf(subscription), { event });
  const isNew = event.type === 'customer.subscription.created';
  if (isNew && result !== undefined) await expireOpenCheckout(backend, found.customer, result);
}

/** Syncs the entitlements of a Stripe customer, if it is one of ours. */
async function syncEntitlementsOfCustomer(
  backend: Backend,
  event: Stripe.Event,
  stripeCustomerId: string,
): Promise<void> {
  const found = await findCustomer(backend.db, stripeCustomerId);
  if (found !== undefined) await syncEntitlements(backend, found.id, event);
}

/**
 * Syncs the one-time purchase that a checkout session or a charge pays for. Does nothing if the metadata names no purchase of
 * ours.
 */
async function syncPurchaseInMetadata(
  backend: Backend,
  event: Stripe.Event,
  object: { metadata: Stripe.Metadata | null },
): Promise<void> {
  const target = purchaseInMetadata(object);
  if (target !== undefined) await syncOneTimePurchase(backend, { ...target, event });
}

/** The charge of a dispute. One call to Stripe. */
async function retrieveCharge({ stripe }: Backend, { charge }: Stripe.Dispute): Promise<Stripe.Charge> {
  const { charges } = await stripe();
  return guardStripe(() => charges.retrieve(idOf(charge)));
}
