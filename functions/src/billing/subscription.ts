import type Stripe from 'stripe';
import { freePlan, planOfLookupKey, type Plan, type PlanList } from '../plans.ts';

/** A subscription that still binds the customer: a second one beside it would charge them twice. */
export const RUNNING: ReadonlySet<Stripe.Subscription.Status> = new Set([
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'paused',
]);

/** A subscription that gives its plan now. */
const ENTITLING = new Set<Stripe.Subscription.Status>(['active', 'trialing']);

/**
 * `customers/{uid}/subscriptions/{subscriptionId}`, in the shape of the Stripe extension for Firebase, so that code
 * written for the extension reads it. Times are Dates when written and Timestamps when read.
 */
export interface SubscriptionDocument {
  status: Stripe.Subscription.Status;
  /** Slug of the plan; the extension calls what it gives a role. */
  role: string | null;
  metadata: Record<string, string>;
  items: { id: string; price: string; lookupKey: string | null; product: string; quantity: number }[];
  /** Id of the first item's price, and how many of it. */
  price: string | null;
  quantity: number | null;
  cancel_at_period_end: boolean;
  created: Date;
  current_period_start: Date | null;
  current_period_end: Date | null;
  cancel_at: Date | null;
  canceled_at: Date | null;
  ended_at: Date | null;
  trial_start: Date | null;
  trial_end: Date | null;
  stripeLink: string;
}

export function isRunning(subscription: Stripe.Subscription): boolean {
  return RUNNING.has(subscription.status);
}

/** What Stripe says, as the document that clients and admins read. */
export function toDocument(subscription: Stripe.Subscription, plans: PlanList): SubscriptionDocument {
  const items = subscription.items.data.map(toItem);
  const [first] = subscription.items.data;
  return {
    status: subscription.status,
    role: planOf(subscription, plans)?.slug ?? null,
    metadata: subscription.metadata,
    items,
    price: items[0]?.price ?? null,
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
    stripeLink: `https://dashboard.stripe.com${subscription.livemode ? '' : '/test'}/subscriptions/${subscription.id}`,
  };
}

/** The best plan that any of the subscriptions gives; plans are configured from least to most. */
export function bestPlan(
  subscriptions: readonly Pick<SubscriptionDocument, 'status' | 'role'>[],
  plans: PlanList,
): Plan {
  const slugs = new Set(subscriptions.filter(({ status }) => ENTITLING.has(status)).map(({ role }) => role));
  return plans.findLast((plan) => slugs.has(plan.slug)) ?? freePlan(plans);
}

function planOf(subscription: Stripe.Subscription, plans: PlanList): Plan | undefined {
  return subscription.items.data
    .map((item) =>
      item.price.lookup_key === null ? undefined : planOfLookupKey(plans, item.price.lookup_key),
    )
    .find((plan) => plan !== undefined);
}

function toItem(item: Stripe.SubscriptionItem): SubscriptionDocument['items'][number] {
  const { id, lookup_key: lookupKey, product } = item.price;
  return {
    id: item.id,
    price: id,
    lookupKey,
    product: typeof product === 'string' ? product : product.id,
    quantity: item.quantity ?? 1,
  };
}

/** Stripe counts in seconds. */
function toDate(seconds: number): Date {
  return new Date(seconds * 1000);
}

function toOptionalDate(seconds: number | null | undefined): Date | null {
  return seconds === null || seconds === undefined ? null : toDate(seconds);
}
