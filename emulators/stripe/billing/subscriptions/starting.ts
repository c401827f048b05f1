import type { Subscription } from '../../objects.ts';
import { emit, update } from '../../world.ts';
import type { Scope } from '../../world.ts';
import { collect } from '../invoices/collect.ts';
import type { Failure, Payment } from '../invoices/collect.ts';
import { draftInvoice, finalize, voidInvoice } from '../invoices/invoices.ts';
import { periodLines } from '../invoices/lines.ts';
import { oneTimeLines } from '../invoices/one-time.ts';
import { hasEnded } from './ending.ts';
import { newSubscription } from './subscription-object.ts';
import type { NewSubscription } from './subscription-object.ts';

/** How long the first invoice may stay unpaid, in seconds. */
export const INCOMPLETE_TIME = 23 * 60 * 60;

/**
 * A subscription with its first invoice, which is collected immediately unless `payment` is null.
 * It is incomplete until that invoice is paid. A trial or a free subscription is active immediately.
 */
export function startSubscription(
  scope: Scope,
  given: NewSubscription,
  payment: Payment | null,
): { subscription: Subscription; failure: Failure | null } {
  const begun = scope.state.subscriptions.insert(newSubscription(scope, given));
  const now = scope.now();
  const draft = draftInvoice(scope, begun, {
    reason: 'subscription_create',
    lines: (id) => [
      ...periodLines(scope, id, begun),
      ...oneTimeLines(scope, billOf(given, begun, id), given.oneTime ?? []),
    ],
    period: { start: now, end: now },
  });
  const subscription = scope.state.subscriptions.patch(begun.id, {
    latest_invoice: draft.id,
    ...(begun.status === 'incomplete' && draft.amount_due === 0 && { status: 'active' as const }),
  });
  emit(scope, 'customer.subscription.created', subscription);
  emit(scope, 'invoice.created', draft);
  const invoice = finalize(scope, draft);
  const failure = payment || invoice.amount_due === 0 ? collect(scope, invoice, payment ?? {}) : null;
  return { subscription: scope.state.subscriptions.latest(subscription), failure };
}

function billOf({ customer }: NewSubscription, { currency, id }: Subscription, invoice: string) {
  return { invoice, customer, currency, subscription: id };
}

/** The first invoice was not paid in time: it is voided, and the subscription expires. */
export function expireIncomplete(scope: Scope, subscription: Subscription): void {
  if (hasEnded(subscription)) return;
  for (const invoice of scope.state.invoices) {
    if (invoice.id === subscription.latest_invoice && invoice.status === 'open') voidInvoice(scope, invoice);
  }
  update(scope, 'customer.subscription.updated', subscription, {
    status: 'incomplete_expired',
    ended_at: scope.now(),
  });
}
