import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import {
  addOnOfKey,
  isOffered,
  type AddOn,
  type AddOnQuantities,
  type Offered,
} from '../../settings/extras.ts';

type Item = SubscriptionDocument['items'][number];

export interface AddOnItem {
  addOn: AddOn;
  item: Item;
}

export function addOnItemsOf(items: readonly Item[], { extras }: Pick<Offered, 'extras'>): AddOnItem[] {
  return items.flatMap((item) => {
    const addOn = addOnOfKey(extras, item.lookupKey);
    return addOn === undefined ? [] : [{ addOn, item }];
  });
}

/** The units of each add-on that line items pay for. Add-ons without a unit are left out. */
export function addOnsOf(items: readonly Item[], offered: Pick<Offered, 'extras'>): AddOnQuantities {
  const quantities = new Map<string, number>();
  for (const { addOn, item } of addOnItemsOf(items, offered)) {
    if (item.quantity > 0) quantities.set(addOn.slug, (quantities.get(addOn.slug) ?? 0) + item.quantity);
  }
  return Object.fromEntries(quantities);
}

/** The line items that are none of the configured plans, seats and add-ons. */
export function unknownItems(items: readonly Item[], offered: Offered): Item[] {
  return items.filter(({ lookupKey }) => !isOffered(offered, lookupKey));
}
