import { isDeepStrictEqual } from 'node:util';
import type { DocumentReference, Firestore, Transaction } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { transact } from '../../firestore/transaction.ts';
import { productIdOf, toPriceDocument, toProductDocument } from './catalogue.ts';
import { isFollowed, recordEvent, type EventHead } from '../webhook/event-ledger.store.ts';
import { guardStripe, isMissing } from '../stripe/stripe-errors.ts';

/** Mirrors a product of Stripe's as it is now; one that is gone goes here as well, with its prices. */
export async function followProduct(backend: Backend, id: string, event?: EventHead): Promise<void> {
  const [firestore, stripe] = await Promise.all([backend.firestore(), backend.stripe()]);
  await mirror(backend, firestore.doc(productPath({ id })), event, async () => {
    const product = await stripe.products.retrieve(id);
    return isDeleted(product) ? undefined : toProductDocument(product);
  });
}

/** Mirrors a price of Stripe's as it is now; one that is gone goes here as well. */
export async function followPrice(
  backend: Backend,
  price: Pick<Stripe.Price, 'id' | 'product'>,
  event?: EventHead,
): Promise<void> {
  const [firestore, stripe] = await Promise.all([backend.firestore(), backend.stripe()]);
  await mirror(backend, firestore.doc(pricePath(price)), event, async () =>
    toPriceDocument(await stripe.prices.retrieve(price.id)),
  );
}

/** Which products are mirrored wrong. Reads one document for each. */
export function findStaleProducts(
  firestore: Firestore,
  products: readonly Stripe.Product[],
): Promise<Map<Stripe.Product, null>> {
  return findStale(firestore, products, productPath, toProductDocument);
}

/** Which prices are mirrored wrong. Reads one document for each. */
export function findStalePrices(
  firestore: Firestore,
  prices: readonly Stripe.Price[],
): Promise<Map<Stripe.Price, null>> {
  return findStale(firestore, prices, pricePath, toPriceDocument);
}

export interface MirroredProduct {
  id: string;
}

/** A page of the products that are mirrored, by their ids. Reads one document for each. */
export async function readMirroredProducts(
  firestore: Firestore,
  after: string | undefined,
  limit: number,
): Promise<{ data: MirroredProduct[]; has_more: boolean }> {
  const products = firestore.collection('products').orderBy('__name__').select().limit(limit);
  const { docs } = await (after === undefined ? products : products.startAfter(after)).get();
  return { data: docs.map(({ id }) => ({ id })), has_more: docs.length === limit };
}

/** Where a price is mirrored. */
export interface MirroredPrice {
  /** The path of its document. */
  id: string;
  price: { id: string; product: string };
}

/** A page of the prices that are mirrored, by their paths. Reads one document for each. */
export async function readMirroredPrices(
  firestore: Firestore,
  after: string | undefined,
  limit: number,
): Promise<{ data: MirroredPrice[]; has_more: boolean }> {
  const prices = firestore.collectionGroup('prices').orderBy('__name__').select().limit(limit);
  const { docs } = await (after === undefined ? prices : prices.startAfter(firestore.doc(after))).get();
  const data = docs.flatMap(({ id, ref }) => {
    const product = ref.parent.parent?.id;
    return product === undefined ? [] : [{ id: ref.path, price: { id, product } }];
  });
  return { data, has_more: docs.length === limit };
}

/** Which of at most 100 mirrored products Stripe has no more; their deletion was not told. One call to Stripe. */
export async function findVanishedProducts(
  stripe: Stripe,
  products: readonly MirroredProduct[],
): Promise<Map<MirroredProduct, null>> {
  if (products.length === 0) return new Map();
  const ids = products.map(({ id }) => id);
  const { data } = await guardStripe(() => stripe.products.list({ ids, limit: ids.length }));
  const known = new Set(data.map(({ id }) => id));
  return new Map(products.filter(({ id }) => !known.has(id)).map((product) => [product, null]));
}

async function findStale<Item>(
  firestore: Firestore,
  items: readonly Item[],
  pathOf: (item: Item) => string,
  toDocument: (item: Item) => object,
): Promise<Map<Item, null>> {
  if (items.length === 0) return new Map();
  const stored = await firestore.getAll(...items.map((item) => firestore.doc(pathOf(item))));
  const stale = items.filter((item, index) => !isDeepStrictEqual(stored[index]?.data(), toDocument(item)));
  return new Map(stale.map((item) => [item, null]));
}

/**
 * @param fetch asks Stripe inside the transaction, so that of two events at once the later one sees what the earlier one
 *   wrote; undefined for what is gone
 */
async function mirror(
  backend: Backend,
  ref: DocumentReference,
  event: EventHead | undefined,
  fetch: () => Promise<object | undefined>,
): Promise<void> {
  const firestore = await backend.firestore();
  await guardStripe(() =>
    transact(firestore, async (transaction) => {
      const [stored, followed] = await Promise.all([
        transaction.get(ref),
        isFollowed(transaction, firestore, event),
      ]);
      if (followed) return;
      const fresh = await unlessMissing(fetch);
      if (fresh === undefined) await removeWithPrices(transaction, ref);
      else if (!isDeepStrictEqual(stored.data(), fresh)) transaction.set(ref, fresh);
      recordEvent(transaction, firestore, event, backend.now());
    }),
  );
}

/** No event may tell of the prices of a product that is gone. */
async function removeWithPrices(transaction: Transaction, ref: DocumentReference): Promise<void> {
  const prices = await transaction.get(ref.collection('prices').select());
  for (const price of prices.docs) transaction.delete(price.ref);
  transaction.delete(ref);
}

async function unlessMissing<Value>(fetch: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await fetch();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Stripe tells a deleted product by its id and the mark alone. */
function isDeleted(product: Stripe.Product): boolean {
  return 'deleted' in product;
}

function productPath({ id }: Pick<Stripe.Product, 'id'>): string {
  return `products/${id}`;
}

function pricePath(price: Pick<Stripe.Price, 'id' | 'product'>): string {
  return `products/${productIdOf(price)}/prices/${price.id}`;
}
