import { isAtLeast, type Role } from '@hearth/shared/roles';
import { hasVerifiedContact, type Caller } from '../../auth/caller.ts';
import type { Backend } from '../../backend.ts';
import { refusal } from '../../refusals/refusals.ts';
import { authorize } from '../../teams/authorize.store.ts';
import { refreshMemberAddress } from '../../teams/members/member-details.store.ts';
import { linksOf, type SharedInvitation } from '../invitation.view.ts';
import { countOccupiedSeats } from '../seats.store.ts';
import { writeInvitation } from './write-invitation.store.ts';

/**
 * Makes a shared invitation, for example for somebody without an e-mail address. The result has the links with the
 * secret.
 *
 * @throws Refusal as `authorize`; `sender_unverified` for a caller with neither a verified address nor a phone number,
 *   `invite_above_own` (the role is above the caller's), `no_seat`
 */
export async function createSharedInvitation(
  backend: Backend,
  caller: Caller,
  teamId: string,
  role: Role,
): Promise<SharedInvitation> {
  const { config, db } = backend;
  if (!hasVerifiedContact(caller)) throw refusal('sender_unverified');
  return db.run(async (tx) => {
    const now = backend.now();
    const { team, member } = await authorize(tx, caller, teamId, 'invitation:create');
    if (!isAtLeast(member.role, role)) throw refusal('invite_above_own', { role });
    if ((await countOccupiedSeats(tx, teamId, now)) >= team.seatLimit) throw refusal('no_seat');
    refreshMemberAddress(tx, teamId, caller, member);
    const { id, secret, invitation } = writeInvitation(tx, {
      teamId,
      team,
      email: null,
      role,
      invitedBy: caller.uid,
      config,
      now,
    });
    return { id, role, expiresAt: invitation.expiresAt.toISOString(), ...linksOf(config, id, secret) };
  });
}
