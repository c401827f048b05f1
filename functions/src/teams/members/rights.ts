import type { Tx } from '../../firestore/db.ts';
import type { Team } from '../../firestore/documents/team.ts';
import type { EndGrants, RightsLoss } from '../../personal-data/grants.ts';

/**
 * Ends the member's grants, and the transfer offer that they made or received.
 *
 * @param team undefined if its document is damaged: then an offer stays, which cannot be accepted either
 */
export async function endRights(
  tx: Tx,
  loss: RightsLoss,
  team: Team | undefined,
  endGrants: EndGrants,
): Promise<void> {
  await endGrants(tx, loss);
  const { teamId, uid, actorId, now } = loss;
  const offer = team?.transfer;
  if (!offer || (offer.from !== uid && offer.to !== uid)) return;
  tx.teams.update(teamId, { transfer: null });
  tx.audit.record({
    teamId,
    actorId,
    action: 'team.transfer_withdrawn',
    target: offer.to,
    at: now,
    details: { reason: 'party_lost_rights' },
  });
}
