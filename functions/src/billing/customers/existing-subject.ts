import type { Backend } from '../../backend.ts';
import type { Tx } from '../../firestore/db.ts';
import { refusal } from '../../refusals/refusals.ts';
import { isBeingDeleted } from '../../teams/team.ts';
import type { SubjectKey } from '../subject.ts';

/**
 * True if the user or team of a new customer still exists. A request may have begun before the account or team was
 * deleted.
 *
 * Call it in the transaction that creates the customer, after that transaction has read the customer. Then no deletion
 * leaves the new customer behind:
 *
 * 1. The transaction locks the customer, and this function still finds the user or team.
 * 2. Later the deletion removes the user, or marks the team.
 * 3. Then the deletion purges the customer. Because of the locks, this purge comes after the commit of the transaction,
 *    and removes the new customer.
 *
 * A user is looked up in Firebase Auth, because an account may have no profile. Reads one document for a team, and
 * makes one call to Firebase Auth for a user.
 */
export async function isExistingSubject(
  { auth }: Pick<Backend, 'auth'>,
  tx: Tx,
  { type, customerId }: SubjectKey,
): Promise<boolean> {
  if (type === 'team') {
    const team = await tx.teams.get(customerId);
    return team !== undefined && !isBeingDeleted(team);
  }
  const { users } = await auth.getUsers([{ uid: customerId }]).catch((cause: unknown) => {
    throw refusal('auth_unavailable', {}, { cause });
  });
  return users.length > 0;
}
