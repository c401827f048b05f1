import type { Backend } from '../backend.ts';
import { transact } from '../firestore/transaction.ts';
import { membershipsOf } from './member.store.ts';

/** What one transaction may write. https://firebase.google.com/docs/firestore/manage-data/transactions */
const MOST_MEMBERSHIPS = 500;

/**
 * Tells the teams of a user what they are called now. Who joins at that very moment keeps the name before there, until
 * it is changed again.
 *
 * @throws Refusal 503
 */
export async function renameMember(backend: Backend, uid: string, displayName: string | null): Promise<void> {
  const firestore = await backend.firestore();
  await transact(firestore, async (transaction) => {
    const memberships = await transaction.get(membershipsOf(firestore, uid).limit(MOST_MEMBERSHIPS));
    for (const found of memberships.docs) {
      if (found.data().displayName !== displayName) transaction.update(found.ref, { displayName });
    }
  });
}
