import type { Backend } from '../../../backend.ts';
import {
  FORMER_CHECKOUT_BUYER_ID,
  FORMER_FIRST_BUYER_ID,
} from '../../../firestore/documents/former-names.ts';
import { REMOVED } from '../../../firestore/writes.ts';
import { loadHashFunction } from '../../../personal-data/keyed-hash.ts';
import type { UserToForget, Forget } from '../../../personal-data/purge.ts';
import { nextCreationKey } from '../../customer-rules.ts';
import { moveTrial } from '../../subscriptions/trials/account-trials.store.ts';

/**
 * Removes a deleted user's address from customers of teams. Stripe accepts a creation key only with the same address.
 * Therefore a customer without a Stripe customer gets another key.
 */
export const forgetAddressOfCustomers: Forget = async ({ db }, { verifiedEmail }, limit) => {
  if (verifiedEmail === undefined) return 0;
  return db.changeBatch(
    (reads) => reads.customers.where('email', '==', verifiedEmail),
    limit,
    (tx, found) => {
      for (const { id, data } of found) {
        const needsKey = data?.stripeId === undefined && data?.creationKey !== '';
        tx.customers.update(id, { email: null, ...(needsKey && nextCreationKey()) });
      }
    },
  );
};

export const forgetCheckoutsBegunBy: Forget = (backend, user, limit) =>
  replaceInCheckouts(backend, 'checkout.buyerId', user, limit);

export const forgetFormerCheckoutsBegunBy: Forget = (backend, user, limit) =>
  replaceInCheckouts(backend, FORMER_CHECKOUT_BUYER_ID, user, limit);

export const forgetCheckoutsOwnedBy: Forget = (backend, user, limit) =>
  replaceInCheckouts(backend, 'checkout.ownerId', user, limit);

/** The responsible owner replaces a deleted first buyer. */
export const forgetFirstBuyer: Forget = async ({ db }, { uid }, limit) =>
  db.changeBatch(
    (reads) => reads.customers.where('firstBuyerId', '==', uid),
    limit,
    (tx, found) => {
      for (const { id } of found) tx.customers.update(id, { firstBuyerId: null });
    },
  );

/** Writes the whole document, so that the field with the former name goes. */
export const forgetFormerFirstBuyer: Forget = async ({ db }, { uid }, limit) =>
  db.changeBatch(
    (reads) => reads.customers.where(FORMER_FIRST_BUYER_ID, '==', uid),
    limit,
    (tx, found) => {
      for (const { id, data } of found) if (data) tx.customers.set(id, { ...data, firstBuyerId: null });
    },
  );

export const forgetAppStoreTransfers: Forget = async ({ db }, { uid }, limit) =>
  db.changeBatch(
    (reads) => reads.customers.where('storeTransfer.to', '==', uid),
    limit,
    (tx, found) => {
      for (const { id } of found) tx.customers.update(id, { storeTransfer: REMOVED });
    },
  );

export const forgetBillingEmail: Forget = async ({ db }, { verifiedEmail }, limit) => {
  if (verifiedEmail === undefined) return 0;
  return db.changeBatch(
    (reads) => reads.teams.where('billingEmail', '==', verifiedEmail),
    limit,
    (tx, found) => {
      for (const { id } of found) tx.teams.update(id, { billingEmail: REMOVED });
    },
  );
};

/** The user may register again, so the trial moves from the uid to the hash of the address. */
export const moveTrialToAddress: Forget = async ({ db, now }, user) => {
  if (!(await db.trials.exists(user.uid))) return 0;
  await moveTrial(db, await loadHashFunction(db, now()), user, now());
  return 1;
};

/**
 * Replaces a uid in checkouts of teams. If Stripe got the idempotency key with the former uid, it refuses the new
 * metadata, and the next request stores a new checkout.
 */
async function replaceInCheckouts(
  { db }: Backend,
  field: 'checkout.buyerId' | 'checkout.ownerId',
  { uid, pseudonym }: UserToForget,
  limit: number,
): Promise<number> {
  return db.changeBatch(
    (reads) => reads.customers.where(field, '==', uid),
    limit,
    (tx, found) => {
      for (const { id } of found) tx.customers.update(id, { [field]: pseudonym });
    },
  );
}
