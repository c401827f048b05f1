import type { Subscription } from '../../objects.ts';
import { currentUsage, usageLines } from '../../usage/usage-lines.ts';
import { emit } from '../../world.ts';
import type { Scope } from '../../world.ts';
import { endSubscription } from '../subscriptions/ending.ts';
import type { CancellationReason } from '../subscriptions/ending.ts';
import { assertInvoiceAllowed } from '../subscriptions/limits.ts';
import { dropPending, prorate } from '../subscriptions/prorations.ts';
import { closePaused } from '../subscriptions/renewing.ts';
import { isMetered } from './amounts.ts';
import { draftInvoice, DRAFT_TIME } from './invoices.ts';

interface EndNow {
  /** True to credit the rest of the period. */
  settle: boolean;
  /** True to invoice the usage and the pending prorations. */
  invoice: boolean;
  details?: CancellationReason;
}

/**
 * Ends a subscription immediately. Its final invoice is a draft that is not collected automatically: Stripe's
 * documentation does not say that it is, and others have seen that it is not. A trial's usage is free. Without credit
 * and invoice, the pending prorations are deleted. https://docs.stripe.com/api/subscriptions/cancel
 */
export function endNow(
  scope: Scope,
  subscription: Subscription,
  { settle, invoice, details = {} }: EndNow,
): Subscription {
  if (settle) prorate(scope, subscription, subscription.items.data, [], scope.now());
  const used = subscription.status === 'trialing' ? undefined : currentUsage(scope, subscription);
  const ended = endSubscription(scope, subscription, { details });
  if (invoice) makeFinalInvoice(scope, ended, used);
  else if (!settle) dropPending(scope, ended);
  return scope.state.subscriptions.latest(ended);
}

function makeFinalInvoice(
  scope: Scope,
  subscription: Subscription,
  used: ReturnType<typeof currentUsage> | undefined,
): void {
  assertInvoiceAllowed(scope, subscription);
  const now = scope.now();
  const invoice = draftInvoice(scope, subscription, {
    reason: 'subscription_update',
    lines: (id) => (used ? usageLines(scope, id, subscription, used) : []),
    period: { start: now, end: now },
    advance: { auto_advance: false },
  });
  if (invoice.lines.data.length === 0) {
    scope.state.invoices.remove(invoice.id);
    return;
  }
  emit(scope, 'invoice.created', invoice);
  scope.state.subscriptions.patch(subscription.id, { latest_invoice: invoice.id });
  closePaused(scope, subscription, invoice);
}

/** Ends a subscription at its scheduled time. The usage of its last period gets an invoice. */
export function endOnSchedule(scope: Scope, subscription: Subscription): void {
  const used = currentUsage(scope, subscription);
  const owed =
    subscription.status !== 'trialing' && subscription.items.data.some(({ price }) => isMetered(price));
  endSubscription(scope, subscription, {});
  if (!owed) return;
  const invoice = draftInvoice(scope, subscription, {
    reason: 'subscription_cycle',
    lines: (id) => usageLines(scope, id, subscription, used),
    period: { start: used.start, end: used.end },
    advance: { automatically_finalizes_at: scope.now() + DRAFT_TIME },
  });
  scope.state.subscriptions.patch(subscription.id, { latest_invoice: invoice.id });
  emit(scope, 'invoice.created', invoice);
}
