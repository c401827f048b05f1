import type { Db } from '../../firestore/db.ts';
import type { Checkout } from '../../firestore/documents/customer.ts';
import type Stripe from 'stripe';
import { refuse } from '../../refusals.ts';
import { findPlan, isPaid, type Interval, type PaidPlan } from '../../settings/plans.ts';
import type { Backend } from '../../backend.ts';
import { sessionParams } from './checkout-session.ts';
import { reserveCheckout, saveSessionId, type Cart } from './checkout.store.ts';
import { withCustomer } from '../customers/customer.service.ts';
import { portalUrl, type PortalVisit } from './portal.service.ts';
import { guardStripe, isKeySpent, isRefusal } from '../stripe/stripe-errors.ts';
import type { Subject } from '../customers/subject.ts';
import { isRunning } from '../subscriptions/subscription.ts';

interface Purchase extends PortalVisit {
  db: Db;
  plan: PaidPlan;
  cart: Cart;
}

/**
 * Where to send the caller to buy a plan: Stripe's checkout page, or the portal if a subscription of the subject is
 * running already (a second one would charge them twice; the portal changes plans).
 *
 * @throws Refusal 404 for an unknown slug, 400 for the free plan, 503 when Stripe does not answer
 */
export async function beginCheckout(
  backend: Backend,
  subject: Subject,
  slug: string,
  interval: Interval,
): Promise<string> {
  const { config } = backend;
  const plan = findPlan(config.plans, slug);
  if (plan === undefined) throw refuse('plan_not_found');
  if (!isPaid(plan)) throw refuse('plan_is_free');
  return guardStripe(() =>
    withCustomer(backend, subject, async ({ firestore, stripe, customer }) => {
      const now = backend.now();
      if (await isSubscribed(stripe, customer)) {
        return portalUrl({ config, firestore, stripe, subject, customer, now });
      }
      const [priceId, quantity] = await Promise.all([
        findPriceId(stripe, plan, interval),
        seatsFor(backend.db, subject, plan),
      ]);
      const cart = { priceId, quantity };
      return openCheckout({ config, db: backend.db, firestore, stripe, subject, customer, plan, cart, now });
    }),
  );
}

/** Asks Stripe and not our copy of it, which may be a webhook behind. */
async function isSubscribed(stripe: Stripe, customer: string): Promise<boolean> {
  const subscriptions = await stripe.subscriptions.list({ customer, limit: 100 });
  return subscriptions.data.some(isRunning);
}

async function findPriceId(stripe: Stripe, plan: PaidPlan, interval: Interval): Promise<string> {
  const { lookupKey } = plan.prices[interval];
  const prices = await stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 });
  const [price] = prices.data;
  if (price === undefined) throw new Error(`Stripe has no active price with the lookup key ${lookupKey}.`);
  return price.id;
}

async function seatsFor(db: Db, { type, customerId }: Subject, { perSeat }: PaidPlan): Promise<number> {
  return perSeat === true && type === 'team' ? db.members(customerId).count() : 1;
}

/**
 * The page of the customer's one open checkout. Clicks at once share an idempotency key and so a session; a later click
 * for the same continues it while it is open. A checkout for anything else ends, or both could be paid; and one that was
 * paid a moment ago leads to the portal.
 */
async function openCheckout(purchase: Purchase, spent?: string): Promise<string> {
  const { db, stripe, customer } = purchase;
  const { checkout, replaced } = await reserveCheckout(db, purchase, spent);
  const isPaidFor = async (status: Stripe.Checkout.Session.Status | null) =>
    status === 'complete' && isSubscribed(stripe, customer);
  const toPortal = () => portalUrl(purchase);
  const replacedId = replaced?.sessionId;
  if (replacedId !== undefined && (await isPaidFor(await end(stripe, replacedId)))) return toPortal();
  const session = await resume(purchase, checkout);
  if (session?.status === 'open' && session.url !== null) return session.url;
  if (session && (await isPaidFor(session.status))) return toPortal();
  return openCheckout(purchase, checkout.key);
}

/** @returns undefined for a checkout whose key is spent */
async function resume(purchase: Purchase, checkout: Checkout): Promise<Stripe.Checkout.Session | undefined> {
  const { db, stripe, subject, now } = purchase;
  if (checkout.sessionId !== undefined) return stripe.checkout.sessions.retrieve(checkout.sessionId);
  const session = await create(purchase, checkout);
  if (session === undefined) return undefined;
  const made = { key: checkout.key, sessionId: session.id };
  if (await saveSessionId(db, subject.customerId, made, now)) return session;
  await end(stripe, session.id);
  throw refuse('checkout_superseded');
}

/** @returns undefined where the key has made another session: the app was configured anew since, and its page is nobody's */
async function create(
  { config, stripe, subject, customer, plan }: Purchase,
  checkout: Checkout,
): Promise<Stripe.Checkout.Session | undefined> {
  const params = sessionParams(config, subject, plan, checkout, customer);
  try {
    return await stripe.checkout.sessions.create(params, { idempotencyKey: `checkout-${checkout.key}` });
  } catch (error) {
    if (isKeySpent(error)) return undefined;
    throw error;
  }
}

/** Ends a session that is still open, and tells how it ended: it may be paid at that very moment, or have expired before. */
async function end(stripe: Stripe, sessionId: string): Promise<Stripe.Checkout.Session.Status | null> {
  const { status } = await stripe.checkout.sessions.retrieve(sessionId);
  if (status !== 'open') return status;
  try {
    return (await stripe.checkout.sessions.expire(sessionId)).status;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return (await stripe.checkout.sessions.retrieve(sessionId)).status;
  }
}
