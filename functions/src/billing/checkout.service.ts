import type { Firestore } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import type { Config } from '../config.ts';
import type { Caller } from '../http/caller.ts';
import { badRequest, conflict, notFound } from '../http/errors.ts';
import { findPlan, isPaid, type PaidPlan } from '../plans.ts';
import type { Services } from '../services.ts';
import { ensureCustomer } from './customer.service.ts';
import { reserveCheckout, saveSessionId, type Checkout } from './customer.store.ts';
import { guardStripe } from './stripe-errors.ts';
import { isRunning } from './subscription.ts';

interface Purchase {
  config: Config;
  firestore: Firestore;
  stripe: Stripe;
  caller: Caller;
  customer: string;
}

/**
 * Where to send the caller to buy a plan: Stripe's checkout page, or the portal if a subscription of theirs is running
 * already (a second one would charge them twice; the portal changes plans).
 *
 * @throws HttpError 404 for an unknown slug, 400 for the free plan, 503 when Stripe does not answer
 */
export async function beginCheckout(
  services: Services,
  config: Config,
  caller: Caller,
  slug: string,
): Promise<string> {
  const plan = findPlan(config.plans, slug);
  if (plan === undefined) throw notFound('There is no such plan.', 'plan_not_found');
  if (!isPaid(plan)) throw badRequest('This plan is free.', 'plan_is_free');
  const [firestore, stripe] = await Promise.all([services.firestore(), services.stripe()]);
  return guardStripe(async () => {
    const customer = await ensureCustomer(firestore, stripe, caller, services.now());
    const purchase: Purchase = { config, firestore, stripe, caller, customer };
    if (await isSubscribed(stripe, customer)) return portalUrl(stripe, config, customer);
    return openCheckout(purchase, plan, await findPriceId(stripe, plan));
  });
}

/** Where the caller manages subscriptions, invoices and payment methods. */
export async function openPortal(services: Services, config: Config, caller: Caller): Promise<string> {
  const [firestore, stripe] = await Promise.all([services.firestore(), services.stripe()]);
  return guardStripe(async () => {
    const customer = await ensureCustomer(firestore, stripe, caller, services.now());
    return portalUrl(stripe, config, customer);
  });
}

async function portalUrl(stripe: Stripe, config: Config, customer: string): Promise<string> {
  const session = await stripe.billingPortal.sessions.create({
    customer,
    return_url: config.appUrl + config.portalReturnPath,
  });
  return session.url;
}

/** Asks Stripe and not our copy of it, which may be a webhook behind. */
async function isSubscribed(stripe: Stripe, customer: string): Promise<boolean> {
  const subscriptions = await stripe.subscriptions.list({ customer, limit: 100 });
  return subscriptions.data.some(isRunning);
}

async function findPriceId(stripe: Stripe, plan: PaidPlan): Promise<string> {
  const { lookupKey } = plan.prices.month;
  const prices = await stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 });
  const [price] = prices.data;
  if (price === undefined) throw new Error(`Stripe has no active price with the lookup key ${lookupKey}.`);
  return price.id;
}

/**
 * The page of the customer's one open checkout for a price. Clicks at once share an idempotency key and so a session;
 * a later click continues it while it is open. A checkout for another price ends, or both could be paid.
 */
async function openCheckout(
  purchase: Purchase,
  plan: PaidPlan,
  priceId: string,
  spent?: string,
): Promise<string> {
  const { firestore, stripe, caller } = purchase;
  const { checkout, replaced } = await reserveCheckout(firestore, caller.uid, priceId, spent);
  if (replaced?.sessionId !== undefined) await expire(stripe, replaced.sessionId);
  const session = await resume(purchase, plan, checkout);
  if (session.status === 'open' && session.url !== null) return session.url;
  return openCheckout(purchase, plan, priceId, checkout.key);
}

async function resume(
  purchase: Purchase,
  plan: PaidPlan,
  checkout: Checkout,
): Promise<Stripe.Checkout.Session> {
  const { config, firestore, stripe, caller, customer } = purchase;
  if (checkout.sessionId !== undefined) return stripe.checkout.sessions.retrieve(checkout.sessionId);
  const metadata = { firebaseUID: caller.uid, plan: plan.slug };
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'subscription',
      customer,
      client_reference_id: caller.uid,
      line_items: [{ price: checkout.priceId, quantity: 1 }],
      metadata,
      subscription_data: { metadata },
      success_url: config.appUrl + config.checkoutSuccessPath,
      cancel_url: config.appUrl + config.checkoutCancelPath,
    },
    { idempotencyKey: `checkout-${checkout.key}` },
  );
  if (await saveSessionId(firestore, caller.uid, checkout.key, session.id)) return session;
  await expire(stripe, session.id);
  throw conflict('Another checkout was begun meanwhile.', 'checkout_superseded');
}

/** A session that is paid or over already cannot expire, which is as good. */
async function expire(stripe: Stripe, sessionId: string): Promise<void> {
  const session = await stripe.checkout.sessions.retrieve(sessionId);
  if (session.status === 'open') await stripe.checkout.sessions.expire(sessionId);
}
