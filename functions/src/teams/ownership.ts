import type { Firestore, Transaction } from 'firebase-admin/firestore';
import { ownersOf } from './member.store.ts';
import { teamRef, type Team } from './team.store.ts';

/**
 * For an owner who is to be one no more: another one answers for the team from now on. The owners stay locked until the
 * commit, so that of two who resign at once the second finds nobody.
 *
 * @returns false when there is no other
 */
export async function passOwnershipOn(
  transaction: Transaction,
  firestore: Firestore,
  { id, team }: { id: string; team: Team },
  uid: string,
): Promise<boolean> {
  const owners = await transaction.get(ownersOf(firestore, id).limit(2));
  const other = owners.docs.find((owner) => owner.id !== uid);
  if (other === undefined) return false;
  if (team.ownerId === uid) transaction.update(teamRef(firestore, id), { ownerId: other.id });
  return true;
}
