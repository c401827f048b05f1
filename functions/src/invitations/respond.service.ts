import type { Firestore, Transaction } from 'firebase-admin/firestore';
import { recordAudit } from '../audit/audit-log.store.ts';
import { ALREADY_EXISTS, hasCode } from '../error-code.ts';
import type { Caller } from '../http/caller.ts';
import { notFound } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { addMember } from '../teams/member.store.ts';
import { billSeats } from '../teams/seat-billing.ts';
import { isBeingDeleted, teamRef, type Team } from '../teams/team.store.ts';
import { transact } from '../transaction.ts';
import { assertOpenFor, type Invitation, type InvitationStatus } from './invitation.ts';
import { closeInvitation, invitationRef } from './invitation.store.ts';
import { alreadyMember, assertSeatFor } from './seats.ts';

/**
 * Makes the caller a member with the invited role. Everything is judged and written in one transaction, so that of many
 * requests at once one wins and the rest see its result; a process that dies half-way leaves nothing behind.
 *
 * @returns the id of the team that was joined
 * @throws HttpError 404 unknown, 403 not the recipient, e-mail unverified or no seat, 410 expired or cancelled,
 *   409 answered before or already a member
 */
export async function acceptInvitation(services: Services, caller: Caller, id: string): Promise<string> {
  try {
    let joined: Team | undefined;
    const teamId = await respond(
      services,
      caller,
      id,
      'accepted',
      async (transaction, firestore, invitation, now) => {
        const { teamId, role, email } = invitation;
        const team = (await transaction.get(teamRef(firestore, teamId))).data();
        if (team === undefined || isBeingDeleted(team)) {
          throw notFound('This team does not exist any more.', 'team_not_found');
        }
        await assertSeatFor(transaction, firestore, caller.uid, invitation, team, now);
        const displayName = caller.displayName ?? null;
        addMember(transaction, firestore, teamId, {
          uid: caller.uid,
          role,
          email,
          displayName,
          joinedAt: now,
        });
        joined = team;
      },
    );
    if (joined) await billSeats(services, teamId, joined);
    return teamId;
  } catch (error) {
    // The membership is the only document here whose id is not random.
    if (hasCode(error, ALREADY_EXISTS)) throw alreadyMember();
    throw error;
  }
}

/**
 * Takes an invitation from the caller's pending ones.
 *
 * @throws HttpError as acceptInvitation, for what concerns the invitation itself
 */
export async function rejectInvitation(services: Services, caller: Caller, id: string): Promise<void> {
  await respond(services, caller, id, 'rejected', () => Promise.resolve());
}

/** Ends an open invitation of the caller's, in one transaction with what else that means. */
async function respond(
  services: Services,
  caller: Caller,
  id: string,
  status: Extract<InvitationStatus, 'accepted' | 'rejected'>,
  act: (transaction: Transaction, firestore: Firestore, invitation: Invitation, now: Date) => Promise<void>,
): Promise<string> {
  const firestore = await services.firestore();
  return transact(firestore, async (transaction) => {
    const now = services.now();
    const invitation = (await transaction.get(invitationRef(firestore, id))).data();
    assertOpenFor(caller, invitation, now);
    await act(transaction, firestore, invitation, now);
    closeInvitation(transaction, firestore, id, status, now);
    recordAudit(transaction, firestore, {
      teamId: invitation.teamId,
      actorId: caller.uid,
      action: `invitation.${status}`,
      target: id,
      at: now,
      keptDays: services.auditDays,
      details: { email: invitation.email, role: invitation.role },
    });
    return invitation.teamId;
  });
}
