import type { SubscriptionItem } from '../../firestore/documents/subscription.ts';
import {
  addOnOfLookupKey,
  isOffered,
  type AddOn,
  type AddOnQuantities,
  type PlansAndExtras,
} from '../../settings/extras.ts';

/** The units of each add-on that line items pay for. Add-ons without a unit are left out. */
export function addOnsOf(
  items: readonly SubscriptionItem[],
  plansAndExtras: Pick<PlansAndExtras, 'extras'>,
): AddOnQuantities {
  const quantities = new Map<string, number>();
  for (const { addOn, item } of addOnItemsOf(items, plansAndExtras)) {
    if (item.quantity > 0) quantities.set(addOn.slug, (quantities.get(addOn.slug) ?? 0) + item.quantity);
  }
  return Object.fromEntries(quantities);
}

export interface AddOnItem {
  addOn: AddOn;
  item: SubscriptionItem;
}

export function addOnItemsOf(
  items: readonly SubscriptionItem[],
  { extras }: Pick<PlansAndExtras, 'extras'>,
): AddOnItem[] {
  return items.flatMap((item) => {
    const addOn = addOnOfLookupKey(extras, item.lookupKey);
    return addOn === undefined ? [] : [{ addOn, item }];
  });
}

/** The line items of prices that are not configured. */
export function unknownItems(
  items: readonly SubscriptionItem[],
  plansAndExtras: PlansAndExtras,
): SubscriptionItem[] {
  return items.filter(({ lookupKey }) => !isOffered(plansAndExtras, lookupKey));
}
