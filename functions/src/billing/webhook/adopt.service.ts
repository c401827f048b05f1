import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { logFault } from '../../common/log.ts';
import { REMOVED } from '../../firestore/writes.ts';
import { newCustomer, stripeFields, isClosed, tryCreateCustomer } from '../customer-rules.ts';
import { enqueueCustomerContactSyncOrLog } from '../customers/contacts/queue.service.ts';
import { expireSessions } from '../stripe/checkout-sessions.ts';
import { withStripeRefusals } from '../stripe/stripe-errors.ts';
import { idOf } from '../stripe/stripe-ids.ts';
import { type SubjectKey, SUBJECT_METADATA } from '../subject.ts';
import { hasRunningSubscription } from '../subscriptions/subscription.store.ts';
import { isLinkAllowed, findNamedSubject } from './named-subject.ts';

/**
 * Adopts a checkout that was paid elsewhere, such as by a payment link: links the Stripe customer to the user or team
 * that the checkout names. docs/billing.md has the rule and its reason. Idempotent.
 *
 * @returns the id of our customer; undefined if the checkout names nobody, or cannot be linked
 */
export async function adoptCheckout(
  backend: Backend,
  session: Stripe.Checkout.Session,
): Promise<string | undefined> {
  if (session.customer === null || session.status !== 'complete') return undefined;
  const named = await findNamedSubject(backend, session);
  if (named === undefined) return undefined;
  const stripeCustomer = { id: idOf(session.customer), livemode: session.livemode };
  const { customerId } = named;
  const isLinked =
    (await isLinkAllowed(backend, named, session)) && (await link(backend, named, stripeCustomer));
  if (!isLinked) {
    const concerned = { session: session.id, stripeCustomer: stripeCustomer.id, customer: customerId };
    logFault(
      'A payment could not be attributed',
      concerned,
      'Link the Stripe customer to a user or team. Until then nobody gets the plan.',
    );
    return undefined;
  }
  await completeLink(backend, named, stripeCustomer.id);
  return customerId;
}

/**
 * Completes the link of a Stripe customer. Idempotent.
 *
 * - Writes the user or team into the metadata of the Stripe customer, so that a lost customer can be found.
 * - Stores the address and name of the Stripe customer, which are the payer's.
 * - Enqueues a contact sync, which replaces them by those of the user or team.
 */
export async function completeLink(
  backend: Backend,
  { type, customerId }: SubjectKey,
  stripeCustomerId: string,
): Promise<void> {
  const { db, stripe } = backend;
  const { customers } = await stripe();
  const metadata = { [SUBJECT_METADATA[type]]: customerId };
  const { email, name = null } = await withStripeRefusals(() =>
    customers.update(stripeCustomerId, { metadata }),
  );
  await db.run(async (tx) => {
    const customer = await tx.customers.get(customerId);
    if (customer?.stripeId === stripeCustomerId)
      tx.customers.update(customerId, { email, name, metadataMissing: REMOVED });
  });
  await enqueueCustomerContactSyncOrLog(backend, customerId);
}

/** Expires the open checkouts of the Stripe customer that is about to be replaced, because they could be paid. */
async function expireOtherCheckouts(
  backend: Backend,
  customerId: string,
  stripeCustomerId: string,
): Promise<void> {
  const existing = await backend.db.customers.get(customerId);
  if (existing?.stripeId === undefined || existing.stripeId === stripeCustomerId) return;
  const other = existing.stripeId;
  const stripe = await backend.stripe();
  await withStripeRefusals(() => expireSessions(stripe, other));
}

/** @returns false if the customer is being deleted, or pays through another Stripe customer */
async function link(
  backend: Backend,
  { type, customerId }: SubjectKey,
  stripeCustomer: { id: string; livemode: boolean },
): Promise<boolean> {
  const { db, now } = backend;
  await expireOtherCheckouts(backend, customerId, stripeCustomer.id);
  const fields = { ...stripeFields(stripeCustomer), metadataMissing: true as const };
  return db.run(async (tx) => {
    const existing = await tx.customers.get(customerId);
    if (existing === undefined) {
      const customer = { ...newCustomer({ type, email: null, name: null }, now()), ...fields };
      return tryCreateCustomer(backend, tx, customerId, customer);
    }
    if (existing.stripeId === stripeCustomer.id) return true;
    if (isClosed(existing, now()) || (await hasRunningSubscription(tx, customerId))) return false;
    tx.customers.update(customerId, { ...fields, checkout: REMOVED });
    return true;
  });
}
