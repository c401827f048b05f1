import { DocumentReference, type Timestamp } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import { expect } from 'vitest';
import { withoutToken } from './billing.ts';

/** The plan of each price that the local Stripe sells, see SAMPLE_PLANS. */
const ROLES: Readonly<Record<string, string>> = {
  price_hearth_pro_month: 'pro',
  price_hearth_pro_year: 'pro',
  price_hearth_business_month: 'business',
  price_hearth_business_year: 'business',
};

/**
 * The document `customers/{customerId}/subscriptions/{subscriptionId}` of a subscription with one item and an expanded
 * invoice, as docs/data-model.md describes it. It is written from Stripe's object alone and shares no code with the
 * backend. Times are in seconds and references are paths, see `inSeconds`.
 *
 * @throws Error for a past due subscription: its grace depends on the configuration
 */
export function expectedSubscription(subscription: Stripe.Subscription): Record<string, unknown> {
  const [item, ...others] = subscription.items.data;
  const invoice = subscription.latest_invoice;
  if (item === undefined || others.length > 0) throw new Error('The subscription has not exactly one item.');
  if (invoice === null || typeof invoice === 'string') throw new Error('The invoice is not expanded.');
  if (subscription.status === 'past_due') throw new Error('The subscription is past due.');
  const productId = item.price.product as string;
  return {
    status: subscription.status,
    role: ROLES[item.price.id],
    metadata: subscription.metadata,
    price: `products/${productId}/prices/${item.price.id}`,
    product: `products/${productId}`,
    prices: [`products/${productId}/prices/${item.price.id}`],
    priceId: item.price.id,
    quantity: item.quantity,
    items: [
      {
        id: item.id,
        price: item.price.id,
        lookupKey: item.price.lookup_key,
        product: productId,
        quantity: item.quantity,
      },
    ],
    created: subscription.created,
    current_period_start: item.current_period_start,
    current_period_end: item.current_period_end,
    cancel_at_period_end: subscription.cancel_at_period_end,
    cancel_at: subscription.cancel_at,
    canceled_at: subscription.canceled_at,
    ended_at: subscription.ended_at,
    trial_start: subscription.trial_start,
    trial_end: subscription.trial_end,
    past_due_since: null,
    grace_until: null,
    collection_paused: null,
    latest_invoice: {
      id: invoice.id,
      status: invoice.status,
      amount_due: invoice.amount_due,
      currency: invoice.currency,
      created: invoice.created,
      next_payment_attempt: invoice.next_payment_attempt,
      hosted_invoice_url: invoice.hosted_invoice_url && samePage(invoice.hosted_invoice_url),
    },
    schedule: subscription.schedule,
    stripeLink: `https://dashboard.stripe.com/test/subscriptions/${subscription.id}`,
  };
}

/** Matches each URL of the page of an invoice. */
function samePage(url: string): unknown {
  return expect.stringContaining(withoutToken(url));
}

/** A value of Firestore with each time in seconds, as Stripe has it, and each reference as its path. */
export function inSeconds(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('toMillis' in value) return (value as Timestamp).toMillis() / 1000;
  if (value instanceof DocumentReference) return value.path;
  if (Array.isArray(value)) return value.map(inSeconds);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inSeconds(inner)]));
}
