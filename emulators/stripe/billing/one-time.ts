import type {
  CheckoutSession,
  Customer,
  Invoice,
  InvoiceItem,
  InvoiceLine,
  LineItem,
  Price,
} from '../state.ts';
import { emit, newId } from '../world.ts';
import type { Scope } from '../world.ts';
import { amountOf } from './amounts.ts';
import { markPaid } from './collect.ts';
import { discountInvoice } from './discounts.ts';
import { newInvoiceItem } from './invoice-item-object.ts';
import { newInvoice } from './invoice-object.ts';
import { finalize } from './invoices.ts';
import { lineFrom } from './lines.ts';

type InvoiceData = NonNullable<CheckoutSession['invoice_creation']>['invoice_data'];

interface Purchase {
  customer: Customer;
  lineItems: readonly LineItem[];
  /** The ids of the discounts that the session has redeemed. */
  discounts: string[];
  data: InvoiceData;
}

/** The paid invoice of a checkout in payment mode. The customer's balance is not used. */
export function paidInvoice(scope: Scope, { customer, lineItems, discounts, data }: Purchase): Invoice {
  const id = newId('in');
  const now = scope.now();
  const lines = lineItems.map(({ price, quantity, description }) =>
    oneTimeLine(
      id,
      addOneTimeItem(scope, customer, { price, quantity: quantity ?? 1, description, invoice: id }),
      price,
    ),
  );
  const [first] = lineItems;
  const invoice = newInvoice(scope, {
    id,
    customer,
    subscription: null,
    currency: first?.currency ?? 'usd',
    reason: 'manual',
    lines,
    period: { start: now, end: now },
  });
  const { description, footer, metadata } = data;
  Object.assign(invoice, { description, footer, metadata: metadata ?? {} } satisfies Partial<Invoice>);
  discountInvoice(scope, { discounts }, invoice);
  scope.state.invoices.push(invoice);
  emit(scope, 'invoice.created', invoice);
  finalize(scope, invoice, { withBalance: false });
  markPaid(scope, invoice);
  return invoice;
}

interface Item {
  price: Price;
  quantity: number;
  description: string | null;
  /** The invoice that it is on; null if it waits for the next one. */
  invoice: string | null;
}

/** A stored invoice item for a one-time price. Emits `invoiceitem.created`. */
function addOneTimeItem(scope: Scope, customer: Customer, given: Item): InvoiceItem {
  const { price, quantity, description, invoice } = given;
  const now = scope.now();
  const item = newInvoiceItem(
    {
      amount: amountOf(price, quantity),
      customer: customer.id,
      date: now,
      description,
      period: { start: now, end: now },
      price,
      quantity,
      test_clock: customer.test_clock,
    },
    { invoice },
  );
  scope.state.invoiceItems.push(item);
  emit(scope, 'invoiceitem.created', item);
  return item;
}

function oneTimeLine(invoice: string, item: InvoiceItem, price: Price): InvoiceLine {
  return lineFrom(invoice, {
    amount: item.amount,
    description: item.description ?? '',
    discountable: true,
    metadata: item.metadata ?? {},
    parent: {
      invoice_item_details: {
        invoice_item: item.id,
        proration: false,
        proration_details: { credited_items: null },
        subscription: null,
      },
      subscription_item_details: null,
      type: 'invoice_item_details',
    },
    period: item.period,
    price,
    quantity: item.quantity,
    subscription: null,
  });
}
