import type { Caller } from '../../auth/caller.ts';
import type { Backend } from '../../backend.ts';
import type { Tx } from '../../firestore/db.ts';
import type { Team } from '../../firestore/documents/team.ts';
import { Mailboxes } from '../../mail/recipient.store.ts';
import { Refusal } from '../../refusals/refusals.ts';
import type { Config } from '../../settings/config.ts';
import { authorize } from '../../teams/authorize.store.ts';
import { refreshMemberAddress } from '../../teams/members/member-details.store.ts';
import { requireVerifiedAddress, writeInvitationMail } from '../invitation-mail.store.ts';
import { closingChange } from '../invitation.ts';
import { invitationViewOf, type InvitationView } from '../invitation.view.ts';
import { countOccupiedSeats } from '../seats.store.ts';
import {
  decide,
  readCandidates,
  seatsNeeded,
  type Candidate,
  type InviteRequest,
} from './candidate.store.ts';
import { writeInvitation } from './write-invitation.store.ts';

export interface Invited {
  /** False if the address already had this open invitation. */
  created: boolean;
  invitation: InvitationView;
}

/**
 * Invites one address.
 *
 * @throws Refusal as `inviteAll`, and each refusal that `inviteAll` returns
 */
export async function invite(
  backend: Backend,
  caller: Caller,
  teamId: string,
  request: InviteRequest,
): Promise<Invited> {
  const [outcome] = await inviteAll(backend, caller, teamId, [request]);
  if (outcome === undefined) throw new Error('The request has no result.');
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
}

/**
 * Invites addresses to a team in one transaction, with a result for each address:
 *
 * - An open invitation to the address stays if it has the requested role, and its sender can still invite to this role.
 * - A new invitation replaces any other pending invitation to the address.
 *
 * @returns the invitation or a refusal for each request, in the same order. The refusals: `duplicate_email`,
 *   `invite_above_own` (the requested role is above the caller's), `replace_above_own` (the role of the open invitation
 *   to replace is), `recipient_is_member`, `no_seat`, `resend_too_soon`, `recipient_limit`, `document_damaged`
 * @throws Refusal as `authorize`; `sender_unverified`
 */
export async function inviteAll(
  backend: Backend,
  caller: Caller,
  teamId: string,
  requests: readonly InviteRequest[],
): Promise<(Invited | Refusal)[]> {
  const { config } = backend;
  requireVerifiedAddress(caller);
  return backend.db.run(async (tx) => {
    const now = backend.now();
    const { team, member } = await authorize(tx, caller, teamId, 'invitation:create');
    const emails = requests.map(({ email }) => email);
    const [mailboxes, seats, candidates] = await Promise.all([
      Mailboxes.read({ tx, config, now }, emails),
      countOccupiedSeats(tx, teamId, now),
      readCandidates(tx, teamId, requests),
    ]);
    refreshMemberAddress(tx, teamId, caller, member);
    const sending: Sending = { tx, config, mailboxes, caller, teamId, team, now };
    let free = team.seatLimit - seats;
    return candidates.map((candidate) => {
      if (candidate instanceof Refusal) return candidate;
      const decision = decide(candidate, member.role, free, now);
      if (decision instanceof Refusal) return decision;
      if (decision !== 'new')
        return { created: false, invitation: invitationViewOf(config, decision.id, decision) };
      const refusal = mailboxes.refusalFor({ to: candidate.email, about: teamId });
      if (refusal !== undefined) return refusal;
      free -= seatsNeeded(candidate, now);
      return { created: true, invitation: sendInvitation(sending, candidate) };
    });
  });
}

interface Sending {
  tx: Tx;
  config: Config;
  mailboxes: Mailboxes;
  caller: Caller;
  teamId: string;
  team: Team;
  now: Date;
}

/** Writes a new invitation and its mail, and cancels a pending invitation of the address. */
function sendInvitation(sending: Sending, { email, role, pending }: Candidate): InvitationView {
  const { tx, config, mailboxes, caller, teamId, team, now } = sending;
  const invitedBy = caller.uid;
  const { id, secret, invitation } = writeInvitation(tx, {
    teamId,
    team,
    email,
    role,
    invitedBy,
    config,
    now,
  });
  if (pending !== undefined) {
    tx.invitations.update(pending.id, closingChange('cancelled', now));
    const details = { email, role: pending.role, replacedBy: id };
    const action = 'invitation.cancelled';
    tx.audit.record({ teamId, actorId: invitedBy, action, target: pending.id, at: now, details });
  }
  writeInvitationMail(mailboxes, { tx, now, config, sender: caller, id, secret, invitation });
  return invitationViewOf(config, id, invitation);
}
