import type { Firestore, Transaction } from 'firebase-admin/firestore';
import type { Caller } from '../http/caller.ts';
import { conflict, forbidden, notFound } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { addMember, memberRef, membersRef, teamRef } from '../teams/team.store.ts';
import { transact } from '../transaction.ts';
import { assertOpenFor, type Invitation } from './invitation.ts';
import { closeInvitation, invitationRef } from './invitation.store.ts';

/**
 * Makes the caller a member with the invited role. Everything is judged and written in one transaction, so that of many
 * requests at once one wins and the rest see its result; a process that dies half-way leaves nothing behind.
 *
 * @returns the id of the team that was joined
 * @throws HttpError 404 unknown, 403 not the recipient, e-mail unverified or no seat, 410 expired or cancelled,
 *   409 answered before or already a member
 */
export async function acceptInvitation(services: Services, caller: Caller, id: string): Promise<string> {
  const firestore = await services.firestore();
  return transact(firestore, async (transaction) => {
    const now = services.now();
    const invitation = await readOpen(transaction, firestore, caller, id, now);
    await assertCanJoin(transaction, firestore, caller, invitation.teamId);
    addMember(transaction, firestore, invitation.teamId, {
      uid: caller.uid,
      role: invitation.role,
      email: invitation.email,
      displayName: caller.displayName ?? null,
      joinedAt: now,
    });
    closeInvitation(transaction, invitationRef(firestore, id), 'accepted', now);
    return invitation.teamId;
  });
}

/**
 * Takes an invitation from the caller's pending ones.
 *
 * @throws HttpError as acceptInvitation, for what concerns the invitation itself
 */
export async function rejectInvitation(services: Services, caller: Caller, id: string): Promise<void> {
  const firestore = await services.firestore();
  await transact(firestore, async (transaction) => {
    const now = services.now();
    await readOpen(transaction, firestore, caller, id, now);
    closeInvitation(transaction, invitationRef(firestore, id), 'rejected', now);
  });
}

async function readOpen(
  transaction: Transaction,
  firestore: Firestore,
  caller: Caller,
  id: string,
  now: Date,
): Promise<Invitation> {
  const invitation = (await transaction.get(invitationRef(firestore, id))).data();
  assertOpenFor(caller, invitation, now);
  return invitation;
}

async function assertCanJoin(
  transaction: Transaction,
  firestore: Firestore,
  caller: Caller,
  teamId: string,
): Promise<void> {
  const [team, member, members] = await Promise.all([
    transaction.get(teamRef(firestore, teamId)),
    transaction.get(memberRef(firestore, teamId, caller.uid)),
    transaction.get(membersRef(firestore, teamId).count()),
  ]);
  const teamData = team.data();
  if (teamData === undefined) throw notFound('This team does not exist any more.', 'team_not_found');
  if (member.exists) throw conflict('You are a member of this team already.', 'already_member');
  if (members.data().count >= teamData.seatLimit) {
    throw forbidden('All seats of the team are taken.', 'no_seat');
  }
}
