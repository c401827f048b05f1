import type { Tx } from '../../firestore/db.ts';
import type { UserStates } from './user-states.ts';

/**
 * Requires that the account still exists, in the transaction that stores something for its user. The account may have
 * been deleted since the request began.
 *
 * A profile is enough, and Firebase Auth is not asked. A deletion may be under way, and the account may be gone. Then
 * either this transaction sees that the profile is gone, or the deletion sees what this transaction has stored, and
 * removes it:
 *
 * 1. This function reads the profile, and so locks it.
 * 2. `finishDeletion` (`account/delete.service.ts`), the last step of the deletion, deletes the profile. This waits
 *    until this transaction has ended.
 * 3. `finishDeletion` looks for memberships and files. If it finds those of this transaction, the deletion runs again.
 *
 * A user without a profile is new or deleted. Then Firebase Auth is asked.
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
