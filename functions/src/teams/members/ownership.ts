import type { Tx } from '../../firestore/db.ts';
import type { Team } from '../../firestore/documents/team.ts';
import { ownersOf } from './member.store.ts';

/**
 * Makes sure that the responsible owner is not the user, before they leave or get a lower role. The owners stay locked
 * until the commit: if the last two leave at the same time, the second one finds no other owner.
 *
 * @param team.data undefined if its document is damaged: then its responsible owner is written in any case
 * @returns false if there is no other owner
 */
export async function ensureOtherResponsibleOwner(
  tx: Tx,
  team: { id: string; data: Team | undefined },
  uid: string,
): Promise<boolean> {
  const owners = await ownersOf(tx, team.id).limit(2).findPlaces();
  const other = owners.find(({ id }) => id !== uid);
  if (other === undefined) return false;
  const isResponsible = team.data === undefined || team.data.ownerId === uid;
  if (isResponsible) tx.teams.update(team.id, { ownerId: other.id });
  return true;
}
