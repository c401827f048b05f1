import { findAccount } from '../../auth/ask-auth.ts';
import { authUserOf, newProfile } from '../../auth/users/new-profile.ts';
import type { Backend } from '../../backend.ts';
import type { Tx } from '../../firestore/db.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { Team } from '../../firestore/documents/team.ts';
import { isBeingDeleted } from '../../teams/team.ts';
import type { SubjectKey } from '../subject.ts';

/** Finds accounts, and makes profiles. */
type Accounts = Pick<Backend, 'auth' | 'now'>;

/**
 * Creates a customer if the user or team still exists, and marks a team as a customer. A user without a profile gets
 * one: without it, `sweepDeletedAccounts` would not find the customer. Call this function in a transaction that has
 * read the customer: a read also locks a missing document. A deletion that begins meanwhile removes the new customer
 * and then the profile, because its purge waits for this lock:
 *
 * 1. The transaction finds the user or team, and no customer. Nobody else can create the customer before the commit.
 * 2. The deletion removes the user, or marks the team. The purge that follows waits for the lock of the customer.
 * 3. The transaction commits. The purge removes the new customer.
 *
 * @returns false if the user or team was deleted, or the team is being deleted
 */
export async function tryCreateCustomer(
  backend: Accounts,
  tx: Tx,
  customerId: string,
  customer: CustomerDocument,
): Promise<boolean> {
  if (customer.type === 'team') {
    const team = await findExistingTeam(tx, customerId);
    if (team === undefined) return false;
    if (team.isCustomer !== true) tx.teams.update(customerId, { isCustomer: true });
  } else if (!(await keepProfileOfExistingUser(backend, tx, customerId))) {
    return false;
  }
  tx.customers.create(customerId, customer);
  return true;
}

/**
 * Does everything that `tryCreateCustomer` does before it writes the customer, except for marking the team. For a
 * transaction that creates the customer by other means than `tryCreateCustomer`, whose docstring explains the locks.
 *
 * Reads one document. For a user, also calls Firebase Auth, because an account may have no profile.
 *
 * @returns false if the user or team was deleted, or the team is being deleted
 */
export async function prepareNewCustomer(
  backend: Accounts,
  tx: Tx,
  { type, customerId }: SubjectKey,
): Promise<boolean> {
  return type === 'team'
    ? (await findExistingTeam(tx, customerId)) !== undefined
    : keepProfileOfExistingUser(backend, tx, customerId);
}

async function findExistingTeam(tx: Tx, teamId: string): Promise<Team | undefined> {
  const team = await tx.teams.get(teamId);
  return team === undefined || isBeingDeleted(team) ? undefined : team;
}

/** @returns false if the user has no account */
async function keepProfileOfExistingUser({ auth, now }: Accounts, tx: Tx, uid: string): Promise<boolean> {
  const hasProfile = await tx.users.exists(uid);
  const user = await findAccount(auth, uid);
  if (user !== undefined && !hasProfile) tx.users.create(uid, newProfile(authUserOf(user), now()));
  return user !== undefined;
}
