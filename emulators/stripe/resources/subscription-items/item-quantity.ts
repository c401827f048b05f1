import { InvalidParameter } from '../../api/errors.ts';
import { isMetered } from '../../billing/invoices/amounts.ts';
import type { Price } from '../../objects.ts';

/** The quantity of an item with this price: as given, else as before. A metered price has none and takes none. */
export function itemQuantity(
  price: Price,
  given: number | undefined,
  param: string,
  before = 1,
): { quantity?: number } {
  if (!isMetered(price)) return { quantity: given ?? before };
  if (given === undefined) return {};
  throw new InvalidParameter('Quantity should not be specified where usage_type is `metered`.', param);
}
