import { inChunks } from '../../../firestore/chunks.ts';
import type { Reads } from '../../../firestore/db.ts';
import type { PriceDocument } from '../../../firestore/documents/catalogue.ts';
import type { Found } from '../../../firestore/query.ts';

/**
 * Our copies of prices, by lookup key. A price of an archived product is not active, although Stripe lists it as
 * active. Reads each price and its product.
 */
export async function readPrices(
  reads: Reads,
  keys: readonly string[],
): Promise<ReadonlyMap<string, PriceDocument>> {
  const found: Found<PriceDocument>[] = [];
  for (const chunk of inChunks(keys)) {
    found.push(...(await reads.group('prices').where('lookup_key', 'in', chunk).findIntact()));
  }
  const products = await reads.products.getAllIntact(found.map(({ parentId }) => parentId));
  const byKey = new Map<string, PriceDocument>();
  for (const { parentId, data } of found) {
    const { lookup_key: key } = data;
    const active = data.active && products.get(parentId)?.active !== false;
    if (key !== null && byKey.get(key)?.active !== true) byKey.set(key, { ...data, active });
  }
  return byKey;
}
