import type Stripe from 'stripe';
import type { Caller } from '../../auth/caller.ts';
import { Refusal, refuse } from '../../refusals.ts';
import type { Backend } from '../../backend.ts';
import { authorizeLegacy, directly } from '../../teams/authorize.ts';
import { withTeam } from './checkout-session.ts';
import { findCustomer } from '../customers/customer.store.ts';
import { syncSubscription } from '../subscriptions/sync.service.ts';
import { idOf } from '../stripe/stripe-ids.ts';
import { guardStripe, isMissing } from '../stripe/stripe-errors.ts';

/**
 * Ends a checkout: mirrors what was bought at once, so that the plan is there before the webhook, and tells the path of
 * the app to go to.
 *
 * @throws Refusal 404 for a checkout that is not the caller's, nor of a team whose billing they manage; 503 when
 *   Stripe does not answer
 */
export async function finishCheckout(backend: Backend, caller: Caller, sessionId: string): Promise<string> {
  const { config } = backend;
  const session = await retrieve(backend, sessionId);
  const [firestore, stripeId] = [await backend.firestore(), session.customer && idOf(session.customer)];
  const found = stripeId === null ? undefined : await findCustomer(backend.db, stripeId);
  if (found === undefined) throw checkoutNotFound();
  const { id, customer } = found;
  if (customer.type === 'team') await authorizeLegacy(directly, firestore, caller, id, 'billing:manage');
  else if (id !== caller.uid) throw checkoutNotFound();

  const { status, subscription } = session;
  if (status !== 'complete' || subscription === null) {
    return withTeam(config.checkoutCancelPath, customer.type, id);
  }
  await syncSubscription(backend, id, idOf(subscription));
  return withTeam(config.checkoutSuccessPath, customer.type, id);
}

async function retrieve(backend: Backend, sessionId: string): Promise<Stripe.Checkout.Session> {
  const stripe = await backend.stripe();
  try {
    return await guardStripe(() => stripe.checkout.sessions.retrieve(sessionId));
  } catch (error) {
    if (!(error instanceof Refusal) && isMissing(error)) throw checkoutNotFound();
    throw error;
  }
}

const checkoutNotFound = () => refuse('checkout_not_found');
