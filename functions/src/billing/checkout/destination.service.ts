import type { Backend } from '../../backend.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import type { StripePage } from '../stripe/stripe-page.ts';
import { isReplaceable } from '../subscriptions/overlap/overlap.ts';
import {
  listPlanSubscriptions,
  type PlanSubscription,
} from '../subscriptions/overlap/plan-subscriptions.service.ts';
import { convertSubscription } from '../subscriptions/sync/subscription-document.ts';

/**
 * The page for a customer who wants to buy a plan. docs/billing.md has the table of states.
 *
 * - `checkout`: for a new subscription. Once it is paid, the subscriptions in `replaces` end, because they give no plan
 *   and the customer cannot continue them.
 * - `invoice`: the page of an open invoice. Paying it continues the subscription.
 * - `portal`: where the customer changes the plan of the running subscription.
 */
export type Destination =
  | { kind: 'checkout'; replaces: readonly string[] }
  | { kind: 'invoice'; page: StripePage }
  | { kind: 'portal' };

/** The fields of a subscription to a plan that decide the page. */
interface SubscriptionFacts extends Pick<
  SubscriptionDocument,
  'status' | 'cancel_at' | 'grace_until' | 'latest_invoice'
> {
  id: string;
}

/** True if the customer has a subscription to a plan that a new subscription cannot replace. */
export function keepsSubscription({ kind }: Destination): boolean {
  return kind !== 'checkout';
}

/** The metadata of a checkout session has room for this many ids. */
const MAX_REPLACED = 10;

/**
 * Asks Stripe for the customer's subscriptions to plans, and decides the page by them. Costs as
 * `listPlanSubscriptions`.
 *
 * @throws Error of Stripe for a customer that was deleted there: see `withStripeCustomer`
 */
export async function findDestination(
  backend: Backend,
  customerId: string,
  stripeCustomerId: string,
): Promise<Destination> {
  const found = await listPlanSubscriptions(backend, customerId, stripeCustomerId);
  return decideDestination(
    found.map((subscription) => factsOf(backend, subscription)),
    backend.now(),
  );
}

export function factsOf(
  { config, now }: Pick<Backend, 'config' | 'now'>,
  { subscription, items, stored }: Pick<PlanSubscription, 'subscription' | 'items' | 'stored'>,
): SubscriptionFacts {
  const document = convertSubscription(subscription, items, { ...config, now: now() });
  // Here `grace_until` of `document` is an estimate, because the exact value would cost a call to Stripe. Our copy has
  // the exact value if the subscription was past due when we wrote the copy. A copy of the extension has none.
  const isKnown = stored?.status === 'past_due' && stored.past_due_since !== null;
  const { grace_until } = isKnown ? stored : document;
  return { ...document, id: subscription.id, grace_until };
}

export function decideDestination(subscriptions: readonly SubscriptionFacts[], now: Date): Destination {
  const kept = subscriptions.filter((subscription) => !isReplaceable(subscription, now));
  if (kept.length === 0) {
    return { kind: 'checkout', replaces: subscriptions.slice(0, MAX_REPLACED).map(({ id }) => id) };
  }
  if (!kept.every(({ status }) => status === 'past_due')) return { kind: 'portal' };
  const [page] = kept.flatMap(({ latest_invoice: invoice }) => invoicePage(invoice));
  return page === undefined ? { kind: 'portal' } : { kind: 'invoice', page };
}

function invoicePage(invoice: SubscriptionDocument['latest_invoice']): StripePage[] {
  if (invoice?.status !== 'open' || invoice.hosted_invoice_url === null) return [];
  return [{ url: invoice.hosted_invoice_url, id: invoice.id }];
}
