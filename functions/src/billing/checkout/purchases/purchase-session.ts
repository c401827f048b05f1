import type Stripe from 'stripe';
import type { Config } from '../../../settings/config.ts';
import { PURCHASE_METADATA } from '../../settlement/purchase-metadata.ts';
import { SUBJECT_METADATA } from '../../subject.ts';
import { promotionParams } from '../session/session-params.ts';
import type { PurchaseOrder, StoredPurchase } from './purchase.store.ts';

/**
 * The parameters of the checkout session of a one-time purchase. Stripe requires the same parameters for a repeated
 * idempotency key. Therefore they come from the stored purchase, not from the request.
 */
export function purchaseParams(
  config: Config,
  { subject, stripeCustomerId }: PurchaseOrder,
  { id, purchase }: StoredPurchase,
): Stripe.Checkout.SessionCreateParams {
  const { type, customerId } = subject;
  const { priceId, quantity, item, stripeReturnUrls } = purchase;
  const metadata = { [SUBJECT_METADATA[type]]: customerId, [PURCHASE_METADATA]: id, item };
  return {
    mode: 'payment',
    customer: stripeCustomerId,
    client_reference_id: customerId,
    line_items: [{ price: priceId, quantity }],
    metadata,
    // Stripe copies the metadata to the charge, so that a refund finds the purchase.
    payment_intent_data: { metadata },
    invoice_creation: { enabled: true, invoice_data: { metadata } },
    ...configuredParams(config),
    ...promotionParams(config, purchase),
    success_url: stripeReturnUrls.success,
    cancel_url: stripeReturnUrls.cancel,
  };
}

function configuredParams(config: Config): Partial<Stripe.Checkout.SessionCreateParams> {
  const savesAddress = config.automaticTax || config.collectAddress;
  return {
    ...(config.automaticTax && { automatic_tax: { enabled: true } }),
    ...(config.collectAddress && { billing_address_collection: 'required' }),
    ...(savesAddress && { customer_update: { address: 'auto' } }),
  };
}
