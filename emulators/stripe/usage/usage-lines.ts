import { amountOf, isMetered, unitAmount } from '../billing/invoices/amounts.ts';
import { newLine, productName } from '../billing/invoices/lines.ts';
import type { Invoice, InvoiceLine, Price, Subscription, SubscriptionItem } from '../objects.ts';
import type { Scope, World } from '../world.ts';
import { aggregate, eventsWithin } from './aggregate.ts';
import type { Span } from './aggregate.ts';

/** A line for the usage of each metered item within a span, which has ended. */
export function usageLines(
  scope: Scope,
  invoice: string,
  subscription: Subscription,
  { items, start, end }: Span & { items: readonly SubscriptionItem[] },
): InvoiceLine[] {
  return items
    .filter(({ price }) => isMetered(price))
    .map((item) => {
      // An item that was added within the span is billed from then on.
      const period = { start: Math.max(start, item.created), end };
      const quantity = usageOf(scope, item.price, subscription.customer, period);
      return newLine(invoice, subscription, item.id, {
        amount: amountOf(scope, item.price, quantity, subscription.currency),
        unit: unitAmount(scope, item.price, subscription.currency),
        description: describe(scope, item.price, quantity),
        period,
        price: item.price,
        quantity,
        proration: null,
      });
    });
}

/**
 * Counts a draft's usage again, because events may arrive until the draft is finalized.
 * @returns the draft without its discounts, or null if it has no usage; the caller stores it
 */
export function recountUsage(scope: Scope, invoice: Invoice): Invoice | null {
  const data = invoice.lines.data.map((line) => recountLine(scope, invoice, line));
  if (data.every((line, index) => line === invoice.lines.data[index])) return null;
  const subtotal = data.reduce((sum, { amount }) => sum + amount, 0);
  return {
    ...invoice,
    amount_due: Math.max(0, subtotal),
    amount_remaining: Math.max(0, subtotal),
    lines: { ...invoice.lines, data },
    subtotal,
    subtotal_excluding_tax: subtotal,
    total: subtotal,
    total_excluding_tax: subtotal,
  };
}

/** A line that is not for usage is returned as it is. */
function recountLine(scope: Scope, { currency, customer }: Invoice, line: InvoiceLine): InvoiceLine {
  const id = line.pricing.price_details?.price;
  const price = typeof id === 'string' ? scope.state.prices.get(id) : undefined;
  if (!price || !isMetered(price)) return line;
  const quantity = usageOf(scope, price, customer, line.period);
  const amount = amountOf(scope, price, quantity, currency);
  return {
    ...line,
    amount,
    description: describe(scope, price, quantity),
    quantity,
    quantity_decimal: String(quantity),
    subtotal: amount,
  };
}

/** A total below zero is billed as zero. */
function usageOf(world: World, price: Price, customer: string, span: Span): number {
  const meter = world.state.meters.get(price.recurring?.meter ?? '');
  if (!meter) return 0;
  return Math.max(0, aggregate(meter, eventsWithin(world, meter, customer, span)));
}

function describe(scope: Scope, price: Price, quantity: number): string {
  return `${quantity} × ${productName(scope, { price })}`;
}

/** The metered items of a subscription and their current period up to now. */
export function currentUsage(
  scope: Scope,
  { items }: Subscription,
): Span & { items: readonly SubscriptionItem[] } {
  const now = scope.now();
  return { items: items.data, start: items.data[0]?.current_period_start ?? now, end: now };
}
