import type { Invoice, Subscription } from '../../objects.ts';
import { emit, update } from '../../world.ts';
import type { Scope } from '../../world.ts';
import { subscriptionOf } from '../invoices/invoices.ts';
import { endSubscription } from './ending.ts';
import { applyPendingUpdate, isPendingInvoice } from './pending-update.ts';

/** Updates a subscription after its latest invoice was paid. */
export function paymentSucceeded(scope: Scope, invoice: Invoice): void {
  if (subscriptionOf(scope, invoice)?.latest_invoice !== invoice.id) return;
  applyPendingUpdate(scope, invoice);
  const subscription = subscriptionOf(scope, invoice);
  if (!subscription) return;
  if (subscription.status === 'paused') markResumed(scope, subscription, 'active');
  else if (['incomplete', 'past_due', 'unpaid'].includes(subscription.status)) {
    update(scope, 'customer.subscription.updated', subscription, { status: 'active' });
  }
}

/** Updates a subscription when the bank debit of its latest invoice begins. */
export function paymentPending(scope: Scope, invoice: Invoice): void {
  const subscription = subscriptionOf(scope, invoice);
  if (subscription?.latest_invoice !== invoice.id || subscription.status !== 'incomplete') return;
  update(scope, 'customer.subscription.updated', subscription, { status: 'active' });
}

/** Marks a paused subscription as resumed. */
export function markResumed(scope: Scope, subscription: Subscription, status: 'active' | 'past_due'): void {
  scope.state.subscriptions.patch(subscription.id, { status_details: undefined });
  const running = update(scope, 'customer.subscription.updated', subscription, { status });
  emit(scope, 'customer.subscription.resumed', running);
}

/** Updates a subscription after a failed payment. After the last attempt, the dunning settings decide. */
export function paymentFailed(scope: Scope, invoice: Invoice): void {
  if (isPendingInvoice(scope, invoice)) return;
  const subscription = subscriptionOf(scope, invoice);
  if (subscription?.status === 'paused' && subscription.latest_invoice === invoice.id) {
    // `resume_on_payment_attempt`: the invoice does not advance by itself.
    if (!invoice.auto_advance) markResumed(scope, subscription, 'past_due');
    return;
  }
  if (!subscription || !['active', 'trialing', 'past_due'].includes(subscription.status)) return;
  const last = invoice.next_payment_attempt === null && invoice.billing_reason !== 'subscription_create';
  const outcome = last ? scope.dunning.then : 'past_due';
  if (outcome === 'cancel') endSubscription(scope, subscription, { reason: 'payment_failed' });
  else update(scope, 'customer.subscription.updated', subscription, { status: outcome });
}
