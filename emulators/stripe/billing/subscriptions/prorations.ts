import { byId } from '../../objects.ts';
import type { InvoiceItem, InvoiceLine, Subscription, SubscriptionItem } from '../../objects.ts';
import type { Store } from '../../store/store.ts';
import { emit } from '../../world.ts';
import type { Scope } from '../../world.ts';
import { netShare } from '../discounts/discounts.ts';
import { amountOf, isMetered, unitAmount } from '../invoices/amounts.ts';
import { newInvoiceItem } from '../invoices/invoice-item-object.ts';
import { newLine, productName } from '../invoices/lines.ts';

type Share = 'unused' | 'remaining';

/**
 * The difference between the amount paid for the rest of the period and its new price, as invoice items that
 * wait for the next invoice; https://docs.stripe.com/billing/subscriptions/prorations.
 * @param from the moment of the change, in seconds since 1970
 */
export function prorate(
  scope: Scope,
  subscription: Subscription,
  before: readonly SubscriptionItem[],
  after: readonly SubscriptionItem[],
  from: number,
): void {
  const changed = (item: SubscriptionItem, others: readonly SubscriptionItem[]): boolean => {
    const other = byId(others, item.id);
    return other?.price.id !== item.price.id || other.quantity !== item.quantity;
  };
  for (const item of before.filter(isLicensed)) {
    if (changed(item, after)) addItem(scope, subscription, item, from, 'unused');
  }
  for (const item of after.filter(isLicensed)) {
    if (changed(item, before)) addItem(scope, subscription, item, from, 'remaining');
  }
}

/** Usage is billed afterwards, so it has no credit. */
function isLicensed({ price }: SubscriptionItem): boolean {
  return !isMetered(price);
}

function addItem(
  scope: Scope,
  subscription: Subscription,
  item: SubscriptionItem,
  from: number,
  share: Share,
): void {
  const { price, quantity = 1, current_period_start: start, current_period_end: end } = item;
  const net = netShare(scope, subscription, from);
  const { currency } = subscription;
  const full = amountOf(scope, price, quantity, currency);
  const rest = Math.round((full * net * (end - from)) / (end - start));
  const invoiceItem = newInvoiceItem(
    {
      amount: share === 'unused' ? -rest : rest,
      currency,
      unit: unitAmount(scope, price, currency),
      customer: subscription.customer,
      date: from,
      description: describe(scope, item, from, share),
      period: { start: from, end },
      price,
      quantity,
      test_clock: subscription.test_clock,
    },
    {
      discountable: false,
      metadata: subscription.metadata,
      parent: {
        subscription_details: { subscription: subscription.id, subscription_item: item.id },
        type: 'subscription_details',
      },
      proration: true,
      proration_details: { credited_items: null, discount_amounts: [] },
    },
  );
  scope.state.invoiceItems.insert(invoiceItem);
  emit(scope, 'invoiceitem.created', invoiceItem);
}

function describe(scope: Scope, item: SubscriptionItem, from: number, share: Share): string {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(from * 1000);
  const { quantity = 1 } = item;
  const what = `${quantity > 1 ? `${quantity} × ` : ''}${productName(scope, item)}`;
  return `${share === 'unused' ? 'Unused' : 'Remaining'} time on ${what} after ${day}`;
}

/** The pending items of a subscription. */
export function pendingItems({ invoiceItems }: Store, subscription: Subscription): InvoiceItem[] {
  return invoiceItems.where(
    ({ invoice, parent }) =>
      invoice === null && parent?.subscription_details?.subscription === subscription.id,
  );
}

/** Deletes the pending prorations of a subscription. */
export function dropPending(scope: Scope, subscription: Subscription): void {
  for (const item of pendingItems(scope.state, subscription)) {
    if (!item.proration) continue;
    scope.state.invoiceItems.remove(item.id);
    emit(scope, 'invoiceitem.deleted', item);
  }
}

/** Puts the pending items on an invoice. */
export function takePending(scope: Scope, invoice: string, subscription: Subscription): InvoiceLine[] {
  return pendingItems(scope.state, subscription).flatMap((item) => {
    const price = scope.state.prices.get(item.pricing.price_details.price);
    if (!price) return [];
    scope.state.invoiceItems.patch(item.id, { invoice });
    return newLine(invoice, subscription, item.parent?.subscription_details?.subscription_item ?? '', {
      amount: item.amount,
      description: item.description ?? '',
      period: item.period,
      price,
      unit: item.pricing.unit_amount_decimal,
      quantity: item.quantity,
      proration: item.id,
    });
  });
}
