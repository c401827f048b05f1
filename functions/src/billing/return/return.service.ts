import type Stripe from 'stripe';
import type { Caller } from '../../auth/caller.ts';
import type { Backend } from '../../backend.ts';
import { refuse } from '../../refusals.ts';
import { authorize } from '../../teams/authorize.ts';
import { findCustomer } from '../customers/customer.store.ts';
import { withTeam } from '../customers/subject.ts';
import { guardStripe, isMissing } from '../stripe/stripe-errors.ts';
import { isReturnUrlAllowed, withStatus } from './return-url.ts';
import { idOf } from '../stripe/stripe-ids.ts';
import { syncPurchase } from '../overlap/overlap.service.ts';

/**
 * Syncs the subscription that a checkout has bought, so that the caller has the plan before the webhook arrives.
 *
 * @returns `CHECKOUT_SUCCESS_PATH` if the checkout is complete, otherwise `CHECKOUT_CANCEL_PATH`
 * @throws Refusal `checkout_not_found` if the checkout is neither the caller's nor a team's; `team_not_found` or
 *   `forbidden` if the caller may not manage the billing of the team; `billing_unavailable`, `busy`
 */
export async function finishCheckout(backend: Backend, caller: Caller, sessionId: string): Promise<string> {
  const { config, db } = backend;
  const { customer: stripeCustomer, status, subscription } = await retrieveSession(backend, sessionId);
  const found = stripeCustomer === null ? undefined : await findCustomer(db, idOf(stripeCustomer));
  if (found === undefined) throw refuse('checkout_not_found');
  const { id: customerId, customer } = found;
  if (customer.type === 'team') await authorize(db, caller, customerId, 'billing:manage');
  else if (customerId !== caller.uid) throw refuse('checkout_not_found');

  const owner = { type: customer.type, customerId };
  if (status !== 'complete' || subscription === null) return withTeam(config.checkoutCancelPath, owner);
  await syncPurchase(backend, customerId, idOf(subscription));
  return withTeam(config.checkoutSuccessPath, owner);
}

/** The query of a return without a session. */
interface BrowserReturn {
  session_id?: string | undefined;
  portal?: 'done' | undefined;
  to?: string | undefined;
}

/**
 * Syncs the subscription that a checkout has bought, for a browser where nobody may be signed in: the id of the session, which
 * only its buyer gets, is the proof. The answer shows no data.
 *
 * @param to the address of the app that was chosen when the checkout began
 * @returns `to` with the outcome, otherwise `CHECKOUT_SUCCESS_PATH` or `CHECKOUT_CANCEL_PATH`
 * @throws Refusal `checkout_not_found`, `billing_unavailable`, `busy`
 */
export async function finishAnywhere(
  backend: Backend,
  { session_id: sessionId, portal, to }: BrowserReturn,
): Promise<string> {
  const { config } = backend;
  const checkout = sessionId === undefined ? 'cancelled' : await syncSession(backend, sessionId);
  if (to !== undefined && isReturnUrlAllowed(config, to)) {
    return withStatus(to, portal === undefined ? { checkout } : { portal });
  }
  return checkout === 'success' ? config.checkoutSuccessPath : config.checkoutCancelPath;
}

async function syncSession(backend: Backend, sessionId: string): Promise<'success' | 'pending'> {
  const { customer, status, subscription } = await retrieveSession(backend, sessionId);
  const found = customer === null ? undefined : await findCustomer(backend.db, idOf(customer));
  if (found === undefined) throw refuse('checkout_not_found');
  if (status !== 'complete' || subscription === null) return 'pending';
  await syncPurchase(backend, found.id, idOf(subscription));
  return 'success';
}

async function retrieveSession(backend: Backend, sessionId: string): Promise<Stripe.Checkout.Session> {
  const stripe = await backend.stripe();
  return guardStripe(async () => {
    try {
      return await stripe.checkout.sessions.retrieve(sessionId);
    } catch (error) {
      if (isMissing(error)) throw refuse('checkout_not_found');
      throw error;
    }
  });
}
