import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { writeLog } from '../../common/log.ts';
import { adoptByMetadata, completeInterruptedLinking } from '../customers/adoption/adopt.service.ts';
import { findByStripeCustomer } from '../customers/customer.store.ts';
import { cancelIfCovered } from '../purchases/covered.service.ts';
import { purchaseInMetadata } from '../purchases/purchase-metadata.ts';
import { syncOneTimePurchase } from '../purchases/sync-purchase.service.ts';
import { withStripeRefusals } from '../stripe/stripe-errors.ts';
import { idOf } from '../stripe/stripe-ids.ts';
import type { EventHead } from '../synced-events.store.ts';
import type { EventAbout } from './event-about.ts';
import { syncIfOurCustomer } from './subscription-events.service.ts';

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
    await completeInterruptedLinking(backend, found);
  }
  const synced = await syncIfOurCustomer(backend, event, { stripeCustomer, subscription });
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
