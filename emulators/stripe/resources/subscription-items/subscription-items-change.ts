import { missingParameter, noSuchReference, notAllowed } from '../../api/errors.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { newItem } from '../../billing/subscriptions/subscription-object.ts';
import type { Subscription, SubscriptionItem } from '../../objects.ts';
import type { Scope } from '../../world.ts';
import { planOf, activeRecurringPrice } from '../catalogue/price.ts';
import type { UpdateParams } from '../subscriptions/subscription-update-params.ts';
import { itemQuantity } from './item-quantity.ts';

/** The items after a change: those that are not named stay. */
export function itemsAfter(
  scope: Scope,
  subscription: Subscription,
  given: NonNullable<UpdateParams['items']>,
): SubscriptionItem[] {
  const items = new Map(subscription.items.data.map((item) => [item.id, item]));
  for (const [index, { id, deleted, ...change }] of given.entries()) {
    const existing = id === undefined ? undefined : items.get(id);
    if (id !== undefined && !existing) throw noSuchReference('subscription item', id, `items[${index}][id]`);
    if (deleted) {
      if (!existing) throw missingParameter(`items[${index}][id]`);
      items.delete(existing.id);
    } else {
      const item = existing ?? addedItem(scope, subscription, change.price, index);
      items.set(item.id, changedItem(scope, item, change, index));
    }
  }
  if (items.size === 0) throw notAllowed('A subscription must have at least one active item.');
  return [...items.values()];
}

function changedItem(
  scope: Scope,
  item: SubscriptionItem,
  change: {
    price?: string | undefined;
    quantity?: number | undefined;
    metadata?: ReadonlyMap<string, string> | null | undefined;
  },
  index: number,
): SubscriptionItem {
  const price =
    change.price === undefined
      ? item.price
      : activeRecurringPrice(scope, change.price, `items[${index}][price]`);
  const { quantity: before, ...rest } = item;
  return {
    ...rest,
    metadata: mergeMetadata(item.metadata, change.metadata),
    plan: planOf(price),
    price,
    ...itemQuantity(price, change.quantity, `items[${index}][quantity]`, before),
  };
}

function addedItem(
  scope: Scope,
  subscription: Subscription,
  priceId: string | undefined,
  index: number,
): SubscriptionItem {
  if (priceId === undefined) throw missingParameter(`items[${index}][price]`);
  const price = activeRecurringPrice(scope, priceId, `items[${index}][price]`);
  const [first] = subscription.items.data;
  return {
    ...newItem(subscription.id, scope.now(), { price }, first?.current_period_end ?? null),
    current_period_start: first?.current_period_start ?? scope.now(),
  };
}
