import { inChunks } from '../../../firestore/chunks.ts';
import type { Reads } from '../../../firestore/db.ts';
import type { PriceDocument } from '../../../firestore/documents/catalogue.ts';

/** Our copies of prices, by lookup key. */
export async function readPrices(
  reads: Reads,
  keys: readonly string[],
): Promise<ReadonlyMap<string, PriceDocument>> {
  const byKey = new Map<string, PriceDocument>();
  for (const chunk of inChunks(keys)) {
    for (const { data } of await reads.group('prices').where('lookup_key', 'in', chunk).findIntact()) {
      const { lookup_key: key } = data;
      if (key !== null && byKey.get(key)?.active !== true) byKey.set(key, data);
    }
  }
  return byKey;
}
