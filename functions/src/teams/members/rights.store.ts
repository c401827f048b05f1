import type { Backend } from '../../backend.ts';
import { logWarning } from '../../common/log.ts';
import type { EndGivenRights, RightsLoser, RightsLoss } from '../../feature-hooks/given-rights.ts';
import type { Tx } from '../../firestore/db.ts';
import type { Team } from '../../firestore/documents/team.ts';
import { REMOVED } from '../../firestore/writes.ts';

interface MemberLoss extends RightsLoss {
  /** The address in the membership, and that of the account if it is known. */
  readonly emails: readonly (string | null)[];
}

/**
 * Ends the rights that the member gave to others and can no longer give. Ends the transfer offer that the member made
 * or received. Removes the billing address of the team if the member leaves and has this address.
 *
 * @param team undefined if its document is damaged. Then an offer stays, but nobody can accept the offer. The billing
 *   address stays too
 * @returns as `EndGivenRights`
 */
export async function endRights(
  tx: Tx,
  loss: MemberLoss,
  team: Team | undefined,
  endGivenRights: EndGivenRights,
): Promise<boolean> {
  const isComplete = await endGivenRights(tx, loss);
  const { teamId, uid, role, emails, actorId, now } = loss;
  const { billingEmail } = team ?? {};
  if (role === undefined && billingEmail !== undefined && emails.includes(billingEmail)) {
    tx.teams.update(teamId, { billingEmail: REMOVED });
  }
  const offer = team?.transfer;
  if (!offer || (offer.from !== uid && offer.to !== uid)) return isComplete;
  tx.teams.update(teamId, { transfer: null });
  tx.audit.record({
    teamId,
    actorId,
    action: 'team.transfer_withdrawn',
    target: offer.to,
    at: now,
    details: { reason: 'party_lost_rights' },
  });
  return isComplete;
}

/**
 * Ends the rights that one transaction could not end. Call this function after the commit. A failure is logged, not
 * thrown, because the member has lost their own rights already. Invitations that stay pending cannot be accepted. They
 * keep their seats until they expire, or until an owner or admin cancels them.
 */
export async function endRemainingRightsOrLog(backend: Backend, loser: RightsLoser): Promise<void> {
  try {
    await backend.featureHooks.endRemainingRights(backend, loser);
  } catch (error) {
    logWarning(`Invitations of ${loser.uid} to the team ${loser.teamId} stay pending.`, error);
  }
}
