import { isDeepStrictEqual } from 'node:util';
import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import type { Tx } from '../../firestore/db.ts';
import type { ProductDocument } from '../../firestore/documents/catalogue.ts';
import { unlessMissing, withStripeRefusals } from '../stripe/stripe-errors.ts';
import { idOf } from '../stripe/stripe-ids.ts';
import { isSynced, recordSynced, type EventIdAndType } from '../synced-events.store.ts';
import { toPriceDocument, toProductDocument } from './catalogue.ts';

/**
 * Copies the current Stripe product to Firestore. If Stripe no longer has it, deletes our copy and the copies of its
 * prices.
 *
 * @param event the event that reported a change; a second sync for the same event changes nothing
 */
export async function syncProduct(backend: Backend, id: string, event?: EventIdAndType): Promise<void> {
  const stripe = await backend.stripe();
  await syncOncePerEvent(backend, event, async (tx) => {
    const stored = await tx.products.getIntact(id);
    const current = await unlessMissing(async () => toCurrentProduct(await stripe.products.retrieve(id)));
    if (current === undefined) await deleteProduct(tx, id);
    else if (!isDeepStrictEqual(stored, current)) tx.products.set(id, current);
  });
}

/**
 * Copies the current Stripe price to Firestore. If Stripe no longer has it, deletes our copy.
 *
 * @param event the event that reported a change; a second sync for the same event changes nothing
 */
export async function syncPrice(
  backend: Backend,
  { id, product }: Pick<Stripe.Price, 'id' | 'product'>,
  event?: EventIdAndType,
): Promise<void> {
  const stripe = await backend.stripe();
  await syncOncePerEvent(backend, event, async (tx) => {
    const prices = tx.prices(idOf(product));
    const stored = await prices.getIntact(id);
    const current = await unlessMissing(async () => toPriceDocument(await stripe.prices.retrieve(id)));
    if (current === undefined) prices.delete(id);
    else if (!isDeepStrictEqual(stored, current)) prices.set(id, current);
  });
}

/**
 * Runs a sync in a transaction, once for each event. If the transaction conflicts with another one, Firestore runs the
 * sync again, and the sync asks Stripe again.
 */
async function syncOncePerEvent(
  backend: Backend,
  event: EventIdAndType | undefined,
  sync: (tx: Tx) => Promise<void>,
): Promise<void> {
  await withStripeRefusals(() =>
    backend.db.run(async (tx) => {
      if (await isSynced(tx, event)) return;
      await sync(tx);
      recordSynced(tx, event, backend.now());
    }),
  );
}

/** Deletes a product with its prices, because Stripe sends no events for the prices of a deleted product. */
async function deleteProduct(tx: Tx, id: string): Promise<void> {
  const prices = tx.prices(id);
  for (const price of await prices.findPaths()) prices.delete(price.id);
  tx.products.delete(id);
}

/** Stripe answers with the id and `deleted: true` for a deleted product. */
function toCurrentProduct(product: Stripe.Product): ProductDocument | undefined {
  return 'deleted' in product ? undefined : toProductDocument(product);
}
