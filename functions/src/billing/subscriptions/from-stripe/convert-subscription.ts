import { isDeepStrictEqual } from 'node:util';
import type Stripe from 'stripe';
import { DAY_MS } from '../../../common/durations.ts';
import { DocumentPath } from '../../../firestore/convert.ts';
import {
  pricePath,
  type InvoiceSummary,
  type SubscriptionDocument,
} from '../../../firestore/documents/subscription.ts';
import type { PlansAndExtras } from '../../../settings/extras.ts';
import { dashboardLink, idOf } from '../../stripe/stripe-ids.ts';
import { findPlanOfItems } from '../plan-item.ts';

/** The parameters with which a subscription is retrieved, so that it can be converted. */
export const WITH_LATEST_INVOICE = { expand: ['latest_invoice'] };

/** The settings and the time with which a subscription is converted to a document. */
export interface ConversionSettings extends PlansAndExtras {
  pastDueGraceDays: number;
  now: Date;
}

/** Inputs of a conversion besides the subscription at Stripe. */
export interface ConversionInputs extends ConversionSettings {
  /** From `findFirstDueTime` or our copy. If undefined, the time is estimated. */
  pastDueSince?: Date | undefined;
  /** The summary of the invoice in our copy. Its URL is kept while everything else in the summary is the same. */
  invoiceBefore?: InvoiceSummary | null | undefined;
}

/** Converts a subscription. Takes from our copy the beginning of the past due time, and the URL of the invoice. */
export function convertWithCopy(
  subscription: Stripe.Subscription,
  items: SubscriptionDocument['items'],
  settings: ConversionSettings,
  copy: SubscriptionDocument | undefined,
): SubscriptionDocument {
  return convertSubscription(subscription, items, {
    ...settings,
    pastDueSince: pastDueSinceOf(copy),
    invoiceBefore: copy?.latest_invoice,
  });
}

/** The time from which the grace counts, if our copy was made while the subscription was past due. */
export function pastDueSinceOf(copy: SubscriptionDocument | undefined): Date | undefined {
  return copy?.past_due_since ?? undefined;
}

/** Converts the fields of a subscription whose items have their lookup keys. */
export function convertSubscription(
  subscription: Stripe.Subscription,
  items: SubscriptionDocument['items'],
  inputs: ConversionInputs,
): SubscriptionDocument {
  const [first] = subscription.items.data;
  const pastDueSince = pastDueSinceOrEstimate(subscription, inputs);
  return {
    status: subscription.status,
    role: findPlanOfItems(items, inputs.plans)?.plan.slug ?? null,
    metadata: subscription.metadata,
    items,
    ...referencesOf(items),
    quantity: items[0]?.quantity ?? null,
    cancel_at_period_end: subscription.cancel_at_period_end,
    created: toDate(subscription.created),
    current_period_start: toOptionalDate(first?.current_period_start),
    current_period_end: toOptionalDate(first?.current_period_end),
    cancel_at: toOptionalDate(subscription.cancel_at),
    canceled_at: toOptionalDate(subscription.canceled_at),
    ended_at: toOptionalDate(subscription.ended_at),
    trial_start: toOptionalDate(subscription.trial_start),
    trial_end: toOptionalDate(subscription.trial_end),
    past_due_since: pastDueSince,
    grace_until: pastDueSince && graceUntil(pastDueSince, inputs),
    collection_paused: collectionPausedOf(subscription),
    latest_invoice: keepUrlIfUnchanged(summaryOf(invoiceOf(subscription)), inputs.invoiceBefore),
    schedule: scheduleIdOf(subscription),
    stripeLink: dashboardLink('subscriptions', subscription),
  };
}

export function scheduleIdOf({ schedule }: Pick<Stripe.Subscription, 'schedule'>): string | null {
  return schedule === null ? null : idOf(schedule);
}

/** The references that clients of the Stripe extension read. */
function referencesOf(
  items: SubscriptionDocument['items'],
): Pick<SubscriptionDocument, 'price' | 'product' | 'prices' | 'priceId'> {
  const prices = items.map(({ product, price }) => pricePath(product, price));
  const [first] = items;
  return {
    price: prices[0] ?? null,
    product: first === undefined ? null : new DocumentPath(`products/${first.product}`),
    prices,
    priceId: first?.price ?? null,
  };
}

/** Without `pastDueSince`, estimates the time by the latest invoice, or by the beginning of the period. */
function pastDueSinceOrEstimate(
  subscription: Stripe.Subscription,
  { pastDueSince }: ConversionInputs,
): Date | null {
  if (subscription.status !== 'past_due') return null;
  const invoice = invoiceOf(subscription);
  const due = invoice === null ? subscription.items.data[0]?.current_period_start : dueTimeOf(invoice);
  return pastDueSince ?? toOptionalDate(due);
}

/**
 * When the payment of an invoice is due, in seconds since 1970. An invoice that is sent to the customer has a due date.
 * Any other invoice is charged when it is made.
 */
export function dueTimeOf({ created, due_date: dueDate }: Stripe.Invoice): number {
  return dueDate ?? created;
}

/** The end of the grace; null once the grace is over. */
function graceUntil(pastDueSince: Date, { pastDueGraceDays, now }: ConversionInputs): Date | null {
  const until = new Date(pastDueSince.getTime() + pastDueGraceDays * DAY_MS);
  return until > now ? until : null;
}

function collectionPausedOf({ pause_collection: paused }: Stripe.Subscription) {
  return paused && { behavior: paused.behavior, resumes_at: toOptionalDate(paused.resumes_at) };
}

function invoiceOf({ latest_invoice: invoice }: Stripe.Subscription): Stripe.Invoice | null {
  return invoice === null || typeof invoice === 'string' ? null : invoice;
}

function summaryOf(invoice: Stripe.Invoice | null): InvoiceSummary | null {
  if (invoice === null) return null;
  const { id, status, amount_due, currency, created, next_payment_attempt, hosted_invoice_url } = invoice;
  return {
    id,
    status,
    amount_due,
    currency,
    created: toDate(created),
    next_payment_attempt: toOptionalDate(next_payment_attempt),
    hosted_invoice_url: hosted_invoice_url ?? null,
  };
}

/**
 * Keeps the URL of our copy if nothing else has changed. Stripe renders another URL of the same page at each answer.
 * With each new URL, an unchanged copy would look wrong to the reconciliation, and each sync would write it.
 */
function keepUrlIfUnchanged(
  summary: InvoiceSummary | null,
  before: InvoiceSummary | null | undefined,
): InvoiceSummary | null {
  if (!summary?.hosted_invoice_url || !before?.hosted_invoice_url) return summary;
  const unchanged = { ...summary, hosted_invoice_url: before.hosted_invoice_url };
  return isDeepStrictEqual(unchanged, before) ? unchanged : summary;
}

/** @param seconds since 1970, Stripe's unit of time */
export function toDate(seconds: number): Date {
  return new Date(seconds * 1000);
}

function toOptionalDate(seconds: number | null | undefined): Date | null {
  return seconds === null || seconds === undefined ? null : toDate(seconds);
}
