import type Stripe from 'stripe';
import { DAY_MS } from '../../../common/durations.ts';
import { DocumentPath } from '../../../firestore/convert.ts';
import type { Reads } from '../../../firestore/db.ts';
import {
  pricePath,
  type InvoiceSummary,
  type SubscriptionDocument,
} from '../../../firestore/documents/subscription.ts';
import type { PlansAndExtras } from '../../../settings/extras.ts';
import { dashboardLink } from '../../stripe/stripe-ids.ts';
import { planOfItems } from '../plan-item.ts';
import { readItems } from './subscription-items.ts';

/** The parameters with which a subscription is retrieved for `makeSubscriptionDocument`. */
export const WITH_LATEST_INVOICE = { expand: ['latest_invoice'] };

/** Inputs of a document besides the subscription at Stripe. */
export interface DocumentInputs extends PlansAndExtras {
  pastDueGraceDays: number;
  now: Date;
  /** When the first open invoice of a past due subscription was made: from `readUnpaidSince`, or from our copy. */
  unpaidSince?: Date | undefined;
}

/**
 * Makes the document that a Stripe subscription should have in Firestore. Reads as many prices as `readItems`. Without
 * `unpaidSince`, the `past_due_since` of our copy is kept.
 *
 * @param stored our copy, if there is one
 */
export async function makeSubscriptionDocument(
  reads: Reads,
  inputs: DocumentInputs,
  subscription: Stripe.Subscription,
  stored?: SubscriptionDocument,
): Promise<SubscriptionDocument> {
  const items = await readItems(reads, inputs, subscription, stored);
  return makeDocumentWithItems(subscription, items, {
    ...inputs,
    unpaidSince: inputs.unpaidSince ?? stored?.past_due_since ?? undefined,
  });
}

/**
 * Finds when the first open invoice of a past due subscription was made. This invoice counts, because others may follow
 * while it is unpaid: for the next period, and for each new seat. One call to Stripe for a past due subscription.
 *
 * @returns undefined if there is no open invoice or the subscription is not past due
 */
export async function readUnpaidSince(
  { invoices }: Stripe,
  { id, status }: Stripe.Subscription,
): Promise<Date | undefined> {
  if (status !== 'past_due') return undefined;
  let first: number | undefined;
  for await (const { created } of invoices.list({ subscription: id, status: 'open', limit: 100 })) {
    first = Math.min(created, first ?? created);
  }
  return first === undefined ? undefined : toDate(first);
}

/**
 * The document of a Stripe subscription whose items are known. Without `unpaidSince`, the times of the grace are
 * estimates: see `pastDueSinceOf`.
 */
export function makeDocumentWithItems(
  subscription: Stripe.Subscription,
  items: SubscriptionDocument['items'],
  inputs: DocumentInputs,
): SubscriptionDocument {
  const [first] = subscription.items.data;
  const pastDueSince = pastDueSinceOf(subscription, inputs);
  return {
    status: subscription.status,
    role: planOfItems(items, inputs.plans)?.slug ?? null,
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
    latest_invoice: summaryOf(invoiceOf(subscription)),
    stripeLink: dashboardLink('subscriptions', subscription),
  };
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

/**
 * The time from which the grace is counted: when the first unpaid invoice was made. This time does not depend on when
 * the subscription is synced. Without `unpaidSince`, the time is estimated by the latest invoice, or by the beginning
 * of the period. A checkout therefore prefers the time in our copy: see `factsOf`.
 */
function pastDueSinceOf(subscription: Stripe.Subscription, { unpaidSince }: DocumentInputs): Date | null {
  if (subscription.status !== 'past_due') return null;
  const due = invoiceOf(subscription)?.created ?? subscription.items.data[0]?.current_period_start;
  return unpaidSince ?? toOptionalDate(due);
}

/** The end of the grace; null once the grace is over. */
function graceUntil(pastDueSince: Date, { pastDueGraceDays, now }: DocumentInputs): Date | null {
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

/** @param seconds since 1970, Stripe's unit of time */
function toDate(seconds: number): Date {
  return new Date(seconds * 1000);
}

function toOptionalDate(seconds: number | null | undefined): Date | null {
  return seconds === null || seconds === undefined ? null : toDate(seconds);
}
