import type { Backend } from '../../../backend.ts';
import { lookupKeysOfExtra, pricedExtras } from '../../../settings/extras.ts';
import { extrasViewOf, type ExtrasView } from './extras.view.ts';
import { readPrices } from './price.store.ts';

/** Everything that is sold besides the plans. Reads one document for each price and each product. */
export async function readExtras({ config: { extras }, db }: Backend): Promise<ExtrasView> {
  return extrasViewOf(extras, await readPrices(db, pricedExtras(extras).flatMap(lookupKeysOfExtra)));
}
