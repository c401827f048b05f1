import type { Tx } from '../../firestore/db.ts';
import type { Team } from '../../firestore/documents/team.ts';
import { ownersOf } from './member.store.ts';

/**
 * Makes another owner the responsible owner, before an owner leaves or gets a lower role. The owners stay locked until the
 * commit: if the last two resign at the same time, the second one finds no other owner.
 *
 * @param team.data undefined if its document is damaged: then its responsible owner is written in any case
 * @returns false if there is no other owner
 */
export async function passOwnershipOn(
  tx: Tx,
  team: { id: string; data: Team | undefined },
  uid: string,
): Promise<boolean> {
  const owners = await ownersOf(tx, team.id).limit(2).places();
  const other = owners.find(({ id }) => id !== uid);
  if (other === undefined) return false;
  const isResponsible = team.data === undefined || team.data.ownerId === uid;
  if (isResponsible) tx.teams.update(team.id, { ownerId: other.id });
  return true;
}
