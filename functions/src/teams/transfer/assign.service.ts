import type { Backend } from '../../backend.ts';
import type { Tx } from '../../firestore/db.ts';
import type { Team } from '../../firestore/documents/team.ts';
import { refusal } from '../../refusals/refusals.ts';
import { enqueueTeamContactSyncOrLog } from '../enqueue-billing-syncs.ts';
import { endRemainingRightsOrLog } from '../members/rights.store.ts';
import { requireBelowTeamLimit } from '../team.store.ts';
import { isBeingDeleted } from '../team.ts';

interface Assignment {
  teamId: string;
  /** The member who becomes the responsible owner. */
  uid: string;
  /** The actor in the audit log. */
  actorId: string;
}

/**
 * Makes a member the responsible owner of a team, without an offer. For operators only: the calling function checks
 * this. The former responsible owner becomes an admin, and their pending invitations to the role `owner` are cancelled.
 * An open offer ends. If the member is the responsible owner already, and has another role, only the role changes.
 *
 * @param alsoWrite adds writes to the transaction. `formerId` is the uid of the former responsible owner
 * @throws Refusal `team_not_found`, `member_not_found`, `team_limit`
 */
export async function assignOwner(
  backend: Backend,
  { teamId, uid, actorId }: Assignment,
  alsoWrite: (tx: Tx, formerId: string) => void,
): Promise<void> {
  const { team, isComplete } = await backend.db.run(async (tx) => {
    const [team, member] = await Promise.all([tx.teams.get(teamId), tx.members(teamId).get(uid)]);
    if (team === undefined || isBeingDeleted(team)) throw refusal('team_not_found');
    if (member === undefined) throw refusal('member_not_found');
    const { ownerId } = team;
    if (ownerId === uid) {
      if (member.role !== 'owner') repairRole(tx, { teamId, uid }, alsoWrite);
      return { team, isComplete: true };
    }
    const hasFormer = await tx.members(teamId).exists(ownerId);
    await requireBelowTeamLimit(tx, uid, backend.config.teamLimit);
    const loss = { teamId, uid: ownerId, role: 'admin', actorId, now: backend.now() } as const;
    const isComplete = await backend.featureHooks.endGivenRights(tx, loss);
    if (hasFormer) tx.members(teamId).update(ownerId, { role: 'admin' });
    tx.members(teamId).update(uid, { role: 'owner' });
    tx.teams.update(teamId, { ownerId: uid, transfer: null });
    recordWithdrawal(tx, { teamId, actorId, at: backend.now() }, team);
    alsoWrite(tx, ownerId);
    return { team, isComplete };
  });
  if (!isComplete) await endRemainingRightsOrLog(backend, { teamId, uid: team.ownerId, actorId });
  await enqueueTeamContactSyncOrLog(backend, teamId, team);
}

/** Somebody has edited the role of the responsible owner, or restored the membership from another time. */
function repairRole(
  tx: Tx,
  { teamId, uid }: Pick<Assignment, 'teamId' | 'uid'>,
  alsoWrite: (tx: Tx, formerId: string) => void,
): void {
  tx.members(teamId).update(uid, { role: 'owner' });
  alsoWrite(tx, uid);
}

/** Records that an open offer ends. An operator has decided who is the owner. */
function recordWithdrawal(
  tx: Tx,
  entry: { teamId: string; actorId: string; at: Date },
  { transfer }: Team,
): void {
  if (!transfer) return;
  const details = { reason: 'owner_changed' };
  tx.audit.record({ ...entry, action: 'team.transfer_withdrawn', target: transfer.to, details });
}
