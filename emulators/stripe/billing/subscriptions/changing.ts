import { InvalidParameter, unsupportedParameter } from '../../api/errors.ts';
import type { Invoice, Price, Subscription, SubscriptionItem } from '../../objects.ts';
import { currentUsage, usageLines } from '../../usage/usage-lines.ts';
import { emit, update } from '../../world.ts';
import type { Scope, World } from '../../world.ts';
import { isMetered, sellsIn } from '../invoices/amounts.ts';
import { collect, finalizeAndCollect } from '../invoices/collect.ts';
import type { Failure } from '../invoices/collect.ts';
import { draftInvoice, finalize } from '../invoices/invoices.ts';
import { periodLines } from '../invoices/lines.ts';
import { assertInvoiceAllowed } from './limits.ts';
import { prorate } from './prorations.ts';
import { closePaused, itemsFrom } from './renewing.ts';

/** How the rest of a period is settled when its price changes. */
export interface Proration {
  behavior: 'always_invoice' | 'create_prorations' | 'none';
  /** The moment of the change, in seconds since 1970; now, if it is left out. */
  date?: number | undefined;
  collection?: Collection | undefined;
  /** A new period begins now. Required for another billing interval. */
  reset?: boolean;
}

/** Whether the invoice of a change is charged immediately, or stays open for the customer to pay. */
export type Collection = 'now' | 'later';

/**
 * Changes the items of a subscription. With `reset` a new period begins and is invoiced immediately. Otherwise the
 * period stays, and `behavior` decides whether the difference is invoiced now or waits for the next invoice.
 */
export function changeItems(
  scope: Scope,
  subscription: Subscription,
  items: SubscriptionItem[],
  { behavior, date = scope.now(), collection = 'now', reset = false }: Proration,
): Failure | null {
  const before = subscription.items.data;
  assertOneCycle(scope, items, subscription.currency);
  const trial = subscription.status === 'trialing';
  if (!trial && !reset) assertSameCycle(before, items);
  const moved = { ...subscription.items, data: billedFromNow(scope, before, items) };
  if (behavior !== 'none' && !trial) {
    assertWithinPeriod(before, date);
    prorate(scope, subscription, before, reset ? [] : items, date);
  }
  if (trial || !reset) {
    const used = usageOfRemoved(scope, subscription, items);
    const changed = update(scope, 'customer.subscription.updated', subscription, { items: moved });
    const settled = behavior === 'always_invoice' && !trial;
    return settled ? invoiceChange(scope, changed, { period: false, collection, used }) : null;
  }
  const now = scope.now();
  const used = currentUsage(scope, subscription);
  const changed = update(scope, 'customer.subscription.updated', subscription, {
    billing_cycle_anchor: now,
    items: itemsFrom({ ...subscription, items: moved }, now, now),
  });
  return invoiceChange(scope, changed, { period: true, collection, used });
}

/** In flexible billing mode the day of the renewal would stay, and a part of the new interval be billed. */
function assertSameCycle(before: readonly SubscriptionItem[], after: readonly SubscriptionItem[]): void {
  if (hasSameCycle(before[0]?.price, after[0]?.price)) return;
  throw unsupportedParameter('another billing interval without billing_cycle_anchor[type]=now');
}

/**
 * The usage until now of the metered prices that a change removes, which is invoiced with the change;
 * https://docs.stripe.com/billing/subscriptions/usage-based/manage-billing-setup.
 */
function usageOfRemoved(
  scope: Scope,
  subscription: Subscription,
  after: readonly SubscriptionItem[],
): ChangeInvoice['used'] {
  const { items, ...span } = currentUsage(scope, subscription);
  return { ...span, items: items.filter(({ price }) => !after.some((item) => item.price.id === price.id)) };
}

/** Metered items that get another price are billed from now on, as new items are. */
function billedFromNow(
  scope: Scope,
  before: readonly SubscriptionItem[],
  after: readonly SubscriptionItem[],
): SubscriptionItem[] {
  return after.map((item) => {
    const former = before.find(({ id }) => id === item.id);
    const isReplaced = former !== undefined && former.price.id !== item.price.id;
    return isReplaced && isMetered(item.price) ? { ...item, created: scope.now() } : item;
  });
}

interface ChangeInvoice {
  /** Whether the current period is invoiced. */
  period: boolean;
  collection?: Collection | undefined;
  /** The metered items and the time whose usage is invoiced. */
  used?: Parameters<typeof usageLines>[3] | undefined;
}

/** Invoices the pending items and, if asked for, the current period and the usage. */
export function invoiceChange(
  scope: Scope,
  subscription: Subscription,
  { period, collection = 'now', used }: ChangeInvoice,
): Failure | null {
  assertInvoiceAllowed(scope, subscription);
  const now = scope.now();
  const invoice = draftInvoice(scope, subscription, {
    reason: 'subscription_update',
    lines: (id) => [
      ...(used ? usageLines(scope, id, subscription, used) : []),
      ...(period ? periodLines(scope, id, subscription) : []),
    ],
    period: { start: now, end: now },
  });
  if (invoice.lines.data.length === 0) {
    scope.state.invoices.remove(invoice.id);
    return null;
  }
  emit(scope, 'invoice.created', invoice);
  update(scope, 'customer.subscription.updated', subscription, { latest_invoice: invoice.id });
  const { pause_collection: paused } = subscription;
  if (paused) {
    const auto_advance = paused.behavior !== 'keep_as_draft';
    closePaused(scope, subscription, scope.state.invoices.patch(invoice.id, { auto_advance }));
    return null;
  }
  if (collection === 'now') return finalizeAndCollect(scope, invoice);
  leaveOpen(scope, subscription, invoice);
  return null;
}

/** The subscription is past due until the invoice is paid. */
function leaveOpen(scope: Scope, subscription: Subscription, invoice: Invoice): void {
  const open = finalize(scope, invoice);
  if (open.amount_due === 0) collect(scope, open);
  else update(scope, 'customer.subscription.updated', subscription, { status: 'past_due' });
}

/** Whether two prices are billed in the same interval. */
export function hasSameCycle(one: Price | undefined, other: Price | undefined): boolean {
  return cycleOf(one) === cycleOf(other);
}

/** The billing cycle of a price, which all items of a subscription share. */
export function cycleOf(price: Price | undefined): string {
  const { interval, interval_count: count } = price?.recurring ?? {};
  return `${String(interval)} ${String(count)}`;
}

/** All items of a subscription are billed together here, in one currency. */
export function assertOneCycle(
  world: World,
  items: readonly Pick<SubscriptionItem, 'price'>[],
  currency: string,
): void {
  const cycles = new Set(items.map(({ price }) => cycleOf(price)));
  if (cycles.size > 1 || !items.every(({ price }) => sellsIn(world, price, currency))) {
    throw new InvalidParameter('All items must have the same currency and billing interval.', 'items');
  }
}

function assertWithinPeriod([item]: readonly SubscriptionItem[], date: number): void {
  if (!item || (date >= item.current_period_start && date <= item.current_period_end)) return;
  throw new InvalidParameter(
    'Cannot specify a proration_date outside of the current period.',
    'proration_date',
  );
}
