import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import { logFault } from '../../../common/log.ts';
import { REMOVED } from '../../../firestore/writes.ts';
import { initialCustomer, stripeFields, isClosed } from '../../customer-rules.ts';
import { expireSessions } from '../../stripe/checkout-sessions.ts';
import { isMissing, withStripeRefusals } from '../../stripe/stripe-errors.ts';
import { idOf, isLinkOfLiveMode } from '../../stripe/stripe-ids.ts';
import { type SubjectKey, SUBJECT_METADATA_FIELD } from '../../subject.ts';
import { hasRunningSubscription } from '../../subscriptions/subscription.store.ts';
import { enqueueCustomerContactSyncOrLog } from '../contacts/queue.service.ts';
import { findByStripeCustomer, type FoundCustomer } from '../customer.store.ts';
import { tryCreateCustomer } from '../new-customer.store.ts';
import { syncEntitlements } from '../sync-entitlements.service.ts';
import { findSubjectInMetadata } from './named-subject.service.ts';

/** A checkout of a subscription that its payer has completed. */
export interface CompletedCheckout {
  sessionId: string;
  subscriptionId: string;
  stripeCustomer: { id: string; livemode: boolean };
}

/** A Stripe customer that has paid for subscriptions. */
export interface PayingStripeCustomer {
  stripeCustomer: CompletedCheckout['stripeCustomer'];
  /** Subscriptions of this Stripe customer. A running subscription that is not in this list prevents the link. */
  subscriptionIds: readonly string[];
}

/** @returns undefined for a session that is not complete, or that has not made a subscription */
export function completedCheckoutOf(session: Stripe.Checkout.Session): CompletedCheckout | undefined {
  const { id: sessionId, status, customer, subscription, livemode } = session;
  if (status !== 'complete' || customer === null || subscription === null) return undefined;
  const stripeCustomer = { id: idOf(customer), livemode };
  return { sessionId, subscriptionId: idOf(subscription), stripeCustomer };
}

/**
 * Adopts a checkout that was paid elsewhere: links the Stripe customer to the user or team in the metadata of the
 * session. Leaves a `client_reference_id` alone, because a stranger can choose it: see `adoptForCaller`. Idempotent.
 *
 * @returns the id of our customer; undefined if the metadata name nobody, or if the checkout cannot be linked
 */
export async function adoptByMetadata(
  backend: Backend,
  session: Stripe.Checkout.Session,
): Promise<string | undefined> {
  const checkout = completedCheckoutOf(session);
  if (checkout === undefined) return undefined;
  const subject = await findSubjectInMetadata(backend, session.metadata);
  if (subject === undefined) return undefined;
  if (await linkCompletedCheckout(backend, subject, checkout)) return subject.customerId;
  logUnattributed(subject, checkout);
  return undefined;
}

export function logUnattributed(
  { customerId }: SubjectKey,
  { sessionId, stripeCustomer }: CompletedCheckout,
): void {
  logFault(
    'A payment could not be attributed',
    { sessionId, stripeCustomerId: stripeCustomer.id, customerId },
    'Find out who has paid, and link the checkout by `npm run admin -- billing link`, or refund it. Until then nobody gets the plan.',
  );
}

/** Links the Stripe customer of a checkout: see `linkStripeCustomer`. */
export function linkCompletedCheckout(
  backend: Backend,
  subject: SubjectKey,
  { stripeCustomer, subscriptionId }: CompletedCheckout,
): Promise<boolean> {
  return linkStripeCustomer(backend, subject, { stripeCustomer, subscriptionIds: [subscriptionId] });
}

/**
 * Links a Stripe customer to a user or team. Idempotent. The calling function must know that the payer is this user, or
 * has paid for this team: after the link, the user or team can see the card and the invoices of the Stripe customer.
 *
 * @returns false if the Stripe customer belongs to another user or team. Also if `subject` is being deleted, or has a
 *   running subscription through another Stripe customer
 */
export async function linkStripeCustomer(
  backend: Backend,
  subject: SubjectKey,
  payer: PayingStripeCustomer,
): Promise<boolean> {
  if (!(await storeLink(backend, subject, payer))) return false;
  await completeLinking(backend, subject, payer.stripeCustomer.id);
  return true;
}

async function storeLink(
  backend: Backend,
  { type, customerId }: SubjectKey,
  payer: PayingStripeCustomer,
): Promise<boolean> {
  const { db, now } = backend;
  const { stripeCustomer, subscriptionIds } = payer;
  if (!(await expireOtherCheckouts(backend, customerId, payer))) return false;
  const fields = { ...stripeFields(stripeCustomer), metadataMissing: true as const };
  return db.run(async (tx) => {
    const [linked, existing] = await Promise.all([
      findByStripeCustomer(tx, stripeCustomer.id),
      tx.customers.get(customerId),
    ]);
    if (linked !== undefined) return linked.id === customerId;
    if (existing === undefined) {
      const customer = { ...initialCustomer({ type, email: null, name: null }, now()), ...fields };
      return tryCreateCustomer(backend, tx, customerId, customer);
    }
    if (isClosed(existing, now()) || (await hasRunningSubscription(tx, customerId, subscriptionIds)))
      return false;
    tx.customers.update(customerId, { ...fields, checkout: REMOVED });
    return true;
  });
}

/**
 * Expires the open checkouts of the Stripe customer that is about to be replaced, because they could be paid.
 *
 * @returns false if another subscription runs. Then the Stripe customer is not replaced, and its checkouts stay open
 */
async function expireOtherCheckouts(
  backend: Backend,
  customerId: string,
  { stripeCustomer, subscriptionIds }: PayingStripeCustomer,
): Promise<boolean> {
  const existing = await backend.db.customers.get(customerId);
  if (existing?.stripeId === undefined || existing.stripeId === stripeCustomer.id) return true;
  if (await hasRunningSubscription(backend.db, customerId, subscriptionIds)) return false;
  const { stripeId: other, stripeLink } = existing;
  const stripe = await backend.stripe();
  try {
    await withStripeRefusals(() => expireSessions(stripe, other));
  } catch (error) {
    // The test data was deleted, or the secret key is of live mode now. No page can be paid any more.
    if (!isMissing(error, 'customer') || isLinkOfLiveMode(stripeLink)) throw error;
  }
  return true;
}

/** Completes the link of a customer, if an earlier process died between `storeLink` and `completeLinking`. */
export async function completeInterruptedLinking(
  backend: Backend,
  { id: customerId, customer: { type, stripeId, metadataMissing } }: FoundCustomer,
): Promise<void> {
  if (metadataMissing !== true || stripeId === undefined) return;
  await completeLinking(backend, { type, customerId }, stripeId);
}

/**
 * Completes the link of a Stripe customer. Idempotent.
 *
 * - Writes the user or team into the metadata of the Stripe customer, so that a lost customer can be found.
 * - Stores the address and name of the Stripe customer, which are the payer's.
 * - Enqueues a contact sync, which replaces them by those of the user or team.
 * - Syncs the entitlements. An event about them that came before the link had no effect.
 */
async function completeLinking(
  backend: Backend,
  { type, customerId }: SubjectKey,
  stripeCustomerId: string,
): Promise<void> {
  const { db, stripe } = backend;
  const { customers } = await stripe();
  const metadata = { [SUBJECT_METADATA_FIELD[type]]: customerId };
  const { email, name = null } = await withStripeRefusals(() =>
    customers.update(stripeCustomerId, { metadata }),
  );
  await db.run(async (tx) => {
    const customer = await tx.customers.get(customerId);
    if (customer?.stripeId === stripeCustomerId)
      tx.customers.update(customerId, { email, name, metadataMissing: REMOVED });
  });
  await enqueueCustomerContactSyncOrLog(backend, customerId);
  await syncEntitlements(backend, customerId);
}
