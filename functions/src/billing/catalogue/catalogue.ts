import type Stripe from 'stripe';

/** `products/{productId}`, in the shape of the Stripe extension for Firebase. */
export interface ProductDocument {
  active: boolean;
  name: string;
  description: string | null;
  role: string | null;
  images: string[];
  metadata: Record<string, string>;
  tax_code: string | null;
  [metadata: `stripe_metadata_${string}`]: string;
}

/** `products/{productId}/prices/{priceId}`, likewise; `lookup_key` is ours, by which plans know their prices. */
export interface PriceDocument {
  active: boolean;
  product: string;
  lookup_key: string | null;
  billing_scheme: Stripe.Price.BillingScheme;
  tiers_mode: Stripe.Price.TiersMode | null;
  currency: string;
  /** What Stripe calls the nickname. */
  description: string | null;
  type: Stripe.Price.Type;
  /** In the currency's smallest unit. */
  unit_amount: number | null;
  interval: Stripe.Price.Recurring.Interval | null;
  interval_count: number | null;
  trial_period_days: number | null;
  tax_behavior: Stripe.Price.TaxBehavior | null;
  metadata: Record<string, string>;
  [metadata: `stripe_metadata_${string}`]: string;
}

export function toProductDocument(product: Stripe.Product): ProductDocument {
  const { active, name, description, images, metadata, tax_code: taxCode } = product;
  return {
    active,
    name,
    description,
    role: metadata['firebaseRole'] ?? null,
    images,
    metadata,
    tax_code: typeof taxCode === 'object' ? (taxCode?.id ?? null) : (taxCode ?? null),
    ...prefixed(metadata),
  };
}

export function toPriceDocument(price: Stripe.Price): PriceDocument {
  const { active, lookup_key, billing_scheme, tiers_mode, currency, nickname, type, recurring } = price;
  return {
    active,
    product: productIdOf(price),
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

export function productIdOf({ product }: Pick<Stripe.Price, 'product'>): string {
  return typeof product === 'string' ? product : product.id;
}

function prefixed(metadata: Stripe.Metadata): Record<`stripe_metadata_${string}`, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [`stripe_metadata_${key}`, value]),
  );
}
