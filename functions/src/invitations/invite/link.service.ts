import { isAtLeast, type Role } from '@hearth/shared/roles';
import type { Caller } from '../../auth/caller.ts';
import type { Backend } from '../../backend.ts';
import { cleanTeamName } from '../../common/name.ts';
import { refuse } from '../../refusals.ts';
import { authorize } from '../../teams/authorize.ts';
import { hashOfSecret, newSecret } from '../answer/secret.ts';
import { isReachable, lifetimeFrom, newInvitationId } from '../invitation.ts';
import { linksOf, type InvitationLinkView } from '../invitation.view.ts';
import { countOccupiedSeats } from '../seats.ts';

/**
 * Makes an invitation without an address, for people who have only a phone number. Whoever has its link can join, once. The
 * secret of the link is in the answer and stored nowhere.
 *
 * @throws Refusal as authorize; `email_unverified` for a caller with neither a verified address nor a phone number,
 *   `forbidden` (the role is above the caller's), `no_seat`
 */
export async function createInvitationLink(
  backend: Backend,
  caller: Caller,
  teamId: string,
  role: Role,
): Promise<InvitationLinkView> {
  const { config, db } = backend;
  if (!isReachable(caller)) throw refuse('email_unverified', { act: 'invite others' });
  return db.run(async (tx) => {
    const now = backend.now();
    const { team, member } = await authorize(tx, caller, teamId, 'invitation:create');
    if (!isAtLeast(member.role, role)) throw refuse('invite_above_own', { role });
    if ((await countOccupiedSeats(tx, teamId, now)) >= team.seatLimit) throw refuse('no_seat');
    const id = newInvitationId();
    const secret = newSecret();
    const { expiresAt, deleteAt } = lifetimeFrom(now, config.invitationDays);
    tx.invitations.create(id, {
      teamId,
      teamName: cleanTeamName(team.name),
      email: null,
      role,
      status: 'pending',
      invitedBy: caller.uid,
      secretHash: hashOfSecret(secret),
      createdAt: now,
      respondedAt: null,
      expiresAt,
      deleteAt,
    });
    tx.audit.record({
      teamId,
      actorId: caller.uid,
      action: 'invitation.created',
      target: id,
      at: now,
      details: { email: null, role },
    });
    return { id, role, expiresAt: expiresAt.toISOString(), ...linksOf(config, id, secret) };
  });
}
