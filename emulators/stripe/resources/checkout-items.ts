import { InvalidParameter, missingParameter, unsupportedParameter } from '../api/errors.ts';
import { mergeMetadata } from '../api/metadata.ts';
import { cycleOf } from '../billing/changing.ts';
import { byId } from '../state.ts';
import type { LineItem } from '../state.ts';
import { newId } from '../world.ts';
import type { Scope } from '../world.ts';
import type { CreateParams } from './checkout-params.ts';
import { itemQuantity } from './item-quantity.ts';
import { activePrice } from './prices.ts';

type NewLineItem = Omit<NonNullable<CreateParams['line_items']>[number], 'metadata'> & {
  metadata?: ReadonlyMap<string, string> | null | undefined;
};

/** The line items of a new session or link. In payment mode prices are one-time, in subscription mode recurring. */
export function readLineItems(
  scope: Scope,
  given: readonly NewLineItem[] | undefined,
  mode?: CreateParams['mode'],
): LineItem[] {
  if (!given || given.length === 0) throw missingParameter('line_items');
  const items = given.map((item, index) => readLineItem(scope, item, `line_items[${index}]`));
  assertKind(items, mode);
  const cycles = new Set(items.map(({ price }) => `${price.currency} ${cycleOf(price)}`));
  if (cycles.size > 1) {
    throw new InvalidParameter(
      'All line items must have the same currency and billing interval.',
      'line_items',
    );
  }
  return items;
}

function readLineItem(scope: Scope, given: NewLineItem, name: string): LineItem {
  if (given.price === undefined) throw missingParameter(`${name}[price]`);
  const price = activePrice(scope, given.price, `${name}[price]`);
  const { adjustable_quantity: adjustable } = given;
  const { quantity } = itemQuantity(price, given.quantity, `${name}[quantity]`, 0);
  if (quantity === 0) throw missingParameter(`${name}[quantity]`);
  return {
    id: newId('li'),
    object: 'item',
    adjustable_quantity: adjustable?.enabled
      ? { enabled: true, maximum: adjustable.maximum ?? 99, minimum: adjustable.minimum ?? 0 }
      : null,
    amount_discount: 0,
    amount_subtotal: 0,
    amount_tax: 0,
    amount_total: 0,
    currency: price.currency,
    description: byId(scope.state.products, price.product)?.name ?? null,
    metadata: mergeMetadata({}, given.metadata),
    price,
    quantity: quantity ?? null,
  };
}

function assertKind(items: readonly LineItem[], mode: CreateParams['mode'] | undefined): void {
  const recurring = items.filter(({ price }) => price.recurring !== null).length;
  if (mode === 'payment' && recurring > 0) {
    throw new InvalidParameter(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
      'line_items',
    );
  }
  if (mode === 'subscription' && recurring < items.length) {
    throw unsupportedParameter('a one-time price in a subscription');
  }
}
