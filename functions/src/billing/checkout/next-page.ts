import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import type { StripePage } from '../stripe/stripe-page.ts';
import { isReplaceable } from '../overlap/overlap.ts';
import { makeDocument, RETRIEVE } from '../subscriptions/subscription-document.ts';
import { planItemOf } from '../subscriptions/subscription.ts';

/**
 * The page for a customer who wants to buy a plan. docs/billing.md has the table of states.
 *
 * - `checkout`: a new subscription. `replaces` has the ids of subscriptions that end once it is paid.
 * - `invoice`: the page of an open invoice. Paying it continues the subscription.
 * - `portal`: the plan of the running subscription can be changed there.
 */
export type NextPage =
  | { kind: 'checkout'; replaces: readonly string[] }
  | { kind: 'invoice'; page: StripePage }
  | { kind: 'portal' };

/** A subscription that pays for a plan. */
interface PlanSubscription extends Pick<
  SubscriptionDocument,
  'status' | 'cancel_at' | 'grace_until' | 'latest_invoice'
> {
  id: string;
}

/** The session's metadata has room for this many ids. */
const MAX_REPLACED = 10;

/**
 * Finds the page for the customer. Asks Stripe, because our copy may be behind until a webhook arrives. A subscription
 * for something other than a plan does not count. One call to Stripe; reads one document for each running subscription.
 */
export async function findNextPage(
  backend: Backend,
  customerId: string,
  stripeCustomerId: string,
): Promise<NextPage> {
  const stripe = await backend.stripe();
  const { data } = await stripe.subscriptions.list({
    customer: stripeCustomerId,
    limit: 100,
    expand: RETRIEVE.expand.map((property) => `data.${property}`),
  });
  return nextPage(await planSubscriptions(backend, customerId, data), backend.now());
}

async function planSubscriptions(
  { config, db, now }: Backend,
  customerId: string,
  subscriptions: readonly Stripe.Subscription[],
): Promise<PlanSubscription[]> {
  const stored = await db.subscriptions(customerId).getIntact(subscriptions.map(({ id }) => id));
  const found = subscriptions.map(async (subscription): Promise<PlanSubscription[]> => {
    const { id } = subscription;
    const copy = stored.get(id);
    const document = await makeDocument(db, { ...config, now: now() }, subscription, copy);
    if (planItemOf(document, config.plans) === undefined) return [];
    return [{ ...document, id, grace_until: (copy ?? document).grace_until }];
  });
  return (await Promise.all(found)).flat();
}

/** The page that follows from the customer's subscriptions. */
export function nextPage(subscriptions: readonly PlanSubscription[], now: Date): NextPage {
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
