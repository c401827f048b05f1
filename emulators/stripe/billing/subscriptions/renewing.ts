import type { Invoice, Subscription, SubscriptionItem } from '../../objects.ts';
import { usageLines } from '../../usage/usage-lines.ts';
import { emit, update } from '../../world.ts';
import type { Scope } from '../../world.ts';
import { nextPeriodEnd } from '../calendar.ts';
import { collect } from '../invoices/collect.ts';
import { draftInvoice, DRAFT_TIME, finalize, markUncollectible, voidInvoice } from '../invoices/invoices.ts';
import type { Draft } from '../invoices/invoices.ts';
import { periodLines } from '../invoices/lines.ts';
import { payingMethod } from '../payment-methods.ts';
import { periodEnd } from '../period.ts';
import { endSubscription } from './ending.ts';
import { markResumed } from './payment-outcome.ts';

/** The items in the period that begins at `start`, in seconds since 1970. */
export function itemsFrom(subscription: Subscription, start: number, anchor: number): Subscription['items'] {
  const moved = (item: SubscriptionItem): SubscriptionItem => {
    const { interval = 'month', interval_count: count = 1 } = item.price.recurring ?? {};
    return {
      ...item,
      current_period_start: start,
      current_period_end: nextPeriodEnd(anchor, start, interval, count),
    };
  };
  return { ...subscription.items, data: subscription.items.data.map(moved) };
}

/** Begins the next period after a period or trial, and drafts its invoice. */
export function renew(scope: Scope, subscription: Subscription): void {
  if (subscription.status === 'trialing' && !payingMethod(scope, subscription)) {
    const behavior = subscription.trial_settings?.end_behavior.missing_payment_method;
    if (behavior === 'cancel') {
      endSubscription(scope, subscription, {});
      return;
    }
    if (behavior === 'pause') {
      pause(scope, subscription, 'trial_end_without_payment_method');
      return;
    }
  }
  const start = periodEnd(subscription);
  const past = { start: subscription.items.data[0]?.current_period_start ?? start, end: start };
  const used = { items: subscription.items.data, ...past };
  // The lines are those of the new period, in which a trial is over.
  const renewed: Subscription = {
    ...subscription,
    items: itemsFrom(subscription, start, subscription.billing_cycle_anchor),
    status: subscription.status === 'trialing' ? 'active' : subscription.status,
  };
  const invoice = draftInvoice(scope, renewed, {
    reason: 'subscription_cycle',
    lines: (id) => [
      ...(subscription.status === 'trialing' ? [] : usageLines(scope, id, renewed, used)),
      ...periodLines(scope, id, renewed),
    ],
    period: past,
    advance: advanceOf(scope, subscription),
  });
  emit(scope, 'invoice.created', invoice);
  const { items, status } = renewed;
  update(scope, 'customer.subscription.updated', subscription, { items, status, latest_invoice: invoice.id });
  closePaused(scope, subscription, invoice);
}

/** A draft is finalized an hour later, unless it is not collected. */
function advanceOf(
  scope: Scope,
  { status, pause_collection: paused }: Subscription,
): NonNullable<Draft['advance']> {
  const advances = status !== 'unpaid' && paused?.behavior !== 'keep_as_draft';
  return {
    auto_advance: advances,
    automatically_finalizes_at: advances && !paused ? scope.now() + DRAFT_TIME : null,
  };
}

/** Voids or writes off an invoice that was made while collection is paused. With `keep_as_draft` it stays a draft. */
export function closePaused(
  scope: Scope,
  { pause_collection: paused }: Subscription,
  invoice: Invoice,
): void {
  if (!paused || paused.behavior === 'keep_as_draft') return;
  const open = finalize(scope, invoice);
  if (paused.behavior === 'void') voidInvoice(scope, open);
  else markUncollectible(scope, open);
}

/** Pauses a subscription. Nothing is invoiced until it is resumed. */
export function pause(
  scope: Scope,
  subscription: Subscription,
  why: 'pause_requested' | 'trial_end_without_payment_method',
): Subscription {
  scope.state.subscriptions.patch(subscription.id, {
    status_details: {
      paused: { subscription: { type: why }, transitioned_at: scope.now(), type: 'subscription' },
    },
  });
  const paused = update(scope, 'customer.subscription.updated', subscription, { status: 'paused' });
  emit(scope, 'customer.subscription.paused', paused);
  return paused;
}

/** How a paused subscription is resumed; https://docs.stripe.com/api/subscriptions/resume. */
export interface Resumption {
  /** `now` begins a new period; `unchanged` keeps the current one, which must not have ended. */
  anchor: 'now' | 'unchanged';
  /** `resume_on_payment_attempt` leaves the invoice open until a payment is attempted. */
  behavior: 'resume_on_payment_attempt' | 'resume_on_payment_success';
}

/** Resumes a paused subscription once the invoice of its new period is paid; without an invoice, immediately. */
export function resume(scope: Scope, subscription: Subscription, { anchor, behavior }: Resumption): void {
  if (anchor === 'unchanged') {
    markResumed(scope, subscription, 'active');
    return;
  }
  const now = scope.now();
  const begun = update(scope, 'customer.subscription.updated', subscription, {
    billing_cycle_anchor: now,
    items: itemsFrom(subscription, now, now),
    trial_end: subscription.trial_end === null ? null : Math.min(now, subscription.trial_end),
  });
  const draft = draftInvoice(scope, begun, {
    reason: 'subscription_cycle',
    lines: (id) => periodLines(scope, id, begun),
    period: { start: now, end: now },
    advance: { auto_advance: behavior === 'resume_on_payment_success' },
  });
  emit(scope, 'invoice.created', draft);
  update(scope, 'customer.subscription.updated', begun, { latest_invoice: draft.id });
  const invoice = finalize(scope, draft);
  if (invoice.auto_advance || invoice.amount_due === 0) collect(scope, invoice);
}
