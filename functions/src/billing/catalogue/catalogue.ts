import type Stripe from 'stripe';
import type { PriceDocument, ProductDocument } from '../../firestore/documents/catalogue.ts';
import { idOf } from '../stripe/stripe-ids.ts';

export function toProductDocument(product: Stripe.Product): ProductDocument {
  const { active, name, description, images, metadata, tax_code: taxCode } = product;
  return {
    active,
    name,
    description,
    role: metadata['firebaseRole'] ?? null,
    images,
    metadata,
    tax_code: taxCode ? idOf(taxCode) : null,
    ...prefixed(metadata),
  };
}

export function toPriceDocument(price: Stripe.Price): PriceDocument {
  const { active, lookup_key, billing_scheme, tiers_mode, currency, nickname, type, recurring } = price;
  return {
    active,
    product: idOf(price.product),
    lookup_key,
    billing_scheme,
    tiers_mode,
    currency,
    description: nickname,
    type,
    unit_amount: price.unit_amount,
    interval: recurring?.interval ?? null,
    interval_count: recurring?.interval_count ?? null,
    trial_period_days: recurring?.trial_period_days ?? null,
    tax_behavior: price.tax_behavior,
    metadata: price.metadata,
    ...prefixed(price.metadata),
  };
}

/** Each key of the metadata in a field of its own, as clients of the Stripe extension expect. */
function prefixed(metadata: Stripe.Metadata): Record<`stripe_metadata_${string}`, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [`stripe_metadata_${key}`, value]),
  );
}
