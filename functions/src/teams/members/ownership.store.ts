import type { Tx } from '../../firestore/db.ts';
import type { Team } from '../../firestore/documents/team.ts';
import { ownersOf } from './member.store.ts';

/**
 * Makes sure that another owner is responsible, before an owner leaves or gets a lower role. Locks the owners: if the
 * last two owners leave at the same time, the second transaction finds no other owner.
 *
 * @param team.data undefined if the document is damaged. Then `ownerId` cannot be read, and is always replaced
 * @param uid the owner who leaves or gets a lower role
 * @returns false if there is no other owner
 */
export async function ensureOtherResponsibleOwner(
  tx: Tx,
  team: { id: string; data: Team | undefined },
  uid: string,
): Promise<boolean> {
  const owners = await ownersOf(tx, team.id).limit(2).findPaths();
  const other = owners.find(({ id }) => id !== uid);
  if (other === undefined) return false;
  const isResponsible = team.data === undefined || team.data.ownerId === uid;
  if (isResponsible) tx.teams.update(team.id, { ownerId: other.id });
  return true;
}
