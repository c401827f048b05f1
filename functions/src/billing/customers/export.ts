import { readAll, readOne, type ExportParts } from '../../personal-data/export-parts.ts';
import { collectionOf } from '../../firestore/documents.ts';
import type { Trial } from '../../firestore/documents/billing-state.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';

export const BILLING_EXPORT: ExportParts = {
  customer: {
    one: async (firestore, { uid }) => {
      const customer = (await collectionOf<CustomerDocument>(firestore, 'customers').doc(uid).get()).data();
      if (customer === undefined) return null;
      const { type, email, name, stripeId, plan, reservedAt } = customer;
      return { type, email, name, stripeId, plan, createdAt: reservedAt };
    },
  },
  subscriptions: {
    many: (firestore, { uid }) =>
      readAll(
        collectionOf<SubscriptionDocument>(firestore, `customers/${uid}/subscriptions`),
        (subscription, { id }) => ({ id, ...subscription }),
      ),
  },
  trial: { one: (firestore, { uid }) => readOne(collectionOf<Trial>(firestore, 'trials').doc(uid)) },
};
