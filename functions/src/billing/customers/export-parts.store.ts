import { isWrittenByExtension } from '../../firestore/documents/customer.ts';
import { exportAll, type ExportParts } from '../../personal-data/export-parts.ts';

/** Clients write these documents, so each of them may be large. */
const CHECKOUT_SESSIONS_PER_PAGE = 10;

export const BILLING_EXPORT: ExportParts = {
  customer: {
    one: async (db, { uid }) => {
      const customer = await db.customers.get(uid);
      if (customer === undefined) return null;
      const { type, email, name, stripeId, plan, entitlements, creationKeyAt } = customer;
      return {
        type,
        email,
        name,
        stripeId,
        plan,
        entitlements,
        createdAt: isWrittenByExtension(customer) ? null : creationKeyAt,
      };
    },
  },
  subscriptions: {
    many: (db, { uid }) => exportAll(db.subscriptions(uid), ({ id, data }) => ({ id, ...data })),
  },
  payments: {
    many: (db, { uid }) => exportAll(db.payments(uid), ({ id, data }) => ({ id, ...data })),
  },
  checkoutSessions: {
    many: (db, { uid }) =>
      exportAll(db.checkoutSessions(uid), ({ id, data }) => ({ id, ...data }), CHECKOUT_SESSIONS_PER_PAGE),
  },
  purchases: {
    many: (db, { uid }) =>
      exportAll(
        db.purchases(uid),
        ({ id, data: { status, item, credits, quantity, amount, currency, ...rest } }) => ({
          id,
          status,
          item,
          credits,
          quantity,
          amount,
          currency,
          createdAt: rest.createdAt,
          paidAt: rest.paidAt,
          refundedAt: rest.refundedAt,
        }),
      ),
  },
  credits: { one: async (db, { uid }) => (await db.credits.get(uid)) ?? null },
  creditEntries: {
    many: (db, { uid }) =>
      exportAll(db.creditEntries(uid), ({ id, data: { amount, balance, kind, reason, at } }) => ({
        id,
        amount,
        balance,
        kind,
        reason,
        at,
      })),
  },
  usageReports: {
    many: (db, { uid }) =>
      exportAll(db.usageReports.where('customerId', '==', uid), ({ data: { meter, value, at } }) => ({
        meter,
        value,
        at,
      })),
  },
  usageBatches: {
    many: (db, { uid }) =>
      exportAll(db.usageBatches.where('customerId', '==', uid), ({ data: { meter, value, at, status } }) => ({
        meter,
        value,
        at,
        status,
      })),
  },
  trial: { one: async (db, { uid }) => (await db.trials.get(uid)) ?? null },
};
