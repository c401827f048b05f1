import { readAll, readOne, type ExportParts } from '../../personal-data/export-parts.ts';
import { customerRef } from './customer.store.ts';
import { subscriptionsRef } from '../subscriptions/subscription.store.ts';
import { trialRef } from '../subscriptions/trial.store.ts';

export const BILLING_EXPORT: ExportParts = {
  customer: {
    one: async (firestore, { uid }) => {
      const customer = (await customerRef(firestore, uid).get()).data();
      if (customer === undefined) return null;
      const { type, email, name, stripeId, plan, reservedAt } = customer;
      return { type, email, name, stripeId, plan, createdAt: reservedAt };
    },
  },
  subscriptions: {
    many: (firestore, { uid }) =>
      readAll(subscriptionsRef(firestore, uid), (subscription, { id }) => ({ id, ...subscription })),
  },
  trial: { one: (firestore, { uid }) => readOne(trialRef(firestore, uid)) },
};
