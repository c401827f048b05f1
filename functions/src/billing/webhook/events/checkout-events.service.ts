import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import { writeLog } from '../../../common/log.ts';
import { adoptByMetadata, completeInterruptedLinking } from '../../customers/adoption/adopt.service.ts';
import { findByStripeCustomer } from '../../customers/customer.store.ts';
import { cancelIfCovered } from '../../purchases/covered.service.ts';
import { idOf } from '../../stripe/stripe-ids.ts';
import type { EventAbout } from './event-about.ts';
import { syncPurchaseIfNamed } from './purchase-events.service.ts';
import { syncIfOurCustomer } from './subscription-events.service.ts';

/**
 * Syncs the one-time purchase or the subscription of a checkout. First links an unknown Stripe customer to the user or
 * team in the metadata of the session. A payment by a payment link is not linked here, but when its payer comes back
 * signed in: see `adoptForCaller`.
 */
export async function syncCheckoutOfEvent(
  backend: Backend,
  event: EventAbout<Stripe.Checkout.Session>,
): Promise<void> {
  const session = event.data.object;
  if (await syncPurchaseIfNamed(backend, event, session, session.id)) return;
  const { customer: stripeCustomer, subscription } = session;
  if (stripeCustomer === null || subscription === null) return;
  const found = await findByStripeCustomer(backend.db, stripeCustomer);
  if (found === undefined) {
    const adopted = await adoptByMetadata(backend, session);
    if (adopted === undefined) logPaymentToBeLinked(session);
  } else {
    await completeInterruptedLinking(backend, found);
  }
  const synced = await syncIfOurCustomer(backend, event, { stripeCustomer, subscription });
  // The page may have been open before the customer bought the plan by a one-time purchase.
  if (synced !== undefined) await cancelIfCovered(backend, synced, idOf(subscription));
}

/**
 * Logs a payment by a payment link with `client_reference_id`, which is linked when its payer comes back signed in.
 * Until the payer comes back, each visit by the reconciliation logs an error.
 */
function logPaymentToBeLinked({
  id: session,
  client_reference_id: reference,
}: Stripe.Checkout.Session): void {
  if (reference === null) return;
  writeLog({
    severity: 'INFO',
    message: 'A payment is linked when its payer comes back',
    session,
    reference,
  });
}
