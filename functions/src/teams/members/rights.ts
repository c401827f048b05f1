import type { Tx } from '../../firestore/db.ts';
import type { Team } from '../../firestore/documents/team.ts';
import { REMOVED } from '../../firestore/writes.ts';
import type { EndGivenRights, RightsLoss } from '../../personal-data/given-rights.ts';

interface MemberLoss extends RightsLoss {
  /** The address of the member, if it is known. */
  readonly email: string | null;
}

/**
 * Ends the rights that the member gave to others and can no longer give. Ends the transfer offer that the member made
 * or received. Removes the billing address of the team if the member leaves and has this address.
 *
 * @param team undefined if its document is damaged. Then an offer stays, but nobody can accept the offer. The billing
 *   address stays too
 */
export async function endRights(
  tx: Tx,
  loss: MemberLoss,
  team: Team | undefined,
  endGivenRights: EndGivenRights,
): Promise<void> {
  await endGivenRights(tx, loss);
  const { teamId, uid, role, email, actorId, now } = loss;
  if (role === undefined && email !== null && team?.billingEmail === email) {
    tx.teams.update(teamId, { billingEmail: REMOVED });
  }
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
