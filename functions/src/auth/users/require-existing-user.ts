import type { Tx } from '../../firestore/db.ts';
import type { UserStates } from './user-states.ts';

/**
 * Requires, in the transaction that stores something for a user, that the account still exists. The account may have
 * been deleted since the request began.
 *
 * - If there is a profile, the transaction may write. A deletion that is under way removes the profile last, in a
 *   transaction that looks for data such as this.
 * - If there is no profile, Firebase Auth is asked, because the profile of a new user may not exist yet.
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
  // `current` throws for a deleted user.
  if (!(await tx.users.exists(uid))) await userStates.current(uid);
}
