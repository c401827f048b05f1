import type {
  CheckoutSession,
  Customer,
  Invoice,
  InvoiceItem,
  InvoiceLine,
  LineItem,
  Price,
} from '../../objects.ts';
import { emit, newId } from '../../world.ts';
import type { Scope } from '../../world.ts';
import { discountInvoice } from '../discounts/discounts.ts';
import { amountOf, unitAmount } from './amounts.ts';
import { markPaid } from './collect.ts';
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
  const currency = lineItems[0]?.currency ?? 'usd';
  const bought = newInvoice(scope, {
    id,
    customer,
    subscription: null,
    currency,
    reason: 'manual',
    lines: oneTimeLines(scope, { invoice: id, customer, currency, subscription: null }, lineItems),
    period: { start: now, end: now },
  });
  const { description, footer, metadata } = data;
  const draft = scope.state.invoices.insert({
    ...discountInvoice(scope, { discounts }, bought),
    description,
    footer,
    metadata: metadata ?? {},
  });
  emit(scope, 'invoice.created', draft);
  return markPaid(scope, finalize(scope, draft, { withBalance: false }));
}

/** A one-time item: a line item of a checkout, or a part of it. */
export type OneTimePurchase = Pick<LineItem, 'description' | 'price' | 'quantity'>;

interface Bill {
  invoice: string;
  customer: Customer;
  currency: string;
  /** The subscription whose first invoice has the lines. */
  subscription: string | null;
}

/** A line with an invoice item for each purchase. Emits `invoiceitem.created`. */
export function oneTimeLines(scope: Scope, bill: Bill, purchases: readonly OneTimePurchase[]): InvoiceLine[] {
  return purchases.map((purchase) => {
    const item = addItem(scope, bill, purchase);
    return lineOf(item, purchase.price, bill);
  });
}

function addItem(scope: Scope, bill: Bill, { price, quantity, description }: OneTimePurchase): InvoiceItem {
  const { customer, currency, invoice, subscription } = bill;
  const now = scope.now();
  const item = newInvoiceItem(
    {
      amount: amountOf(scope, price, quantity ?? 1, currency),
      currency,
      customer: customer.id,
      date: now,
      description,
      period: { start: now, end: now },
      price,
      quantity: quantity ?? 1,
      test_clock: customer.test_clock,
      unit: unitAmount(scope, price, currency),
    },
    {
      invoice,
      parent:
        subscription === null
          ? null
          : { subscription_details: { subscription }, type: 'subscription_details' },
    },
  );
  scope.state.invoiceItems.insert(item);
  emit(scope, 'invoiceitem.created', item);
  return item;
}

function lineOf(item: InvoiceItem, price: Price, { currency, invoice, subscription }: Bill): InvoiceLine {
  return lineFrom(invoice, {
    amount: item.amount,
    currency,
    description: item.description ?? '',
    discountable: true,
    metadata: item.metadata ?? {},
    parent: {
      invoice_item_details: {
        invoice_item: item.id,
        proration: false,
        proration_details: { credited_items: null },
        subscription,
      },
      subscription_item_details: null,
      type: 'invoice_item_details',
    },
    period: item.period,
    price,
    quantity: item.quantity,
    subscription,
    unit: item.pricing.unit_amount_decimal,
  });
}
