import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import { findByStripeCustomer } from '../../customers/customer.store.ts';
import { syncDeletedStripeCustomer } from '../../customers/stripe-customer-deleted.service.ts';
import { syncEntitlements } from '../../customers/sync-entitlements.service.ts';
import { syncPaymentMethod } from '../../subscriptions/sync/payment-method.service.ts';
import type { EventAbout } from './event-about.ts';

export async function syncDeletedCustomerOfEvent(
  backend: Backend,
  event: EventAbout<{ id: string }>,
): Promise<void> {
  await syncDeletedStripeCustomer(backend, event.data.object.id, event);
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
