import { isDeepStrictEqual } from 'node:util';
import type Stripe from 'stripe';
import type { Reads } from '../../firestore/db.ts';
import { toPriceDocument, toProductDocument } from '../catalogue/catalogue.ts';
import { withStripeRefusals } from '../stripe/stripe-errors.ts';
import { idOf } from '../stripe/stripe-ids.ts';
import type { StripeListPage } from './visit.ts';

/** The products whose copy differs from Stripe. Reads one document for each product. */
export async function findProductDrift(
  reads: Reads,
  products: readonly Stripe.Product[],
): Promise<Stripe.Product[]> {
  const stored = await reads.products.getAllIntact(products.map(({ id }) => id));
  return products.filter((product) => !isDeepStrictEqual(stored.get(product.id), toProductDocument(product)));
}

/** The prices whose copy differs from Stripe. Reads one document for each price. */
export async function findPriceDrift(reads: Reads, prices: readonly Stripe.Price[]): Promise<Stripe.Price[]> {
  const stored = await Promise.all(
    prices.map(({ id, product }) => reads.prices(idOf(product)).getIntact(id)),
  );
  return prices.filter((price, index) => !isDeepStrictEqual(stored[index], toPriceDocument(price)));
}

interface StoredProduct {
  id: string;
}

/** Our copies of products, in the order of their ids. Reads one document for each product. */
export async function readStoredProducts(
  reads: Reads,
  after: string | undefined,
  limit: number,
): Promise<StripeListPage<StoredProduct>> {
  const products = reads.products.orderBy('__name__').limit(limit);
  const paths = await (after === undefined ? products : products.startAfter(after)).findPaths();
  return { data: paths.map(({ id }) => ({ id })), has_more: paths.length === limit };
}

interface StoredPrice {
  /** Path of the document. */
  id: string;
  price: { id: string; product: string };
}

/** Our copies of prices, in the order of their paths. Reads one document for each price. */
export async function readStoredPrices(
  reads: Reads,
  after: string | undefined,
  limit: number,
): Promise<StripeListPage<StoredPrice>> {
  const prices = reads.group('prices').orderBy('__name__').limit(limit);
  const paths = await (after === undefined ? prices : prices.startAfter(after)).findPaths();
  const data = paths.map(({ id, path, parentId }) => ({ id: path, price: { id, product: parentId } }));
  return { data, has_more: paths.length === limit };
}

/**
 * The products that Stripe no longer has. One call to Stripe.
 *
 * @param products at most 100
 */
export async function findDeletedProducts(
  stripe: Stripe,
  products: readonly StoredProduct[],
): Promise<StoredProduct[]> {
  if (products.length === 0) return [];
  const ids = products.map(({ id }) => id);
  const { data } = await withStripeRefusals(() => stripe.products.list({ ids, limit: ids.length }));
  const existing = new Set(data.map(({ id }) => id));
  return products.filter(({ id }) => !existing.has(id));
}
