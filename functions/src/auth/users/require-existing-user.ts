import type { Tx } from '../../firestore/db.ts';
import type { UserStates } from './user-states.ts';

/**
 * Requires that the account still exists, in the transaction that stores something for its user. The account may have
 * been deleted since the request began.
 *
 * If the user has a profile, Firebase Auth is not asked. This is safe while a deletion is under way, because the
 * deletion removes what this transaction stores:
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
 * @throws Refusal `credentials_invalid` for a deleted user
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
