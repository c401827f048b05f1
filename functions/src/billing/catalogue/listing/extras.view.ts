import * as z from 'zod';
import type { PriceDocument } from '../../../firestore/documents/catalogue.ts';
import type { AddOn, CreditPack, Extras } from '../../../settings/extras.ts';
import type { Price } from '../../../settings/plans.ts';
import { subjectTypesView, priceView, priceViewOf } from './plan.view.ts';

const commonFields = {
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  for: subjectTypesView,
};

const creditPackView = z
  .strictObject({
    ...commonFields,
    credits: z.int(),
    price: priceView.nullable().describe('Null if the price was archived.'),
  })
  .meta({ id: 'CreditPack' });

const addOnView = z
  .strictObject({
    ...commonFields,
    plans: z.array(z.string()).describe('Slugs of the plans that the add-on can be added to.'),
    limits: z.record(z.string(), z.number()).describe('Added to the limits of the plan by each unit.'),
    entitlements: z.array(z.string()).describe('Names of the things that the add-on includes.'),
    maxQuantity: z.int().describe('The most units of one customer.'),
    prices: z
      .strictObject({ month: priceView.nullable(), year: priceView.nullable() })
      .describe(
        'The price of one unit. Null if the add-on is not sold for the interval, or if the price was archived.',
      ),
  })
  .meta({ id: 'AddOn' });

export const extrasView = z
  .strictObject({ creditPacks: z.array(creditPackView), addOns: z.array(addOnView) })
  .meta({ id: 'Extras' });

export type ExtrasView = z.output<typeof extrasView>;

type Prices = ReadonlyMap<string, PriceDocument>;

/** @param stored our copy of Stripe's prices, by lookup key */
export function extrasViewOf({ creditPacks, addOns }: Extras, stored: Prices): ExtrasView {
  return {
    creditPacks: creditPacks.map((pack) => viewOfPack(pack, stored)),
    addOns: addOns.map((addOn) => viewOfAddOn(addOn, stored)),
  };
}

function viewOfAddOn({ prices, ...addOn }: AddOn, stored: Prices): ExtrasView['addOns'][number] {
  const viewOf = (price: Price | undefined) => (price ? priceViewOf(price, stored) : null);
  return { ...addOn, prices: { month: viewOf(prices.month), year: viewOf(prices.year) } };
}

function viewOfPack(
  { prices: { once }, ...pack }: CreditPack,
  stored: Prices,
): ExtrasView['creditPacks'][number] {
  return { ...pack, price: priceViewOf(once, stored) };
}
