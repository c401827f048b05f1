import type { Backend } from '../../backend.ts';
import type { Caller } from '../../auth/caller.ts';
import type { Db, Tx } from '../../firestore/db.ts';
import type { Invitation } from '../../firestore/documents/invitation.ts';
import type { Team } from '../../firestore/documents/team.ts';
import { isAlreadyExists } from '../../firestore/failures.ts';
import { refuse } from '../../refusals.ts';
import { queueSeatSync } from '../../teams/members/seat-billing.ts';
import { requireOpenInvitation } from '../invitation.ts';
import { closedAs } from '../invitation.store.ts';
import { requireSeat } from '../seats.ts';
import { hasSecret } from './secret.ts';
import { maySenderInvite } from '../sender.ts';

/** An answer of the caller to an invitation. */
export interface Answer {
  caller: Caller;
  id: string;
  /**
   * Set for a link. Another site can send the caller's browser to a link, so a link without the secret of the mail does not
   * prove intent: everything is checked and nothing is written.
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
 * Makes the caller a member with the invited role. One transaction checks and writes everything, so only one of several
 * concurrent requests succeeds.
 *
 * @throws Refusal `invitation_not_found`, `not_recipient`, `email_unverified`, `already_accepted`, `already_rejected`,
 *   `invitation_expired`, `invitation_cancelled` (also if its sender may not invite any more), `team_not_found`,
 *   `already_member`, `no_seat`, `document_damaged`
 */
export async function acceptInvitation(backend: Backend, answer: Answer): Promise<Answered> {
  try {
    const { team, ...answered } = await backend.db.run(async (tx) => {
      const reply = await readReply(backend, tx, answer);
      const team = await requireCanJoin(backend.db, tx, reply);
      if (reply.acts) {
        addMember(tx, reply);
        close(tx, reply, 'accepted');
      }
      return { team, teamId: reply.invitation.teamId, isDone: reply.acts };
    });
    if (answered.isDone) await queueSeatSync(backend, answered.teamId, team);
    return answered;
  } catch (error) {
    // The membership is the only created document whose id is not random.
    if (isAlreadyExists(error)) throw refuse('already_member');
    throw error;
  }
}

/**
 * Rejects an invitation.
 *
 * @throws Refusal `invitation_not_found`, `not_recipient`, `email_unverified`, `already_accepted`, `already_rejected`,
 *   `invitation_expired`, `invitation_cancelled`, `document_damaged`
 */
export function rejectInvitation(backend: Backend, answer: Answer): Promise<Answered> {
  return backend.db.run(async (tx) => {
    const reply = await readReply(backend, tx, answer);
    if (reply.acts) close(tx, reply, 'rejected');
    return { teamId: reply.invitation.teamId, isDone: reply.acts };
  });
}

/** An answer to an open invitation of the caller. */
interface Reply {
  caller: Caller;
  id: string;
  invitation: Invitation;
  /** False for a link without the secret: everything is checked, nothing is written. */
  acts: boolean;
  now: Date;
}

async function readReply(backend: Backend, tx: Tx, { caller, id, link }: Answer): Promise<Reply> {
  const now = backend.now();
  const invitation = await tx.invitations.get(id);
  requireOpenInvitation(caller, invitation, now);
  const acts = link === undefined || hasSecret(invitation, link.secret);
  return { caller, id, invitation, acts, now };
}

/** @throws Refusal if the caller cannot join */
async function requireCanJoin(db: Db, tx: Tx, { caller, invitation, acts, now }: Reply): Promise<Team> {
  const { uid } = caller;
  const { teamId } = invitation;
  const [team, mayInvite] = await Promise.all([tx.teams.get(teamId), maySenderInvite(tx, invitation)]);
  if (team === undefined || team.deletingSince !== undefined) throw refuse('team_not_found');
  if (!mayInvite) throw refuse('invitation_cancelled');
  // Only a link without the secret needs this read. Otherwise creating the membership fails for a member.
  if (!acts && (await tx.members(teamId).exists(uid))) throw refuse('already_member');
  await requireSeat(db, tx, { uid, invitation, team, now });
  return team;
}

function addMember(tx: Tx, { caller, invitation, now }: Reply): void {
  const { uid, displayName = null } = caller;
  const { teamId, role, email } = invitation;
  tx.members(teamId).create(uid, { uid, role, email, displayName, joinedAt: now });
}

function close(tx: Tx, { caller, id, invitation, now }: Reply, status: 'accepted' | 'rejected'): void {
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
