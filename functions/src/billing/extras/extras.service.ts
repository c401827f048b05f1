import type { Backend } from '../../backend.ts';
import { lookupKeysOfExtra, sellables } from '../../settings/extras.ts';
import { readPrices } from '../catalogue/plans.service.ts';
import { viewOfExtras, type ExtrasView } from './extras.view.ts';

/** Everything that is sold besides the plans. Reads one document for each price. */
export async function readExtras({ config: { extras }, db }: Backend): Promise<ExtrasView> {
  return viewOfExtras(extras, await readPrices(db, sellables(extras).flatMap(lookupKeysOfExtra)));
}
