import { removeFound, type RemoveContents } from '../removal.ts';
import { endAtStripe } from './cancel.service.ts';

/**
 * Part of deleting an account: our copy of what Stripe knows. Stripe keeps its customer, for the invoices that the law
 * wants kept.
 */
export const removeBilling: RemoveContents = async (services, customerId, most) => {
  const firestore = await services.firestore();
  const customer = firestore.doc(`customers/${customerId}`);
  const removed = await removeFound(firestore, customer.collection('subscriptions'), most);
  if (removed < most) await customer.delete();
  return removed;
};

/**
 * Part of deleting a team, which no subscription binds any more: ends what it could still be charged for, such as a
 * checkout that somebody has open, and removes our copy.
 */
export const removeTeamBilling: RemoveContents = async (services, teamId, most) => {
  const ended = await endAtStripe(services, teamId);
  return ended === undefined ? 0 : removeBilling(services, teamId, most);
};
