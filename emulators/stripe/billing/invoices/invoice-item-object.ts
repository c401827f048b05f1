import type { InvoiceItem, Price } from '../../objects.ts';
import { newId } from '../../world.ts';

type Given = Pick<
  InvoiceItem,
  'amount' | 'currency' | 'customer' | 'description' | 'period' | 'quantity' | 'test_clock'
> & {
  price: Price;
  /** The amount for one, as text. */
  unit: string;
  /** In seconds since 1970. */
  date: number;
};

/**
 * An invoice item without an invoice; the caller stores it. `rest` has the fields that differ from a single purchase.
 */
export function newInvoiceItem({ price, unit, ...given }: Given, rest: Partial<InvoiceItem>): InvoiceItem {
  return {
    id: newId('ii'),
    object: 'invoiceitem',
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
      unit_amount_decimal: unit,
    },
    proration: false,
    quantity_decimal: String(given.quantity),
    tax_rates: [],
    ...given,
    ...rest,
  };
}
