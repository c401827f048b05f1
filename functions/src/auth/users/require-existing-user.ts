import type { Tx } from '../../firestore/db.ts';
import type { UserStates } from './user-states.ts';

/**
 * Requires that the account still exists, in the transaction that stores something for its user. The account may have
 * been deleted since the request began.
 *
 * - If there is a profile, this function reads the profile and so locks it. `finishDeletion`
 *   (`account/delete.service.ts`) deletes the profile, so it waits until this transaction has ended. If
 *   `finishDeletion` then finds a membership or a storage usage, the deletion runs again and removes what this
 *   transaction has stored.
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
  if (!(await tx.users.exists(uid))) await requireAccountInAuth(userStates, uid);
}

/** `current` throws for a deleted user. */
async function requireAccountInAuth(userStates: UserStates, uid: string): Promise<void> {
  await userStates.current(uid);
}
