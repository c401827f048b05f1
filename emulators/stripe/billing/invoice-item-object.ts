import type { InvoiceItem, Price } from '../state.ts';
import { newId } from '../world.ts';

type Given = Pick<
  InvoiceItem,
  'amount' | 'customer' | 'description' | 'period' | 'quantity' | 'test_clock'
> & {
  price: Price;
  /** In seconds since 1970. */
  date: number;
};

/** An invoice item without an invoice; the caller stores it. `rest` has what differs from a single purchase. */
export function newInvoiceItem({ price, ...given }: Given, rest: Partial<InvoiceItem>): InvoiceItem {
  return {
    id: newId('ii'),
    object: 'invoiceitem',
    currency: price.currency,
    customer_account: null,
    discountable: true,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    parent: null,
    pricing: {
      price_details: { price: price.id, product: price.product },
      type: 'price_details',
      unit_amount_decimal: price.unit_amount_decimal,
    },
    proration: false,
    quantity_decimal: String(given.quantity),
    tax_rates: [],
    ...given,
    ...rest,
  };
}
