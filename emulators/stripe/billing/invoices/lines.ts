import type { InvoiceLine, Price, Subscription, SubscriptionItem } from '../../objects.ts';
import { newId } from '../../world.ts';
import type { World } from '../../world.ts';
import { amountOf, isMetered, unitAmount } from './amounts.ts';

interface NewLine {
  amount: number;
  description: string;
  period: { start: number; end: number };
  price: Price;
  quantity: number;
  /** The amount for one, as text. */
  unit: string;
  /** The invoice item behind a proration, if it is one. */
  proration: string | null;
}

/** A line of an invoice for an item of a subscription. */
export function newLine(
  invoice: string,
  subscription: Subscription,
  item: string,
  { proration, ...line }: NewLine,
): InvoiceLine {
  return lineFrom(invoice, {
    ...line,
    discountable: proration === null,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: proration,
        proration: proration !== null,
        proration_details: { credited_items: null },
        subscription: subscription.id,
        subscription_item: item,
      },
      type: 'subscription_item_details',
    },
    currency: subscription.currency,
    subscription: subscription.id,
  });
}

/** A line of an invoice from its values. */
export function lineFrom(
  invoice: string,
  { price, quantity, unit, ...given }: Omit<NewLine, 'proration'> & LineOrigin,
): InvoiceLine {
  return {
    id: newId('il'),
    object: 'line_item',
    discount_amounts: [],
    discounts: [],
    invoice,
    livemode: false,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: price.product },
      type: 'price_details',
      unit_amount_decimal: unit,
    },
    quantity,
    quantity_decimal: String(quantity),
    subtotal: given.amount,
    taxes: [],
    ...given,
  };
}

type LineOrigin = Pick<InvoiceLine, 'currency' | 'discountable' | 'metadata' | 'parent' | 'subscription'>;

/** One line for the current period of each item, without metered ones; a trial costs nothing. */
export function periodLines(scope: World, invoice: string, subscription: Subscription): InvoiceLine[] {
  const trial = subscription.status === 'trialing';
  const licensed = subscription.items.data.filter(({ price }) => !isMetered(price));
  return licensed.map((item) => {
    const { price, quantity = 1 } = item;
    const name = productName(scope, item);
    return newLine(invoice, subscription, item.id, {
      amount: trial ? 0 : amountOf(scope, price, quantity, subscription.currency),
      unit: unitAmount(scope, price, subscription.currency),
      description: trial ? `Trial period for ${name}` : `${quantity} × ${name}`,
      period: { start: item.current_period_start, end: item.current_period_end },
      price,
      quantity,
      proration: null,
    });
  });
}

export function productName({ state }: World, { price }: Pick<SubscriptionItem, 'price'>): string {
  return state.products.get(price.product)?.name ?? price.product;
}
