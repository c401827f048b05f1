import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import { logFault } from '../../../common/log.ts';
import { adoptCheckout } from '../../customers/adopt/adopt.service.ts';
import { withStripeRefusals } from '../../stripe/stripe-errors.ts';
import { idOf } from '../../stripe/stripe-ids.ts';
import { SUBJECT_METADATA } from '../../subject.ts';
import { syncAndResolveOverlaps } from '../../subscriptions/overlap/overlap.service.ts';
import { isActiveOrTrialing } from '../../subscriptions/overlap/overlap.ts';
import { makeSubscriptionDocument } from '../../subscriptions/subscription-document.ts';

/**
 * Finds subscriptions to our plans that are paid and give nobody a plan.
 *
 * @param withoutCustomer subscriptions whose Stripe customer belongs to none of our customers
 */
export async function findUnattributed(
  { config, db, now }: Backend,
  withoutCustomer: readonly Stripe.Subscription[],
): Promise<Stripe.Subscription[]> {
  const found: Stripe.Subscription[] = [];
  for (const one of withoutCustomer.filter(isActiveOrTrialing)) {
    const { role } = await makeSubscriptionDocument(db, { ...config, now: now() }, one);
    if (role !== null) found.push(one);
  }
  return found;
}

/**
 * Links the Stripe customer of a subscription to the user or team that the checkout names. If that is not possible,
 * logs an error at each visit. Makes one call to Stripe, and the calls of `adoptCheckout`. The Stripe customer must be
 * expanded.
 */
export async function adoptOrReport(backend: Backend, { id, customer }: Stripe.Subscription): Promise<void> {
  const customerId = namesSubject(customer) ? undefined : await adopt(backend, id);
  if (customerId !== undefined) {
    await syncAndResolveOverlaps(backend, customerId, id);
    return;
  }
  const concerned = { subscription: id, stripeCustomer: idOf(customer) };
  logFault(
    'A subscription belongs to nobody',
    concerned,
    'Set firebaseUID or teamId in the metadata of the Stripe customer. Until then nobody gets the plan.',
  );
}

/** True if the metadata name a user or team. Such a Stripe customer is never linked to another user or team. */
function namesSubject(customer: Stripe.Subscription['customer']): boolean {
  if (typeof customer === 'string' || customer.deleted === true) return false;
  return Object.values(SUBJECT_METADATA).some((mark) => customer.metadata[mark] !== undefined);
}

async function adopt(backend: Backend, subscription: string): Promise<string | undefined> {
  const { checkout } = await backend.stripe();
  const { data } = await withStripeRefusals(() => checkout.sessions.list({ subscription, limit: 1 }));
  const [session] = data;
  return session && adoptCheckout(backend, session);
}
