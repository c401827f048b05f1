import type Stripe from 'stripe';
import type { Caller } from '../../../auth/caller.ts';
import type { Backend } from '../../../backend.ts';
import { refusal } from '../../../refusals/refusals.ts';
import { authorize } from '../../../teams/authorize.ts';
import { findCustomer } from '../../customers/customer.store.ts';
import { purchaseIdOf } from '../../settlement/purchase-metadata.ts';
import { syncOneTimePurchase } from '../../settlement/sync-purchase.service.ts';
import { withStripeRefusals, isMissing } from '../../stripe/stripe-errors.ts';
import { idOf } from '../../stripe/stripe-ids.ts';
import { withTeam } from '../../subject.ts';
import { syncAndResolveOverlaps } from '../../subscriptions/overlap/overlap.service.ts';
import { isAppPageUrlAllowed, withStatus } from './return-url.ts';

/**
 * Syncs what a checkout of a signed-in browser has bought, before the webhook arrives.
 *
 * @returns `CHECKOUT_SUCCESS_PATH` if the checkout is complete, otherwise `CHECKOUT_CANCEL_PATH`
 * @throws Refusal `checkout_not_found` if the checkout is neither the caller's nor a team's; `team_not_found` or
 *   `forbidden` if the caller is not allowed to manage the billing of the team
 */
export async function finishCheckout(backend: Backend, caller: Caller, sessionId: string): Promise<string> {
  const { config, db } = backend;
  const session = await retrieveSession(backend, sessionId);
  const found = await findCustomer(db, session.customer);
  if (found === undefined) throw refusal('checkout_not_found');
  const { id: customerId, customer } = found;
  if (customer.type === 'team') await authorize(db, caller, customerId, 'billing:manage');
  else if (customerId !== caller.uid) throw refusal('checkout_not_found');

  const subject = { type: customer.type, customerId };
  const isComplete = await syncIfComplete(backend, customerId, session);
  return withTeam(isComplete ? config.checkoutSuccessPath : config.checkoutCancelPath, subject);
}

/** @returns false if the session is not complete, or has neither a subscription nor a one-time purchase */
async function syncIfComplete(
  backend: Backend,
  customerId: string,
  session: Stripe.Checkout.Session,
): Promise<boolean> {
  const { status, subscription } = session;
  const purchaseId = purchaseIdOf(session);
  if (status !== 'complete') return false;
  if (subscription !== null) await syncAndResolveOverlaps(backend, customerId, idOf(subscription));
  else if (purchaseId !== undefined) await syncOneTimePurchase(backend, { customerId, purchaseId });
  return subscription !== null || purchaseId !== undefined;
}

interface ClientReturnQuery {
  /** Id of the checkout session; undefined if the customer left its page. */
  session_id?: string | undefined;
  /** The page of the app that was chosen when the checkout began. */
  to?: string | undefined;
}

/**
 * Syncs what a checkout of a client has bought. The browser may be signed out: the id of the session is enough, because
 * only the buyer's browser gets it.
 *
 * @returns `to` with the outcome, otherwise `CHECKOUT_SUCCESS_PATH` or `CHECKOUT_CANCEL_PATH`
 * @throws Refusal `checkout_not_found`
 */
export async function finishClientCheckout(
  backend: Backend,
  { session_id: sessionId, to }: ClientReturnQuery,
): Promise<string> {
  const { config } = backend;
  const checkout = sessionId === undefined ? 'cancelled' : await syncSession(backend, sessionId);
  if (to !== undefined && isAppPageUrlAllowed(config, to)) {
    return withStatus(to, { checkout });
  }
  return checkout === 'success' ? config.checkoutSuccessPath : config.checkoutCancelPath;
}

async function syncSession(backend: Backend, sessionId: string): Promise<'success' | 'pending'> {
  const session = await retrieveSession(backend, sessionId);
  const found = await findCustomer(backend.db, session.customer);
  if (found === undefined) throw refusal('checkout_not_found');
  return (await syncIfComplete(backend, found.id, session)) ? 'success' : 'pending';
}

async function retrieveSession(backend: Backend, sessionId: string): Promise<Stripe.Checkout.Session> {
  const stripe = await backend.stripe();
  return withStripeRefusals(async () => {
    try {
      return await stripe.checkout.sessions.retrieve(sessionId);
    } catch (error) {
      if (isMissing(error)) throw refusal('checkout_not_found');
      throw error;
    }
  });
}
