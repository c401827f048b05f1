import type Stripe from 'stripe';
import type { Caller } from '../../auth/caller.ts';
import type { Backend } from '../../backend.ts';
import { refuse } from '../../refusals.ts';
import { authorize } from '../../teams/authorize.ts';
import { findCustomer } from '../customers/customer.store.ts';
import { withTeam } from '../customers/subject.ts';
import { guardStripe, isMissing } from '../stripe/stripe-errors.ts';
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
