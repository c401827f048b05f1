import { randomUUID } from 'node:crypto';
import type { Query } from 'firebase-admin/firestore';
import { openKeyedHash } from '../../common/keyed-hash.ts';
import { changeFound, type RemoveTraces } from '../../personal-data/removal.ts';
import { collectionOf } from '../../firestore/documents.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import { keepTrialOfAddress } from '../trials/trial.store.ts';

/**
 * Removes a deleted user's address from customers of teams. A customer that Stripe has not confirmed yet gets a new key,
 * because Stripe accepts a key for one call only; the next call looks for a customer that the old key may have created.
 */
export const forgetCustomersAt: RemoveTraces = async (backend, { verifiedEmail }, most) => {
  if (verifiedEmail === undefined) return 0;
  const firestore = await backend.firestore();
  const customers = collectionOf<CustomerDocument>(firestore, 'customers').where(
    'email',
    '==',
    verifiedEmail,
  );
  return changeFound(firestore, customers, most, (transaction, found) => {
    for (const customer of found) {
      const isConfirmed = customer.data().stripeId !== undefined;
      const anew = { creationKey: randomUUID(), reservedAt: new Date(0) };
      transaction.update(firestore.doc(customer.ref.path), { email: null, ...(!isConfirmed && anew) });
    }
  });
};

export const forgetCheckoutsBegunBy: RemoveTraces = (backend, { uid, pseudonym }, most) =>
  replaceInCheckouts(backend, 'callerId', { uid, pseudonym }, most);

export const forgetCheckoutsOwnedBy: RemoveTraces = (backend, { uid, pseudonym }, most) =>
  replaceInCheckouts(backend, 'ownerId', { uid, pseudonym }, most);

/** Keeps the trial with the address, because the user may register again. */
export const forgetTrial: RemoveTraces = async ({ db, now }, user) => {
  if (!(await db.trials.exists(user.uid))) return 0;
  await keepTrialOfAddress(db, await openKeyedHash(db, now()), user);
  return 1;
};

/** Checkouts of teams. One whose session is not made yet gets another, because its metadata differ. */
async function replaceInCheckouts(
  backend: Parameters<RemoveTraces>[0],
  field: 'callerId' | 'ownerId',
  { uid, pseudonym }: { uid: string; pseudonym: string },
  most: number,
): Promise<number> {
  const firestore = await backend.firestore();
  const path = `checkout.${field}`;
  const customers: Query<CustomerDocument> = collectionOf<CustomerDocument>(firestore, 'customers').where(
    path,
    '==',
    uid,
  );
  return changeFound(firestore, customers, most, (transaction, found) => {
    for (const { ref } of found) transaction.update(firestore.doc(ref.path), { [path]: pseudonym });
  });
}
