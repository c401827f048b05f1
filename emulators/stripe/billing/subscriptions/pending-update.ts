import type { PendingUpdate } from '../../hidden-records.ts';
import type { Invoice, Subscription } from '../../objects.ts';
import { emit, update } from '../../world.ts';
import type { Scope, World } from '../../world.ts';
import { subscriptionOf, voidInvoice } from '../invoices/invoices.ts';
import { periodEnd } from '../period.ts';
import { updateCurrentPhase } from '../schedules/schedule-object.ts';

/** The longest time that a pending update waits for its payment, in seconds. */
const PENDING_TIME = 23 * 60 * 60;

/**
 * Stores a change that is applied once its invoice is paid;
 * https://docs.stripe.com/billing/subscriptions/pending-updates-reference.
 * @param after the properties that the change sets, without `metadata`
 * @param shown the requested values that `pending_update` shows
 */
export function storePendingUpdate(
  scope: Scope,
  subscription: Subscription,
  { invoice, after, shown }: { invoice: Invoice; after: Partial<Subscription>; shown: Shown },
): Subscription {
  scope.state.pendingUpdates.put({ id: subscription.id, invoice: invoice.id, after });
  return update(scope, 'customer.subscription.updated', subscription, {
    latest_invoice: invoice.id,
    pending_update: {
      billing_cycle_anchor: after.billing_cycle_anchor ?? null,
      cancel_at_period_end: after.cancel_at_period_end ?? null,
      discount: null,
      discounts: null,
      expires_at: Math.min(scope.now() + PENDING_TIME, periodEnd(subscription)),
      metadata: shown.metadata,
      subscription_items: after.items?.data ?? null,
      trial_end: after.trial_end ?? null,
      trial_from_plan: null,
    },
  });
}

type Shown = Pick<NonNullable<Subscription['pending_update']>, 'metadata'>;

/** Whether a subscription's pending update waits for this invoice. */
export function isPendingInvoice({ state }: World, { id }: Invoice): boolean {
  return state.pendingUpdates.some(({ invoice }) => invoice === id);
}

/** Applies the pending update that waited for this invoice, if there is one. */
export function applyPendingUpdate(scope: Scope, invoice: Invoice): void {
  const subscription = subscriptionOf(scope, invoice);
  if (!subscription || !isPendingInvoice(scope, invoice)) return;
  const { after } = forget(scope, subscription) ?? { after: {} };
  const updated = update(scope, 'customer.subscription.updated', subscription, {
    ...after,
    metadata: { ...subscription.metadata, ...subscription.pending_update?.metadata },
    pending_update: null,
  });
  updateCurrentPhase(scope, updated);
  emit(scope, 'customer.subscription.pending_update_applied', updated);
}

/** Discards a pending update and voids its invoice. */
export function expirePendingUpdate(scope: Scope, subscription: Subscription): void {
  const pending = forget(scope, subscription);
  if (!pending) return;
  const invoice = scope.state.invoices.get(pending.invoice);
  if (invoice?.status === 'open') voidInvoice(scope, invoice);
  const kept = update(scope, 'customer.subscription.updated', subscription, { pending_update: null });
  emit(scope, 'customer.subscription.pending_update_expired', kept);
}

function forget({ state }: Scope, { id }: Subscription): PendingUpdate | undefined {
  const pending = state.pendingUpdates.get(id);
  state.pendingUpdates.remove(id);
  return pending;
}
