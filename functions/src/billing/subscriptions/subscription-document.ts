import type Stripe from 'stripe';
import type { Reads } from '../../firestore/db.ts';
import { DocumentPath } from '../../firestore/convert.ts';
import {
  pricePath,
  type InvoiceSummary,
  type SubscriptionDocument,
} from '../../firestore/documents/subscription.ts';
import type { PlanList } from '../../settings/plans.ts';
import { dashboardLink } from '../stripe/stripe-ids.ts';
import { readItems } from './subscription-items.ts';
import { planOfItems } from './subscription.ts';

/** The parameters with which a subscription is retrieved for `toDocument`. */
export const RETRIEVE = { expand: ['latest_invoice'] };

/** Inputs of a document besides the subscription at Stripe. */
export interface Terms {
  plans: PlanList;
  pastDueGraceDays: number;
  now: Date;
}

const DAY_SECONDS = 86_400;

/**
 * The document that a Stripe subscription should have here. Reads prices only if no item is known to belong to a plan, see
 * `readItems`.
 *
 * @param stored the document that it has now, if any
 */
export async function readDocument(
  reads: Reads,
  terms: Terms,
  subscription: Stripe.Subscription,
  stored?: SubscriptionDocument,
): Promise<SubscriptionDocument> {
  const items = await readItems(reads, terms.plans, subscription, stored);
  return toDocument(subscription, items, terms);
}

/** The document of a Stripe subscription whose items are known. */
export function toDocument(
  subscription: Stripe.Subscription,
  items: SubscriptionDocument['items'],
  terms: Terms,
): SubscriptionDocument {
  const [first] = subscription.items.data;
  return {
    status: subscription.status,
    role: planOfItems(items, terms.plans)?.slug ?? null,
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
    past_due_since: null,
    grace_until: graceUntil(subscription, terms),
    collection_paused: null,
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

/** Counted from the unpaid invoice, so that it does not depend on when the subscription is synced. */
function graceUntil(subscription: Stripe.Subscription, { pastDueGraceDays, now }: Terms): Date | null {
  if (subscription.status !== 'past_due') return null;
  const due = invoiceOf(subscription)?.created ?? subscription.items.data[0]?.current_period_start;
  if (due === undefined) return null;
  const until = toDate(due + pastDueGraceDays * DAY_SECONDS);
  return until > now ? until : null;
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
