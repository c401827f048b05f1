import type { Firestore, Transaction } from 'firebase-admin/firestore';
import { recordAudit } from '../audit/audit-log.store.ts';
import type { Caller } from '../auth/caller.ts';
import { Mailboxes } from '../mail/recipient.store.ts';
import { cleanTeamName } from '../common/name.ts';
import type { Backend } from '../backend.ts';
import { assertCanHandle, authorizeLegacy } from '../teams/authorize.ts';
import type { Team } from '../teams/team.store.ts';
import { transact } from '../firestore/transaction.ts';
import { assertPending, isExpired, lifeFrom, unknownInvitation, type Invitation } from './invitation.ts';
import { closeInvitation, invitationRef, renewInvitation } from './invitation.store.ts';
import { viewOf, type InvitationView } from './invitation.view.ts';
import { assertMayMail, mailInvitation } from './invitation-mail.ts';
import { hashOfSecret, newSecret } from './secret.ts';
import { countSeatsTaken, noSeat } from './seats.ts';

/** Names an invitation of a team. */
export interface InvitationKey {
  teamId: string;
  id: string;
}

/**
 * Renews a pending invitation, expired or not, under the same id, and mails it again. The caller becomes its
 * sender. The new mail has a new secret, so the links of older ones only lead to the dashboard.
 *
 * @throws Refusal as authorize; 404 unknown to the team, 403 for a role above the caller's or without a free seat,
 *   409 answered, 410 cancelled, 429 for an address or a mailbox that was mailed too recently or too often
 */
export async function resendInvitation(
  backend: Backend,
  caller: Caller,
  key: InvitationKey,
): Promise<InvitationView> {
  const { config } = backend;
  assertMayMail(caller);
  return actOnInvitation(backend, caller, key, 'resend', async (change) => {
    const { transaction, firestore, team, invitation, now } = change;
    const [mailboxes, taken] = await Promise.all([
      Mailboxes.open({ transaction, firestore, config, now }, [invitation.email]),
      countSeatsTaken(transaction, firestore, key.teamId, now),
    ]);
    if (taken + (isExpired(invitation, now) ? 1 : 0) > team.seatLimit) throw noSeat();
    const tooSoon = mailboxes.refusal({ to: invitation.email, about: key.teamId });
    if (tooSoon !== undefined) throw tooSoon;
    const secret = newSecret();
    const renewed = {
      teamName: cleanTeamName(team.name),
      invitedBy: caller.uid,
      secretHash: hashOfSecret(secret),
      ...lifeFrom(now, config.invitationDays),
    };
    renewInvitation(transaction, firestore, key.id, renewed);
    const resent = { ...invitation, ...renewed };
    mailInvitation(mailboxes, { config, inviter: caller, id: key.id, secret, invitation: resent });
    return viewOf(config, key.id, resent);
  });
}

/**
 * Withdraws a pending invitation, expired or not.
 *
 * @throws Refusal as resendInvitation, but for seats
 */
export async function cancelInvitation(backend: Backend, caller: Caller, key: InvitationKey): Promise<void> {
  await actOnInvitation(backend, caller, key, 'cancel', ({ transaction, firestore, now }) => {
    closeInvitation(transaction, firestore, key.id, 'cancelled', now);
  });
}

/** A change to a pending invitation under way, in one transaction. */
interface Change {
  transaction: Transaction;
  firestore: Firestore;
  team: Team;
  invitation: Invitation;
  now: Date;
}

const AUDIT_ACTIONS = { resend: 'invitation.resent', cancel: 'invitation.cancelled' } as const;

async function actOnInvitation<Result>(
  backend: Backend,
  caller: Caller,
  { teamId, id }: InvitationKey,
  action: keyof typeof AUDIT_ACTIONS,
  act: (change: Change) => Result | Promise<Result>,
): Promise<Result> {
  const firestore = await backend.firestore();
  return transact(firestore, async (transaction) => {
    const { team, member } = await authorizeLegacy(
      transaction,
      firestore,
      caller,
      teamId,
      `invitation:${action}`,
    );
    const invitation = (await transaction.get(invitationRef(firestore, id))).data();
    if (invitation?.teamId !== teamId) throw unknownInvitation();
    assertCanHandle(member, invitation.role);
    assertPending(invitation);
    const now = backend.now();
    const result = await act({ transaction, firestore, team, invitation, now });
    recordAudit(transaction, firestore, {
      teamId,
      actorId: caller.uid,
      action: AUDIT_ACTIONS[action],
      target: id,
      at: now,
      keptDays: backend.auditDays,
      details: { email: invitation.email, role: invitation.role },
    });
    return result;
  });
}
