import type { Backend } from '../../backend.ts';
import type { Caller } from '../../auth/caller.ts';
import type { Db, Tx } from '../../firestore/db.ts';
import type { Invitation } from '../../firestore/documents/invitation.ts';
import type { Member } from '../../firestore/documents/member.ts';
import type { Team } from '../../firestore/documents/team.ts';
import { isAlreadyExists } from '../../firestore/failures.ts';
import { refuse } from '../../refusals.ts';
import { queueSeatSync } from '../../teams/billing-queues.ts';
import { isBeingDeleted } from '../../teams/team.store.ts';
import { requireOpenInvitationTo } from '../invitation.ts';
import { enqueueJoinedMail } from '../invitation-mail.ts';
import { closedAs } from '../invitation.store.ts';
import { requireSeat } from '../seats.ts';
import { findSender } from '../sender.ts';
import { hasSecret } from './secret.ts';

/** A request to accept or reject an invitation. */
export interface AnswerRequest {
  caller: Caller;
  id: string;
  /** The secret of the link, if there is one. */
  secret?: string | undefined;
  /** True for a link that was opened with a session cookie. Another site can send the caller's browser to a link. */
  isByCookie?: boolean;
}

export interface AnswerResult {
  teamId: string;
  /** False if nothing was written, because another site may have opened the link. */
  isConfirmed: boolean;
  /** True for an invitation without an address. Everybody who has its link may answer it. */
  isShared: boolean;
}

/**
 * Makes the caller a member with the invited role. One transaction checks and writes everything, so only one of several
 * concurrent requests succeeds.
 *
 * @throws Refusal `invitation_not_found`, `not_recipient`, `email_unverified`, `already_accepted`, `already_rejected`,
 *   `invitation_expired`, `invitation_cancelled` (also if its sender may not invite any more), `unknown_link`,
 *   `team_not_found`, `already_member`, `no_seat`, `document_damaged`, `busy`
 */
export async function acceptInvitation(backend: Backend, request: AnswerRequest): Promise<AnswerResult> {
  try {
    const { team, ...result } = await backend.db.run(async (tx) => {
      const answer = await checkAnswer(backend, tx, request);
      const { team, sender } = await requireCanJoin(backend.db, tx, answer);
      if (answer.isConfirmed) {
        addMember(tx, answer);
        close(tx, answer, 'accepted');
        enqueueJoinedMail(tx, backend.config, { ...answer, team, sender });
      }
      return { team, ...resultOf(answer) };
    });
    if (result.isConfirmed) await queueSeatSync(backend, result.teamId, team);
    return result;
  } catch (error) {
    // `addMember` failed: the id of a membership is the uid, and all other new documents have random ids.
    if (isAlreadyExists(error)) throw refuse('already_member');
    throw error;
  }
}

/**
 * Rejects an invitation.
 *
 * @throws Refusal `invitation_not_found`, `not_recipient`, `email_unverified`, `already_accepted`, `already_rejected`,
 *   `invitation_expired`, `invitation_cancelled`, `unknown_link`, `document_damaged`, `busy`
 */
export function rejectInvitation(backend: Backend, request: AnswerRequest): Promise<AnswerResult> {
  return backend.db.run(async (tx) => {
    const answer = await checkAnswer(backend, tx, request);
    if (answer.isConfirmed) close(tx, answer, 'rejected');
    return resultOf(answer);
  });
}

function resultOf({ invitation: { teamId, email }, isConfirmed }: CheckedAnswer): AnswerResult {
  return { teamId, isConfirmed, isShared: email === null };
}

/** An answer to an open invitation of the caller. */
interface CheckedAnswer {
  caller: Caller;
  /** The verified address of the caller, if there is one. */
  email: string | null;
  id: string;
  invitation: Invitation;
  /** False if another site may have opened the link. Everything is checked and nothing is written. */
  isConfirmed: boolean;
  now: Date;
}

/** Reads the invitation and checks that the caller may answer it. */
async function checkAnswer(
  backend: Backend,
  tx: Tx,
  { caller, id, secret, isByCookie = false }: AnswerRequest,
): Promise<CheckedAnswer> {
  const now = backend.now();
  const invitation = await tx.invitations.get(id);
  requireOpenInvitationTo({ ...caller, secret }, invitation, now);
  // Only the recipient knows the secret of a mail. The sender of a link without an address knows its secret, too.
  const isConfirmed = !isByCookie || (invitation.email !== null && hasSecret(invitation, secret));
  const email = invitation.email ?? verifiedEmailOf(caller);
  return { caller, email, id, invitation, isConfirmed, now };
}

/** @throws Refusal if the caller cannot join */
async function requireCanJoin(
  db: Db,
  tx: Tx,
  answer: CheckedAnswer,
): Promise<{ team: Team; sender: Member }> {
  const { caller, invitation, isConfirmed, now } = answer;
  const { uid } = caller;
  const { teamId } = invitation;
  const [team, sender] = await Promise.all([tx.teams.get(teamId), findSender(tx, invitation)]);
  if (team === undefined || isBeingDeleted(team)) throw refuse('team_not_found');
  if (sender === undefined) throw refuse('invitation_cancelled');
  // A confirmed answer needs no check: creating the membership fails for a member, and `acceptInvitation` then refuses.
  if (!isConfirmed && (await tx.members(teamId).exists(uid))) throw refuse('already_member');
  await requireSeat(db, tx, { uid, invitation, team, now });
  return { team, sender };
}

function addMember(tx: Tx, { caller, email, invitation, now }: CheckedAnswer): void {
  const { uid, displayName = null } = caller;
  const { teamId, role } = invitation;
  tx.members(teamId).create(uid, { uid, role, email, displayName, joinedAt: now });
}

function verifiedEmailOf({ email, emailVerified }: Caller): string | null {
  return emailVerified && email !== undefined ? email : null;
}

/** Writes the answer to the invitation and to the audit log. */
function close(
  tx: Tx,
  { caller, id, invitation, now }: CheckedAnswer,
  status: 'accepted' | 'rejected',
): void {
  const { teamId, email, role } = invitation;
  tx.invitations.update(id, closedAs(status, now));
  tx.audit.record({
    teamId,
    actorId: caller.uid,
    action: `invitation.${status}`,
    target: id,
    at: now,
    details: { email, role },
  });
}
