import { removeFound, type Purge } from '../../personal-data/removal.ts';
import { transact } from '../../firestore/transaction.ts';
import { endAtStripe } from './cancel.service.ts';

/**
 * Part of deleting an account: our copy of what Stripe knows. Stripe keeps its customer, for the invoices that the law
 * wants kept.
 *
 * The customer goes when nothing is below it, in one transaction: a webhook may mirror a subscription meanwhile, and does
 * not once the customer is gone.
 */
export const removeBilling: Purge = async (backend, customerId, most) => {
  const firestore = await backend.firestore();
  const customer = firestore.doc(`customers/${customerId}`);
  const subscriptions = customer.collection('subscriptions');
  const removed = await removeFound(firestore, subscriptions, most);
  if (removed === most) return removed;
  const isGone = await transact(firestore, async (transaction) => {
    const left = await transaction.get(subscriptions.limit(1));
    if (left.empty) transaction.delete(customer);
    return left.empty;
  });
  return isGone ? removed : most;
};

/**
 * Part of deleting a team, which no subscription binds any more: ends what it could still be charged for, such as a
 * checkout that somebody has open, and removes our copy.
 */
export const removeTeamBilling: Purge = async (backend, teamId, most) => {
  const ended = await endAtStripe(backend, teamId);
  return ended === undefined ? 0 : removeBilling(backend, teamId, most);
};
