import * as z from 'zod';
import type { PriceDocument } from '../../firestore/documents/catalogue.ts';
import type { CreditPack, Extras } from '../../settings/extras.ts';
import { buyersView, priceView, priceViewOf } from '../catalogue/plan.view.ts';

const offered = {
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  for: buyersView,
};

const creditPackView = z
  .strictObject({
    ...offered,
    credits: z.int(),
    price: priceView.nullable().describe('Null if the price was archived.'),
  })
  .meta({ id: 'CreditPack' });

/** Everything that is sold besides the plans. */
export const extrasView = z.strictObject({ creditPacks: z.array(creditPackView) }).meta({ id: 'Extras' });

export type ExtrasView = z.output<typeof extrasView>;

type Prices = ReadonlyMap<string, PriceDocument>;

/** @param prices our copy of Stripe's active prices, by lookup key */
export function viewOfExtras({ creditPacks }: Extras, prices: Prices): ExtrasView {
  return { creditPacks: creditPacks.map((pack) => viewOfPack(pack, prices)) };
}

function viewOfPack(
  { prices: { once }, ...pack }: CreditPack,
  stored: Prices,
): ExtrasView['creditPacks'][number] {
  return { ...pack, price: priceViewOf(once, stored) };
}
