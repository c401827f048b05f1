import { isDeepStrictEqual } from 'node:util';
import type { Timestamp } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import type { Writable } from '../../firestore/documents.ts';
import { freePlan, planOfLookupKey, type Plan, type PlanList } from '../../settings/plans.ts';

/** A subscription that still binds the customer: a second one beside it would charge them twice. */
export const RUNNING: ReadonlySet<Stripe.Subscription.Status> = new Set([
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'paused',
]);

/** States in which a subscription may give its plan; the last one does only for the days of grace. */
export const ENTITLING = ['active', 'trialing', 'past_due'] as const satisfies Stripe.Subscription.Status[];

/** How a subscription is asked for, so that its document can be made of the answer. */
export const RETRIEVE = { expand: ['latest_invoice'] };

/**
 * `customers/{customerId}/subscriptions/{subscriptionId}`, in the shape of the Stripe extension for Firebase, so that code
 * written for the extension reads it; and what else a client has to know about a payment that failed.
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
  created: Timestamp;
  current_period_start: Timestamp | null;
  current_period_end: Timestamp | null;
  cancel_at: Timestamp | null;
  canceled_at: Timestamp | null;
  ended_at: Timestamp | null;
  trial_start: Timestamp | null;
  trial_end: Timestamp | null;
  /** Until when a subscription that is past due still gives its plan; null when it is not, or does not any more. */
  grace_until: Timestamp | null;
  latest_invoice: InvoiceSummary | null;
  stripeLink: string;
}

interface InvoiceSummary {
  id: string;
  status: Stripe.Invoice.Status | null;
  /** In the currency's smallest unit. */
  amount_due: number;
  currency: string;
  created: Timestamp;
  /** When Stripe tries again to charge for it. */
  next_payment_attempt: Timestamp | null;
  /** Where it can be paid. */
  hosted_invoice_url: string | null;
}

/** A document with times as the Admin SDK takes them. */
export type NewSubscriptionDocument = Omit<Writable<SubscriptionDocument>, 'latest_invoice'> & {
  latest_invoice: Writable<InvoiceSummary> | null;
};

/** What tells the plan that a subscription gives. */
export interface Holding {
  status: Stripe.Subscription.Status;
  role: string | null;
  grace_until: Date | null;
}

/** What a document depends on besides Stripe. */
export interface Terms {
  plans: PlanList;
  pastDueGraceDays: number;
  now: Date;
}

const DAY_SECONDS = 86_400;

export function isRunning({ status }: Pick<Stripe.Subscription, 'status'>): boolean {
  return RUNNING.has(status);
}

/** Lookup keys by which prices are known to belong to a plan, besides their own. */
export type KeptKeys = ReadonlyMap<string, string | null>;

/** What Stripe says, as the document that clients and admins read. */
export function toDocument(
  subscription: Stripe.Subscription,
  terms: Terms,
  kept: KeptKeys = new Map(),
): NewSubscriptionDocument {
  const items = toItems(subscription, terms.plans, kept);
  const [first] = subscription.items.data;
  return {
    status: subscription.status,
    role: planOf(items, terms.plans)?.slug ?? null,
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
    grace_until: graceUntil(subscription, terms),
    latest_invoice: summaryOf(invoiceOf(subscription)),
    stripeLink: `https://dashboard.stripe.com${subscription.livemode ? '' : '/test'}/subscriptions/${subscription.id}`,
  };
}

export function holdingOf({ status, role, grace_until }: SubscriptionDocument): Holding {
  return { status, role, grace_until: grace_until?.toDate() ?? null };
}

/** The best plan that any of the subscriptions gives; plans are configured from least to most. */
export function bestPlan(holdings: readonly Holding[], plans: PlanList, now: Date): Plan {
  const slugs = new Set(holdings.filter((holding) => givesPlan(holding, now)).map(({ role }) => role));
  return plans.findLast((plan) => slugs.has(plan.slug)) ?? freePlan(plans);
}

/** The item of a running subscription that a plan is paid by, and whether it is to be paid for each member of a team. */
export interface PlanItem {
  id: string;
  quantity: number;
  perSeat: boolean;
}

export function planItemOf(
  { status, items }: Pick<SubscriptionDocument, 'status' | 'items'>,
  plans: PlanList,
): PlanItem | undefined {
  if (!RUNNING.has(status)) return undefined;
  const found = items.map((item) => ({ item, plan: planOfKey(item.lookupKey, plans) }));
  const { item, plan } = found.find((one) => one.plan !== undefined) ?? {};
  return item && plan && { id: item.id, quantity: item.quantity, perSeat: plan.perSeat === true };
}

/**
 * What a team is to be billed for: its members, or once the flat price. A change of plan in the portal leaves the quantity
 * of the plan before.
 */
export async function wantedQuantity(
  { perSeat }: PlanItem,
  countMembers: () => Promise<number>,
): Promise<number> {
  return perSeat ? countMembers() : 1;
}

/** Whether a stored document tells the same as a new one. */
export function tellsSame(stored: SubscriptionDocument, fresh: NewSubscriptionDocument): boolean {
  return isDeepStrictEqual(withDates(stored), fresh);
}

function givesPlan({ status, grace_until }: Holding, now: Date): boolean {
  if (status === 'past_due') return grace_until !== null && grace_until > now;
  return status === 'active' || status === 'trialing';
}

/** Counted from the invoice that was not paid, which is the same whenever and however often one looks. */
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

function summaryOf(invoice: Stripe.Invoice | null): Writable<InvoiceSummary> | null {
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

function planOf(items: SubscriptionDocument['items'], plans: PlanList): Plan | undefined {
  return items.map(({ lookupKey }) => planOfKey(lookupKey, plans)).find((plan) => plan !== undefined);
}

function planOfKey(lookupKey: string | null, plans: PlanList): Plan | undefined {
  return lookupKey === null ? undefined : planOfLookupKey(plans, lookupKey);
}

export function isOfPlan({ lookupKey }: { lookupKey: string | null }, plans: PlanList): boolean {
  return planOfKey(lookupKey, plans) !== undefined;
}

/**
 * The items as documents have them. A price whose lookup key went to a newer one keeps it for who has subscribed to it:
 * they pay for the plan as before.
 */
export function toItems(
  { items }: Pick<Stripe.Subscription, 'items'>,
  plans: PlanList,
  kept: KeptKeys,
): SubscriptionDocument['items'] {
  return items.data.map(({ id, price, quantity }) => {
    const keys = [price.lookup_key, kept.get(price.id) ?? null];
    return {
      id,
      price: price.id,
      lookupKey: keys.find((lookupKey) => isOfPlan({ lookupKey }, plans)) ?? price.lookup_key,
      product: typeof price.product === 'string' ? price.product : price.product.id,
      quantity: quantity ?? 1,
    };
  });
}

/** Stripe counts in seconds. */
function toDate(seconds: number): Date {
  return new Date(seconds * 1000);
}

function toOptionalDate(seconds: number | null | undefined): Date | null {
  return seconds === null || seconds === undefined ? null : toDate(seconds);
}

/** The same value with every time that Firestore gave as a Date. */
function withDates(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if ('toDate' in value && typeof value.toDate === 'function') return (value as Timestamp).toDate();
  if (Array.isArray(value)) return value.map(withDates);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withDates(inner)]));
}
