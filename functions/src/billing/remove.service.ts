import { removeFound, type RemoveContents } from '../removal.ts';

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
