import { noSuchObject } from '../../api/errors.ts';
import { page, pageParams } from '../../api/list.ts';
import { operation } from '../../api/operation.ts';
import { clearable, integer, metadata, names, required, text } from '../../api/parameters/params.ts';
import type { Subscription } from '../../objects.ts';
import { byId } from '../../objects.ts';
import type { Scope, World } from '../../world.ts';
import { paymentBehavior, prorationBehavior } from '../subscriptions/subscription-params.ts';
import type { UpdateParams } from '../subscriptions/subscription-update-params.ts';
import { changeSubscription } from '../subscriptions/subscription-update.ts';
import { requestedSubscription } from '../subscriptions/subscriptions.ts';

const LIST = { url: '/v1/subscription_items', noun: 'subscription_item' };

const settlement = {
  payment_behavior: paymentBehavior,
  proration_behavior: prorationBehavior,
  proration_date: integer(0),
};
const details = { metadata: clearable(metadata()), price: text(), quantity: integer(0, 999_999) };
const unsupported = names('billing_thresholds current_trial discounts plan price_data tax_rates');

type Item = NonNullable<UpdateParams['items']>[number];
type Settlement = Pick<UpdateParams, keyof typeof settlement>;

/** A change of one item is a change of its subscription. */
function change(
  scope: Scope,
  subscription: Subscription,
  item: Partial<Item>,
  how: Settlement,
): Subscription {
  const { payment_behavior, proration_behavior, proration_date } = how;
  return changeSubscription(scope, subscription, {
    payment_behavior,
    proration_behavior,
    proration_date,
    items: [item],
  });
}

/** https://docs.stripe.com/api/subscription_items */
export const subscriptionItemOperations = [
  operation({
    method: 'POST',
    path: '/v1/subscription_items',
    params: { ...settlement, ...details, subscription: required(text()) },
    unsupported,
    run: ({ scope, params: { subscription: id, metadata: given, price, quantity, ...how } }) => {
      const subscription = requestedSubscription(scope, id);
      const { items } = change(scope, subscription, { metadata: given, price, quantity }, how);
      return items.data.at(-1) ?? items;
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/subscription_items',
    params: { ...pageParams, subscription: required(text()) },
    run: ({ scope, params: { subscription: id, ...paging } }) => {
      const { items } = requestedSubscription(scope, id);
      return page(items.data.toReversed(), () => true, paging, LIST);
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/subscription_items/:id',
    params: {},
    run: ({ scope, id }) => found(scope, id).item,
  }),
  operation({
    method: 'POST',
    path: '/v1/subscription_items/:id',
    params: { ...settlement, ...details },
    unsupported: [...unsupported, 'off_session'],
    run: ({ scope, id, params: { metadata: given, price, quantity, ...how } }) => {
      const { subscription } = found(scope, id);
      const changed = change(scope, subscription, { id, metadata: given, price, quantity }, how);
      return byId(changed.items.data, id) ?? changed;
    },
  }),
  operation({
    method: 'DELETE',
    path: '/v1/subscription_items/:id',
    params: settlement,
    unsupported: ['clear_usage'],
    run: ({ scope, id, params: how }) => {
      change(scope, found(scope, id).subscription, { id, deleted: true }, how);
      return { id, object: 'subscription_item', deleted: true };
    },
  }),
];

function found({ state }: World, id: string) {
  for (const subscription of state.subscriptions) {
    const item = byId(subscription.items.data, id);
    if (item) return { subscription, item };
  }
  throw noSuchObject('subscription_item', id);
}
