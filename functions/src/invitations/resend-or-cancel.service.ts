import type { Caller } from '../auth/caller.ts';
import type { Backend } from '../backend.ts';
import { cleanTeamName } from '../common/name.ts';
import type { Tx } from '../firestore/db.ts';
import type { Invitation } from '../firestore/documents/invitation.ts';
import { REMOVED } from '../firestore/writes.ts';
import { Mailboxes } from '../mail/recipient.store.ts';
import { refusal } from '../refusals/refusals.ts';
import { requireRoleNotAboveOwn, authorize, type AuthorizedMember } from '../teams/authorize.store.ts';
import { refreshMemberAddress } from '../teams/members/member-details.store.ts';
import { hasMemberWith } from '../teams/members/member.store.ts';
import { requireVerifiedAddress, writeInvitationMail } from './invitation-mail.store.ts';
import {
  closingChange,
  hashOfSecret,
  isOpen,
  lifetimeFrom,
  newSecret,
  requirePending,
} from './invitation.ts';
import { invitationViewOf, type InvitationView } from './invitation.view.ts';
import { countOccupiedSeats } from './seats.store.ts';

export interface InvitationKey {
  teamId: string;
  id: string;
}

/**
 * Renews a pending invitation, open or expired, under the same id, and mails it again. The caller becomes its sender.
 * The new mail has a new secret. In a browser, the links of older mails now lead to the dashboard and do not reply.
 *
 * @param alsoWrite adds writes to the transaction, such as the entry of an operator
 * @throws Refusal as `readPending`; `sender_unverified`, `invitation_is_link`, `recipient_is_member`, `no_seat`,
 *   `resend_too_soon`, `recipient_limit`
 */
export async function resendInvitation(
  backend: Backend,
  caller: Caller,
  key: InvitationKey,
  alsoWrite?: (tx: Tx) => void,
): Promise<InvitationView> {
  const { config } = backend;
  const { teamId, id } = key;
  requireVerifiedAddress(caller);
  return backend.db.run(async (tx) => {
    const now = backend.now();
    const { team, member, invitation } = await readPending(tx, caller, key, 'invitation:resend');
    const { email } = invitation;
    if (email === null) throw refusal('invitation_is_link');
    const [mailboxes, seats, isMember] = await Promise.all([
      Mailboxes.read({ tx, config, now }, [email]),
      countOccupiedSeats(tx, teamId, now),
      hasMemberWith(tx, teamId, email),
    ]);
    if (isMember) throw refusal('recipient_is_member');
    if (seats + (isOpen(invitation, now) ? 0 : 1) > team.seatLimit) throw refusal('no_seat');
    const limitReached = mailboxes.refusalFor({ to: email, about: teamId });
    if (limitReached !== undefined) throw limitReached;
    refreshMemberAddress(tx, teamId, caller, member);
    const secret = newSecret();
    const renewed = {
      teamName: cleanTeamName(team.name),
      invitedBy: caller.uid,
      secretHash: hashOfSecret(secret),
      ...lifetimeFrom(now, config.invitationDays),
    };
    tx.invitations.update(id, { ...renewed, askedAt: REMOVED });
    const resent = { ...invitation, ...renewed, email };
    const sender = caller;
    writeInvitationMail(mailboxes, { tx, now, config, sender, id, secret, invitation: resent });
    recordChange(tx, { caller, id, invitation, action: 'invitation.resent', now });
    alsoWrite?.(tx);
    return invitationViewOf(config, id, resent);
  });
}

/**
 * Cancels a pending invitation, open or expired.
 *
 * @throws Refusal as `readPending`
 */
export async function cancelInvitation(backend: Backend, caller: Caller, key: InvitationKey): Promise<void> {
  const { id } = key;
  await backend.db.run(async (tx) => {
    const now = backend.now();
    const { invitation } = await readPending(tx, caller, key, 'invitation:cancel');
    tx.invitations.update(id, closingChange('cancelled', now));
    recordChange(tx, { caller, id, invitation, action: 'invitation.cancelled', now });
  });
}

/**
 * Reads a pending invitation, its team, and the membership of the caller. Requires that the caller may change the
 * invitation.
 *
 * @throws Refusal as `authorize`, `requireRoleNotAboveOwn` and `requirePending`; `invitation_not_found`
 */
async function readPending(
  tx: Tx,
  caller: Caller,
  { teamId, id }: InvitationKey,
  action: 'invitation:resend' | 'invitation:cancel',
): Promise<AuthorizedMember & { invitation: Invitation }> {
  const { team, member } = await authorize(tx, caller, teamId, action);
  const invitation = await tx.invitations.get(id);
  if (invitation?.teamId !== teamId) throw refusal('invitation_not_found');
  requireRoleNotAboveOwn(member, invitation.role);
  requirePending(invitation);
  return { team, member, invitation };
}

interface RecordedChange {
  caller: Caller;
  id: string;
  invitation: Invitation;
  action: 'invitation.resent' | 'invitation.cancelled';
  now: Date;
}

function recordChange(tx: Tx, { caller, id, invitation, action, now }: RecordedChange): void {
  const { teamId, email, role } = invitation;
  tx.audit.record({ teamId, actorId: caller.uid, action, target: id, at: now, details: { email, role } });
}
