import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import { purchaseInMetadata } from '../../purchases/purchase-metadata.ts';
import { syncOneTimePurchase } from '../../purchases/sync-purchase.service.ts';
import { withStripeRefusals } from '../../stripe/stripe-errors.ts';
import { idOf } from '../../stripe/stripe-ids.ts';
import type { EventIdAndType } from '../../synced-events.store.ts';
import type { EventAbout } from './event-about.ts';

/** Stripe copies the metadata of the payment intent to its charges. */
export async function syncPaymentOfEvent(
  backend: Backend,
  event: EventAbout<Stripe.Charge | Stripe.PaymentIntent>,
): Promise<void> {
  await syncPurchaseIfNamed(backend, event, event.data.object);
}

/** The event has only the id of the charge. The metadata of the charge name the purchase. */
export async function syncDisputeOfEvent(backend: Backend, event: EventAbout<Stripe.Dispute>): Promise<void> {
  const { charges } = await backend.stripe();
  const charge = await withStripeRefusals(() => charges.retrieve(idOf(event.data.object.charge)));
  await syncPurchaseIfNamed(backend, event, charge);
}

/** @returns false if the metadata name no purchase */
export async function syncPurchaseIfNamed(
  backend: Backend,
  event: EventIdAndType,
  object: { metadata: Stripe.Metadata | null },
  sessionId?: string,
): Promise<boolean> {
  const target = purchaseInMetadata(object);
  if (target !== undefined) await syncOneTimePurchase(backend, { ...target, sessionId, event });
  return target !== undefined;
}
