import type Stripe from 'stripe';
import type { Config } from '../../../settings/config.ts';
import { ITEM_METADATA_FIELD, PURCHASE_METADATA_FIELD } from '../../purchases/purchase-metadata.ts';
import { SUBJECT_METADATA_FIELD } from '../../subject.ts';
import { configuredParams, promotionParams } from '../page/session-params.ts';
import type { PreparedPurchase, PurchaseWithId } from './purchase.store.ts';

/**
 * The parameters of the checkout session of a one-time purchase. Stripe requires the same parameters for a repeated
 * idempotency key. Therefore the price, the quantity, the promotion code and the URLs come from the stored purchase,
 * not from the request.
 */
export function purchaseParams(
  config: Config,
  { subject, stripeCustomerId }: PreparedPurchase,
  { id, purchase }: PurchaseWithId,
): Stripe.Checkout.SessionCreateParams {
  const { type, customerId } = subject;
  const { priceId, quantity, item, stripeReturnUrls } = purchase;
  const metadata = {
    [SUBJECT_METADATA_FIELD[type]]: customerId,
    [PURCHASE_METADATA_FIELD]: id,
    [ITEM_METADATA_FIELD]: item,
  };
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
