import type { Purge } from '../../personal-data/removal.ts';
import { cancelAtStripe } from './cancel.service.ts';

/**
 * Removes the customer, our copies of its subscriptions and its checkout sessions, as part of deleting an account or team. Stripe keeps its
 * customer, because the law requires invoices to be kept.
 *
 * The transaction deletes the customer only if no subscription is left below it: a webhook may sync one at that moment. It
 * syncs none once the customer is deleted.
 */
export const removeBilling: Purge = async ({ db }, customerId, most) => {
  for (const copies of [db.checkoutSessions(customerId), db.subscriptions(customerId)]) {
    if ((await db.purge(copies, most)) === most) return most;
  }
  const isRemoved = await db.run(async (tx) => {
    const isEmpty = await tx.subscriptions(customerId).isEmpty();
    if (isEmpty) tx.customers.delete(customerId);
    return isEmpty;
  });
  return isRemoved ? 0 : most;
};

/**
 * Removes the customer of a team that is being deleted. Ends first whatever could still cost money: subscriptions, at once
 * and without a refund, and open checkouts.
 *
 * @throws Refusal `billing_unavailable`
 */
export const removeTeamBilling: Purge = async (backend, teamId, most) => {
  const cancelled = await cancelAtStripe(backend, teamId);
  return cancelled === undefined ? 0 : removeBilling(backend, teamId, most);
};
