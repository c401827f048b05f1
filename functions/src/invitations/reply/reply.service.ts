import { verifiedEmailOf, type Caller } from '../../auth/caller.ts';
import { requireExistingUser } from '../../auth/users/require-existing-user.ts';
import type { Backend } from '../../backend.ts';
import type { Db, Tx } from '../../firestore/db.ts';
import type { Invitation } from '../../firestore/documents/invitation.ts';
import type { Member } from '../../firestore/documents/member.ts';
import type { Team } from '../../firestore/documents/team.ts';
import { isAlreadyExists } from '../../firestore/failures.ts';
import { refusal } from '../../refusals/refusals.ts';
import { enqueueSeatSyncOrLog } from '../../teams/billing-queues.ts';
import { isBeingDeleted } from '../../teams/team.ts';
import { enqueueJoinedMail } from '../invitation-mail.ts';
import { closingChange } from '../invitation.store.ts';
import { isShared, requireOpenInvitationTo } from '../invitation.ts';
import { requireSeat } from '../seats.ts';
import { hasSecret } from '../secret.ts';
import { findSender, refusalWithoutSender } from '../sender.ts';

export interface ReplyRequest {
  caller: Caller;
  id: string;
  /** The secret of the link, if there is one. */
  secret?: string | undefined;
  /**
   * True for a link that was opened with a session cookie, because another site can lead the caller's browser to a
   * link. Another site cannot send an ID token, and the guards of a POST refuse other origins.
   */
  mayComeFromOtherSite: boolean;
}

export interface ReplyResult {
  teamId: string;
  /** False if another site may have caused the request. Then the user replies on the dashboard. */
  isWritten: boolean;
  isShared: boolean;
}

/**
 * Makes the caller a member with the invited role. One transaction checks and writes everything, so only one of several
 * concurrent requests succeeds. Only the seats are usually counted outside of the transaction: see `requireSeat`.
 *
 * @throws Refusal as `requireOpenInvitationTo`, `requireCanJoin` and `requireExistingUser`; `already_member`
 */
export async function acceptInvitation(backend: Backend, request: ReplyRequest): Promise<ReplyResult> {
  try {
    const { team, ...result } = await backend.db.run(async (tx) => {
      const reply = await checkReply(backend, tx, request);
      const { team, sender } = await requireCanJoin(backend.db, tx, reply);
      if (reply.mayWrite) {
        await requireExistingUser(backend, tx, request.caller.uid);
        addMember(tx, reply);
        writeReply(tx, reply, 'accepted');
        enqueueJoinedMail(tx, backend.config, { ...reply, team, sender });
      }
      return { team, ...resultOf(reply) };
    });
    if (result.isWritten) await enqueueSeatSyncOrLog(backend, result.teamId, team);
    return result;
  } catch (error) {
    // Only the membership can exist already: its id is the uid. All other new documents have random ids.
    if (isAlreadyExists(error)) throw refusal('already_member');
    throw error;
  }
}

/**
 * Rejects an invitation.
 *
 * @throws Refusal as `requireOpenInvitationTo`
 */
export function rejectInvitation(backend: Backend, request: ReplyRequest): Promise<ReplyResult> {
  return backend.db.run(async (tx) => {
    const reply = await checkReply(backend, tx, request);
    if (reply.mayWrite) writeReply(tx, reply, 'rejected');
    return resultOf(reply);
  });
}

function resultOf({ invitation, mayWrite }: CheckedReply): ReplyResult {
  return { teamId: invitation.teamId, isWritten: mayWrite, isShared: isShared(invitation) };
}

interface CheckedReply {
  caller: Caller;
  /**
   * The verified address of the caller, or null. For an invitation to an address, it is the address of the invitation.
   */
  email: string | null;
  id: string;
  invitation: Invitation;
  /** False if another site may have caused the request. Then everything is checked, and nothing is written. */
  mayWrite: boolean;
  now: Date;
}

/** Reads the invitation. Requires that it is open, and that the caller is its recipient. */
async function checkReply(
  backend: Backend,
  tx: Tx,
  { caller, id, secret, mayComeFromOtherSite }: ReplyRequest,
): Promise<CheckedReply> {
  const now = backend.now();
  const invitation = await tx.invitations.get(id);
  requireOpenInvitationTo({ ...caller, secret }, invitation, now);
  // If the request has only a cookie, the secret of a mailed link shows that the recipient opened the link: nobody else
  // knows this secret. The secret of a shared invitation shows nothing: its sender also knows it, and could lead
  // somebody's browser to the link.
  const mayWrite = !mayComeFromOtherSite || (!isShared(invitation) && hasSecret(invitation, secret));
  const email = invitation.email ?? verifiedEmailOf(caller);
  return { caller, email, id, invitation, mayWrite, now };
}

/** @throws Refusal as `refusalWithoutSender` and `requireSeat`; `team_not_found`, `already_member` */
async function requireCanJoin(db: Db, tx: Tx, reply: CheckedReply): Promise<{ team: Team; sender: Member }> {
  const { caller, invitation, mayWrite, now } = reply;
  const { uid } = caller;
  const { teamId } = invitation;
  const [team, sender] = await Promise.all([tx.teams.get(teamId), findSender(tx, invitation)]);
  if (team === undefined || isBeingDeleted(team)) throw refusal('team_not_found');
  if (sender === undefined) throw refusalWithoutSender(invitation);
  // If the reply may write, it creates the membership. If there is one already, the commit fails and `acceptInvitation`
  // refuses. If the reply may not write, the membership is read here.
  if (!mayWrite && (await tx.members(teamId).exists(uid))) throw refusal('already_member');
  await requireSeat(db, tx, { uid, invitation, team, now });
  return { team, sender };
}

function addMember(tx: Tx, { caller, email, invitation, now }: CheckedReply): void {
  const { uid, displayName = null } = caller;
  const { teamId, role } = invitation;
  tx.members(teamId).create(uid, { uid, role, email, displayName, joinedAt: now });
}

function writeReply(
  tx: Tx,
  { caller, id, invitation, now }: CheckedReply,
  status: 'accepted' | 'rejected',
): void {
  const { teamId, email, role } = invitation;
  tx.invitations.update(id, closingChange(status, now));
  tx.audit.record({
    teamId,
    actorId: caller.uid,
    action: `invitation.${status}`,
    target: id,
    at: now,
    details: { email, role },
  });
}
