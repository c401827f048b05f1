import type { Tx } from '../../firestore/db.ts';
import { authUserOf, newProfile } from './new-profile.ts';
import type { UserStates } from './user-states.ts';

/**
 * Requires that the account still exists. Call it in the transaction that stores something for the user. The account
 * may have been deleted since the request began.
 *
 * If the user has a profile, Firebase Auth is not asked. This is safe while a deletion is under way, because the
 * deletion removes what this transaction stores:
 *
 * 1. This function reads the profile, and so locks it.
 * 2. The last step of the deletion, `finishDeletion` (`account/delete.service.ts`), is one transaction. It looks for
 *    memberships and files, and deletes the profile only if there are none. It cannot commit before this lock ends.
 *
 * - If this transaction commits first, `finishDeletion` finds what it has stored, keeps the profile, and the deletion
 *   runs again.
 * - If `finishDeletion` commits first, this function finds no profile and asks Firebase Auth, which knows no such
 *   account.
 *
 * Firebase Auth is asked about a user without a profile. Some users have none yet, such as imported ones, because
 * importing raises no event that would create it. If the account exists, this function creates the profile: without a
 * profile, `sweepDeletedAccounts` would not find the stored data after a deletion of the account.
 *
 * Reads one document, and writes one for a user without a profile.
 *
 * @throws Refusal `credentials_invalid` for a deleted user
 */
export async function requireExistingUser(
  { userStates, now }: { readonly userStates: UserStates; readonly now: () => Date },
  tx: Tx,
  uid: string,
): Promise<void> {
  if (await tx.users.exists(uid)) return;
  // Throws for a deleted user.
  const user = await userStates.current(uid);
  tx.users.set(uid, newProfile(authUserOf(user), now()));
}
