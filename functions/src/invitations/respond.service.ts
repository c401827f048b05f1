import type { Firestore, Transaction } from 'firebase-admin/firestore';
import { recordAudit } from '../audit/audit-log.store.ts';
import type { Writable } from '../firestore/documents.ts';
import { ALREADY_EXISTS, hasCode } from '../common/error-code.ts';
import type { Caller } from '../auth/caller.ts';
import { refuse } from '../refusals.ts';
import type { Backend } from '../backend.ts';
import { addMember, memberRef, type Member } from '../teams/member.store.ts';
import { billSeats } from '../teams/seat-billing.ts';
import { isBeingDeleted, teamRef, type Team } from '../teams/team.store.ts';
import { transact } from '../firestore/transaction.ts';
import { assertOpenFor, cancelled, type Invitation, type InvitationStatus } from './invitation.ts';
import { closeInvitation, invitationRef } from './invitation.store.ts';
import { alreadyMember, assertSeatFor } from './seats.ts';
import { hasSecret } from './secret.ts';
import { maySenderInvite } from './sender.ts';

/** An answer of the caller to an invitation. */
export interface Answer {
  caller: Caller;
  id: string;
  /**
   * Set for a link. Another site can send the caller's browser to a link, so a link without the secret of the mail proves
   * no intent: everything is checked and nothing is written.
   */
  link?: { secret: string | undefined };
}

/** The result of an answer. */
export interface Answered {
  teamId: string;
  /** False for a link without the secret. */
  isDone: boolean;
}

/**
 * Makes the caller a member with the invited role. Everything is checked and written in one transaction, so that of many
 * requests at once one wins and the rest see its result; a process that dies half-way leaves nothing behind.
 *
 * @throws Refusal 404 unknown, 403 not the recipient, e-mail unverified or no seat, 410 expired, cancelled or from a
 *   sender who may not invite any more, 409 answered before or already a member
 */
export async function acceptInvitation(backend: Backend, answer: Answer): Promise<Answered> {
  try {
    let joined: Team | undefined;
    const answered = await respond(backend, answer, 'accepted', async (reply) => {
      const { transaction, firestore, invitation } = reply;
      const team = await assertJoinable(reply, answer.caller);
      return () => {
        joined = team;
        addMember(transaction, firestore, invitation.teamId, newMember(answer.caller, reply));
      };
    });
    if (joined) await billSeats(backend, answered.teamId, joined);
    return answered;
  } catch (error) {
    // The membership is the only document here whose id is not random.
    if (hasCode(error, ALREADY_EXISTS)) throw alreadyMember();
    throw error;
  }
}

/**
 * Removes an invitation from the caller's pending ones.
 *
 * @throws Refusal as acceptInvitation, for what concerns the invitation itself
 */
export function rejectInvitation(backend: Backend, answer: Answer): Promise<Answered> {
  return respond(backend, answer, 'rejected', () => Promise.resolve(() => undefined));
}

/** An answer under way, in one transaction. */
interface Reply {
  transaction: Transaction;
  firestore: Firestore;
  invitation: Invitation;
  /** Whether something will be written. */
  isDone: boolean;
  now: Date;
}

/**
 * Closes the caller's pending invitation and makes the writes of `prepare` in one transaction.
 *
 * @param prepare reads and checks, and returns the writes
 */
async function respond(
  backend: Backend,
  { caller, id, link }: Answer,
  status: Extract<InvitationStatus, 'accepted' | 'rejected'>,
  prepare: (reply: Reply) => Promise<() => void>,
): Promise<Answered> {
  const firestore = await backend.firestore();
  return transact(firestore, async (transaction) => {
    const now = backend.now();
    const invitation = (await transaction.get(invitationRef(firestore, id))).data();
    assertOpenFor(caller, invitation, now);
    const { teamId, email, role } = invitation;
    const isDone = link === undefined || hasSecret(invitation, link.secret);
    const write = await prepare({ transaction, firestore, invitation, isDone, now });
    if (!isDone) return { teamId, isDone };
    write();
    closeInvitation(transaction, firestore, id, status, now);
    recordAudit(transaction, firestore, {
      teamId,
      actorId: caller.uid,
      action: `invitation.${status}`,
      target: id,
      at: now,
      keptDays: backend.auditDays,
      details: { email, role },
    });
    return { teamId, isDone };
  });
}

/** @throws Refusal if the caller cannot join */
async function assertJoinable(reply: Reply, { uid }: Caller): Promise<Team> {
  const { transaction, firestore, invitation, isDone, now } = reply;
  const { teamId } = invitation;
  const [team, mayInvite] = await Promise.all([
    transaction.get(teamRef(firestore, teamId)).then((snapshot) => snapshot.data()),
    maySenderInvite(transaction, firestore, invitation),
  ]);
  if (team === undefined || isBeingDeleted(team)) {
    throw refuse('team_not_found');
  }
  if (!mayInvite) throw cancelled();
  // Otherwise the write of the membership fails for a member, without a read.
  if (!isDone && (await transaction.get(memberRef(firestore, teamId, uid))).exists) throw alreadyMember();
  await assertSeatFor(transaction, firestore, uid, invitation, team, now);
  return team;
}

function newMember({ uid, displayName }: Caller, { invitation, now }: Reply): Writable<Member> {
  const { role, email } = invitation;
  return { uid, role, email, displayName: displayName ?? null, joinedAt: now };
}
