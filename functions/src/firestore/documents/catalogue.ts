import * as z from 'zod';

/**
 * `products/{productId}`, in the shape of the Stripe extension for Firebase. Each key of the metadata also has a
 * field of its own, `stripe_metadata_*`.
 */
export const productSchema = z.looseObject({
  active: z.boolean(),
  name: z.string(),
  description: z.string().nullable(),
  role: z.string().nullable(),
  images: z.array(z.string()),
  metadata: z.record(z.string(), z.string()),
  tax_code: z.string().nullable(),
});

export type ProductDocument = z.output<typeof productSchema>;

/**
 * `products/{productId}/prices/{priceId}`, in the shape of the Stripe extension. We add `lookup_key`, by which plans
 * find their prices.
 */
export const priceSchema = z.looseObject({
  active: z.boolean(),
  product: z.string(),
  lookup_key: z.string().nullable(),
  billing_scheme: z.string(),
  tiers_mode: z.string().nullable(),
  currency: z.string(),
  /** Stripe's nickname of the price. */
  description: z.string().nullable(),
  type: z.string(),
  /** In the currency's smallest unit. */
  unit_amount: z.number().nullable(),
  interval: z.string().nullable(),
  interval_count: z.number().nullable(),
  trial_period_days: z.number().nullable(),
  tax_behavior: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
});

export type PriceDocument = z.output<typeof priceSchema>;
