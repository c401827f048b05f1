import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import {
  completedCheckoutOf,
  linkCompletedCheckout,
  type CompletedCheckout,
} from '../../billing/customers/adoption/adopt.service.ts';
import { isUnclaimed } from '../../billing/customers/adoption/named-subject.service.ts';
import { findCheckoutSession } from '../../billing/stripe/checkout-sessions.ts';
import { withStripeRefusals } from '../../billing/stripe/stripe-errors.ts';
import type { SubjectKey } from '../../billing/subject.ts';
import { syncAndResolveOverlaps } from '../../billing/subscriptions/overlap/overlap.service.ts';
import { refusal } from '../../refusals/refusals.ts';
import { recordAction, type Operator } from '../operator.service.ts';

/**
 * A completed checkout, for an operator who decides whose it is. `reference` can come from a stranger.
 *
 * @throws Refusal `checkout_not_found`
 */
export async function describeCheckout(backend: Backend, sessionId: string): Promise<object> {
  const { session, checkout } = await findCompleted(backend, sessionId);
  const { customer_details: payer, client_reference_id: reference, metadata } = session;
  return {
    payer: { email: payer?.email ?? null, name: payer?.name ?? null },
    stripeCustomer: checkout.stripeCustomer.id,
    subscription: checkout.subscriptionId,
    reference,
    metadata: { ...metadata },
  };
}

/**
 * Links a checkout that was paid elsewhere to a user or team, and syncs its subscription. Idempotent.
 *
 * @throws Refusal `checkout_not_found`; Error if the checkout cannot be linked
 */
export async function linkCheckoutAsOperator(
  backend: Backend,
  operator: Operator,
  sessionId: string,
  subject: SubjectKey,
): Promise<void> {
  const { checkout } = await findCompleted(backend, sessionId);
  if (!(await isUnclaimed(backend, subject, checkout.stripeCustomer.id))) {
    throw new Error('The metadata of the Stripe customer name another user or team.');
  }
  const { type, customerId } = subject;
  await recordAction(backend, operator, {
    action: 'admin.checkout_linked',
    target: customerId,
    teamId: type === 'team' ? customerId : undefined,
    details: { checkout: sessionId },
  });
  if (!(await linkCompletedCheckout(backend, subject, checkout))) {
    throw new Error(
      'The Stripe customer belongs to another user or team, or this one pays already or is being deleted.',
    );
  }
  await syncAndResolveOverlaps(backend, customerId, checkout.subscriptionId);
}

async function findCompleted(
  backend: Backend,
  sessionId: string,
): Promise<{ session: Stripe.Checkout.Session; checkout: CompletedCheckout }> {
  const stripe = await backend.stripe();
  const session = await withStripeRefusals(() => findCheckoutSession(stripe, sessionId));
  const checkout = session && completedCheckoutOf(session);
  if (session === undefined || checkout === undefined) throw refusal('checkout_not_found');
  return { session, checkout };
}
