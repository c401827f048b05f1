import { InvalidParameter, missingParameter } from '../../api/errors.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { sellsIn } from '../../billing/invoices/amounts.ts';
import { cycleOf } from '../../billing/subscriptions/changing.ts';
import { assertOneCurrency, subscriptionCurrency } from '../../billing/subscriptions/customer-currency.ts';
import type { Customer, LineItem } from '../../objects.ts';
import { newId } from '../../world.ts';
import type { Scope } from '../../world.ts';
import { activePrice } from '../catalogue/price.ts';
import { itemQuantity } from '../subscription-items/item-quantity.ts';
import type { CreateParams } from './checkout-params.ts';

type NewLineItem = Omit<NonNullable<CreateParams['line_items']>[number], 'metadata'> & {
  metadata?: ReadonlyMap<string, string> | null | undefined;
};

interface Sale {
  given: readonly NewLineItem[] | undefined;
  /** Undefined for a link, whose prices decide. */
  mode?: CreateParams['mode'];
  /** Without it, the currency of the first price. */
  currency: string | undefined;
  /** The customer who subscribes, if known: their other subscriptions decide the currency. */
  subscriber?: Customer | null;
}

/**
 * The line items of a new session or link. In payment mode all prices are one-time, in subscription mode at least one
 * is recurring; the one-time prices are then billed by the first invoice.
 */
export function readLineItems(scope: Scope, { given, mode, currency, subscriber }: Sale): LineItem[] {
  if (!given || given.length === 0) throw missingParameter('line_items');
  const items = given.map((item, index) => readLineItem(scope, item, `line_items[${index}]`));
  assertKind(items, mode);
  const cycles = new Set(items.filter(isRecurring).map(({ price }) => cycleOf(price)));
  const expected = subscriber ? subscriptionCurrency(scope, subscriber.id) : undefined;
  const sold = currency?.toLowerCase() ?? expected ?? items[0]?.currency ?? '';
  if (currency === undefined) assertExpected(scope, items, expected);
  if (cycles.size > 1 || !items.every(({ price }) => sellsIn(scope, price, sold))) {
    throw new InvalidParameter(
      'All line items must have the same currency and billing interval.',
      currency === undefined || cycles.size > 1 ? 'line_items' : 'currency',
    );
  }
  if (subscriber) assertOneCurrency(scope, subscriber.id, sold);
  return items.map((item) => ({ ...item, currency: sold }));
}

function assertExpected(scope: Scope, items: readonly LineItem[], expected: string | undefined): void {
  const other = items.find(({ price }) => expected !== undefined && !sellsIn(scope, price, expected));
  if (expected === undefined || other === undefined) return;
  const { currency } = other.price;
  throw new InvalidParameter(
    `The price specified only supports \`${currency}\`. This doesn't match the expected currency: \`${expected}\`.`,
    'line_items',
  );
}

/** Whether a line item becomes an item of the subscription. */
export function isRecurring({ price }: LineItem): boolean {
  return price.recurring !== null;
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
    description: scope.state.products.get(price.product)?.name ?? null,
    metadata: mergeMetadata({}, given.metadata),
    price,
    quantity: quantity ?? null,
  };
}

function assertKind(items: readonly LineItem[], mode: CreateParams['mode'] | undefined): void {
  if (mode === 'payment' && items.some(isRecurring)) {
    throw new InvalidParameter(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
      'line_items',
    );
  }
  if (mode === 'subscription' && !items.some(isRecurring)) {
    throw new InvalidParameter(
      'You must provide at least one recurring price in `subscription` mode when using prices.',
      'line_items',
    );
  }
}
