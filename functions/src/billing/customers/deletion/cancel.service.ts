import type Stripe from 'stripe';
import * as z from 'zod';
import type { Backend } from '../../../backend.ts';
import { logFault, logWarning } from '../../../common/log.ts';
import { DamagedDocument, damageAsValue } from '../../../firestore/damage.ts';
import type { CustomerDocument } from '../../../firestore/documents/customer.ts';
import { initialCustomer } from '../../customer-rules.ts';
import { cancelScheduledSubscriptions, hasEnded, refundAndCancel } from '../../stripe/cancel-subscription.ts';
import { expireSessions } from '../../stripe/checkout-sessions.ts';
import { cancelWithFinalInvoice, collectFinalInvoice } from '../../stripe/final-invoice.ts';
import { findStripeCustomerBySearch } from '../../stripe/find-customer.ts';
import { isInvalidRequest, isMissing, withStripeRefusals } from '../../stripe/stripe-errors.ts';
import type { SubjectKey } from '../../subject.ts';
import { runningSubscriptions } from '../../subscriptions/subscription.store.ts';
import { syncSubscription } from '../../subscriptions/sync/sync.service.ts';
import { sendUsageOf } from '../../usage/send.service.ts';
import { closeCustomer, replaceCustomer } from '../customer.store.ts';

/** Immediately cancels and syncs all subscriptions of a user or team that is being deleted. Idempotent. */
export async function cancelAndSyncSubscriptions(backend: Backend, customerId: string): Promise<void> {
  const cancelled = await closeAndCancelAtStripe(backend, customerId);
  if (cancelled === undefined) return;
  const running = await runningSubscriptions(backend.db, customerId).findPaths();
  for (const id of new Set([...cancelled, ...running.map(({ id }) => id)])) {
    await syncSubscription(backend, customerId, id);
  }
}

/**
 * Ends everything of a customer at Stripe, in this order:
 *
 * 1. Closes the customer. Then no request can store a session, so step 2 finds all open sessions.
 * 2. Expires the open checkout sessions.
 * 3. Sends the usage that is waiting, so that the final invoices have it.
 * 4. Cancels the subscriptions that begin later.
 * 5. Refunds and cancels the duplicates that are being ended: their marks are deleted with the customer.
 * 6. Lists and cancels the other subscriptions, with final invoices. If a session was paid before step 2, or a
 *    subscription began before step 4, the list has this subscription.
 *
 * @returns the ids of the cancelled subscriptions; undefined for a user or team that is no customer
 */
export async function closeAndCancelAtStripe(
  backend: Backend,
  customerId: string,
): Promise<string[] | undefined> {
  const customer = await closeEvenIfDamaged(backend, customerId);
  if (customer === undefined) return undefined;
  const { stripeId: stripeCustomerId, markedDuplicates = [] } = customer;
  if (stripeCustomerId === undefined) return [];
  const stripe = await backend.stripe();
  return withStripeRefusals(async () => {
    try {
      await expireSessions(stripe, stripeCustomerId);
      await sendUsageOf(backend, customerId);
      await cancelScheduledSubscriptions(stripe, stripeCustomerId);
      for (const subscriptionId of markedDuplicates) {
        await refundAndCancel(stripe, { customerId, subscriptionId });
      }
      const cancelled = await cancelSubscriptions(stripe, stripeCustomerId);
      return [...markedDuplicates, ...cancelled];
    } catch (error) {
      // The Stripe customer was deleted in the dashboard. The subscriptions ended with it.
      if (isMissing(error, 'customer')) return [];
      throw error;
    }
  });
}

/** Closes the customer. Replaces a damaged document before, so that the user or team can be deleted. */
async function closeEvenIfDamaged(
  backend: Backend,
  customerId: string,
): Promise<CustomerDocument | undefined> {
  const { db, now } = backend;
  const customer = await damageAsValue(closeCustomer(db, customerId, now()));
  if (!(customer instanceof DamagedDocument)) return customer;
  logWarning(`Replaced the damaged document ${customer.path}`, customer);
  const repaired = await repairedCustomer(backend, customerId);
  const markedDuplicates = customer.field('markedDuplicates', z.array(z.string()));
  await replaceCustomer(db, customerId, { ...repaired, ...(markedDuplicates && { markedDuplicates }) });
  return closeCustomer(db, customerId, now());
}

/** A new document for a customer, with the id of the Stripe customer if there is one. */
async function repairedCustomer(backend: Backend, customerId: string): Promise<CustomerDocument> {
  const { db, now } = backend;
  const type = (await db.teams.exists(customerId)) ? 'team' : 'user';
  const link = await db.customerLinks.get(customerId);
  const stripeCustomerId = link?.stripeId ?? (await findStripeCustomerId(backend, { type, customerId }));
  return {
    ...initialCustomer({ type, email: null, name: null }, now()),
    ...(stripeCustomerId !== undefined && { stripeId: stripeCustomerId }),
  };
}

/** Damage must not block the deletion. Therefore an account without a search is only logged as a fault. */
async function findStripeCustomerId(
  { stripe, now }: Backend,
  subject: SubjectKey,
): Promise<string | undefined> {
  const client = await stripe();
  try {
    return await withStripeRefusals(
      async () => (await findStripeCustomerBySearch(client, subject, now()))?.id,
    );
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
    const { type, customerId } = subject;
    logFault('Subscriptions of a deleted customer may go on', { type, customerId }, error);
    return undefined;
  }
}

/**
 * Also lists the subscriptions that have ended: an earlier call may have died before it turned on the collection of a
 * final invoice.
 */
async function cancelSubscriptions(stripe: Stripe, stripeCustomerId: string): Promise<string[]> {
  const cancelled: string[] = [];
  const listed = stripe.subscriptions.list({
    customer: stripeCustomerId,
    status: 'all',
    expand: ['data.latest_invoice'],
    limit: 100,
  });
  for await (const subscription of listed) {
    const { id } = subscription;
    if (hasEnded(subscription)) {
      await collectFinalInvoice(stripe, subscription);
      continue;
    }
    await cancelWithFinalInvoice(stripe, subscription);
    cancelled.push(id);
  }
  return cancelled;
}
