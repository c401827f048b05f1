import type Stripe from 'stripe';
import type { Caller } from '../../../auth/caller.ts';
import type { Backend } from '../../../backend.ts';
import { refusal } from '../../../refusals/refusals.ts';
import { authorize } from '../../../teams/authorize.store.ts';
import { adoptForCaller } from '../../customers/adoption/adopt-for-caller.service.ts';
import { completeInterruptedLinking } from '../../customers/adoption/adopt.service.ts';
import { findByStripeCustomer, type FoundCustomer } from '../../customers/customer.store.ts';
import { cancelIfCovered } from '../../purchases/covered.service.ts';
import { purchaseIdOf } from '../../purchases/purchase-metadata.ts';
import { syncOneTimePurchase } from '../../purchases/sync-purchase.service.ts';
import { findCheckoutSession } from '../../stripe/checkout-sessions.ts';
import { withStripeRefusals } from '../../stripe/stripe-errors.ts';
import { idOf } from '../../stripe/stripe-ids.ts';
import { withTeamQuery, type SubjectKey } from '../../subject.ts';
import { syncAndResolveOverlaps } from '../../subscriptions/overlap/overlap.service.ts';
import { isReturnProofValid, type ReturnContext } from './return-proof.service.ts';
import { isAppPageUrlAllowed, withStatus } from './return-url.ts';

/**
 * Syncs the subscription or one-time purchase of a checkout that a signed-in browser began, so that the app shows the
 * plan before the event arrives. First adopts a checkout that the caller has paid elsewhere, such as by a payment link.
 *
 * @returns `CHECKOUT_SUCCESS_PATH` if the checkout is complete, otherwise `CHECKOUT_CANCEL_PATH`
 * @throws Refusal `checkout_not_found` if the checkout is neither the caller's nor a team's; `team_not_found` or
 *   `forbidden` if the caller is not allowed to manage the billing of the team
 */
export async function finishCheckout(backend: Backend, caller: Caller, sessionId: string): Promise<string> {
  const { config, db } = backend;
  const session = await retrieveSession(backend, sessionId);
  const found = await findOrAdopt(backend, caller, session);
  const { id: customerId, customer } = found;
  if (customer.type === 'team') await authorize(db, caller, customerId, 'billing:manage');
  else if (customerId !== caller.uid) throw refusal('checkout_not_found');

  const subject = { type: customer.type, customerId };
  await completeInterruptedLinking(backend, found);
  const outcome = await syncOutcome(backend, customerId, session);
  return withTeamQuery(
    outcome !== 'incomplete' ? config.checkoutSuccessPath : config.checkoutCancelPath,
    subject,
  );
}

/** @throws Refusal `checkout_not_found` */
async function findOrAdopt(
  backend: Backend,
  caller: Caller,
  session: Stripe.Checkout.Session,
): Promise<FoundCustomer> {
  const find = () => findByStripeCustomer(backend.db, session.customer);
  const found =
    (await find()) ?? ((await adoptForCaller(backend, caller, session)) ? await find() : undefined);
  if (found === undefined) throw refusal('checkout_not_found');
  return found;
}

/**
 * - `incomplete`: the customer has not completed the page, or it is for neither a plan nor a one-time purchase.
 * - `processing`: the customer has completed the page, but a one-time purchase gives nothing until the payment arrives.
 */
type Outcome = 'incomplete' | 'processing' | 'success';

async function syncOutcome(
  backend: Backend,
  customerId: string,
  session: Stripe.Checkout.Session,
): Promise<Outcome> {
  const { status, subscription, payment_status } = session;
  const purchaseId = purchaseIdOf(session);
  if (status !== 'complete') return 'incomplete';
  if (subscription !== null) {
    const synced = await syncAndResolveOverlaps(backend, customerId, idOf(subscription));
    if (synced !== undefined) await cancelIfCovered(backend, synced, idOf(subscription));
    return 'success';
  }
  if (purchaseId === undefined) return 'incomplete';
  await syncOneTimePurchase(backend, { customerId, purchaseId });
  return payment_status === 'unpaid' ? 'processing' : 'success';
}

interface ClientReturnQuery {
  /** Id of the checkout session; undefined if the customer left its page without completing the checkout. */
  session_id?: string | undefined;
  /** The customer of the checkout, with the proof of `makeReturnProof`. */
  customer?: string | undefined;
  proof?: string | undefined;
  /** The page of the app that was chosen when the checkout began. */
  to?: string | undefined;
}

/**
 * Syncs the subscription or one-time purchase of a checkout that a client began. The browser may be signed out, so the
 * URL has a proof of the customer. Without a valid proof it only redirects: the event of the payment syncs.
 *
 * @returns `to` with the outcome, if `to` is allowed; otherwise `CHECKOUT_SUCCESS_PATH` for a completed checkout, and
 *   `CHECKOUT_CANCEL_PATH` for every other, with the team if the proof is valid
 * @throws Refusal `checkout_not_found`; `rate_limit_reached` over the limit of the customer
 */
export async function finishClientCheckout(
  context: ReturnContext,
  { session_id: sessionId, to, ...claimed }: ClientReturnQuery,
): Promise<string> {
  const { config } = context.backend;
  const { outcome, subject } = sessionId === undefined ? LEFT : await syncProven(context, claimed, sessionId);
  if (to !== undefined && isAppPageUrlAllowed(config, to)) {
    return withStatus(to, { checkout: returnStatusOf(outcome) });
  }
  const isComplete = outcome !== undefined && outcome !== 'incomplete';
  const path = isComplete ? config.checkoutSuccessPath : config.checkoutCancelPath;
  return subject === undefined ? path : withTeamQuery(path, subject);
}

interface Return {
  /** Undefined if the customer left the page. */
  outcome: Outcome | 'unproven' | undefined;
  /** The customer, if the proof is valid. */
  subject?: SubjectKey;
}

const LEFT: Return = { outcome: undefined };
const UNPROVEN: Return = { outcome: 'unproven' };

function returnStatusOf(outcome: Return['outcome']): 'cancelled' | 'pending' | 'success' {
  if (outcome === undefined) return 'cancelled';
  return outcome === 'success' ? 'success' : 'pending';
}

/** Asks Stripe only with a valid proof. Otherwise strangers could use up Stripe's rate limit, which all users share. */
async function syncProven(
  { backend, countReturn }: ReturnContext,
  { customer, proof }: Pick<ClientReturnQuery, 'customer' | 'proof'>,
  sessionId: string,
): Promise<Return> {
  if (customer === undefined || proof === undefined) return UNPROVEN;
  if (!(await isReturnProofValid(backend, { customer, proof }))) return UNPROVEN;
  await countReturn(customer);
  const session = await retrieveSession(backend, sessionId);
  const found = await findByStripeCustomer(backend.db, session.customer);
  if (found?.id !== customer) throw refusal('checkout_not_found');
  return {
    outcome: await syncOutcome(backend, customer, session),
    subject: { type: found.customer.type, customerId: customer },
  };
}

async function retrieveSession(backend: Backend, sessionId: string): Promise<Stripe.Checkout.Session> {
  const stripe = await backend.stripe();
  const session = await withStripeRefusals(() => findCheckoutSession(stripe, sessionId));
  if (session === undefined) throw refusal('checkout_not_found');
  return session;
}
