import type { Tx } from '../../firestore/db.ts';
import type { UserStates } from './user-states.ts';

/**
 * Requires that the account still exists, in the transaction that stores something for its user. The account may have
 * been deleted since the request began.
 *
 * - If there is a profile, storing is safe, because this read locks the profile. The last transaction of a deletion
 *   deletes the profile. If this transaction finds a membership or a usage, the deletion runs again (`finishDeletion`).
 * - A new user may have no profile yet. Therefore Firebase Auth decides about a user without a profile.
 *
 * Reads one document.
 *
 * @throws Refusal `unauthenticated` for a deleted user
 */
export async function requireExistingUser(
  { userStates }: { readonly userStates: UserStates },
  tx: Tx,
  uid: string,
): Promise<void> {
  if (!(await tx.users.exists(uid))) await requireAccount(userStates, uid);
}

/** `current` throws for a deleted user. */
async function requireAccount(userStates: UserStates, uid: string): Promise<void> {
  await userStates.current(uid);
}
