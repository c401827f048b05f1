import { verifiedEmailOf, type Caller } from '../../auth/caller.ts';
import { requireExistingUser } from '../../auth/users/require-existing-user.ts';
import type { Backend } from '../../backend.ts';
import type { Db, Tx } from '../../firestore/db.ts';
import type { Invitation } from '../../firestore/documents/invitation.ts';
import type { Member } from '../../firestore/documents/member.ts';
import type { Team } from '../../firestore/documents/team.ts';
import { isAlreadyExists } from '../../firestore/failures.ts';
import type { MaybeDamaged } from '../../firestore/query.ts';
import { refusal } from '../../refusals/refusals.ts';
import { enqueueSeatSyncOrLog } from '../../teams/enqueue-billing-syncs.ts';
import { isBeingDeleted } from '../../teams/team.ts';
import { writeJoinedMail } from '../invitation-mail.store.ts';
import { pendingFor } from '../invitation.store.ts';
import {
  closingChange,
  hasSecret,
  isShared,
  requireOpenInvitationTo,
  refusalForSenderWithoutRight,
} from '../invitation.ts';
import { hasSeatFor } from '../seats.store.ts';
import { findSender } from '../sender.store.ts';

export interface ReplyRequest {
  caller: Caller;
  id: string;
  /** The secret of the link; undefined for a link without a secret. */
  secret?: string | undefined;
  /**
   * True for a link that was opened with a session cookie: another site can lead the caller's browser to the link.
   * False for an ID token or a POST, which another site cannot send.
   */
  mayComeFromOtherSite: boolean;
}

export interface ReplyResult {
  teamId: string;
  /** If true, nothing was written, and the user replies on the dashboard. */
  needsConfirmation: boolean;
  isShared: boolean;
}

/**
 * Makes the caller a member with the invited role. A shared invitation also cancels the pending invitation of the
 * caller's address. One transaction checks and writes, so only one of several concurrent requests succeeds. The seats
 * are usually counted outside of the transaction: see `hasSeatFor`.
 *
 * If the result has `needsConfirmation`, everything was checked, and nothing was written.
 *
 * @throws Refusal as `requireOpenInvitationTo`, `requireCanJoin` and `requireExistingUser`; `already_member`
 */
export async function acceptInvitation(backend: Backend, request: ReplyRequest): Promise<ReplyResult> {
  try {
    const { team, ...result } = await backend.db.run(async (tx) => {
      const reply = await checkReply(backend, tx, request);
      const { team, sender } = await requireCanJoin(backend.db, tx, reply);
      if (!reply.needsConfirmation) {
        const toCancel = await findPendingInvitationOfAddress(tx, reply);
        await requireExistingUser(backend, tx, request.caller.uid);
        addMember(tx, reply);
        writeReply(tx, reply, 'accepted');
        for (const found of toCancel) cancelReplaced(tx, reply, found);
        writeJoinedMail(tx, backend.config, { ...reply, team, sender });
      }
      return { team, ...resultOf(reply) };
    });
    if (!result.needsConfirmation) await enqueueSeatSyncOrLog(backend, result.teamId, team);
    return result;
  } catch (error) {
    // The existing document is the membership: its id is the uid. All other documents that are created have new ids.
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
    if (!reply.needsConfirmation) writeReply(tx, reply, 'rejected');
    return resultOf(reply);
  });
}

interface CheckedReply {
  caller: Caller;
  /** The verified address of the caller; null if there is none. */
  email: string | null;
  id: string;
  invitation: Invitation;
  /** If true, nothing is written. Accepting checks the sender and the seat nevertheless. */
  needsConfirmation: boolean;
  now: Date;
}

/** Reads the invitation. Requires that it is open, and that the caller is its recipient. */
async function checkReply(backend: Backend, tx: Tx, request: ReplyRequest): Promise<CheckedReply> {
  const { caller, id, secret } = request;
  const now = backend.now();
  const invitation = await tx.invitations.get(id);
  requireOpenInvitationTo({ caller, secret }, invitation, now);
  const needsConfirmation = request.mayComeFromOtherSite && !hasMailedSecret(invitation, secret);
  // `requireOpenInvitationTo` has checked that the invited address is the caller's verified one.
  const email = invitation.email ?? verifiedEmailOf(caller);
  return { caller, email, id, invitation, needsConfirmation, now };
}

/**
 * True if the link has the secret of a mail. Only the recipient of the mail knows this secret, so no other person can
 * lead the caller's browser to the link. The sender of a shared invitation knows its secret, and could lead any browser
 * to the link. Therefore the secret of a shared invitation proves nothing.
 */
function hasMailedSecret(invitation: Invitation, secret: string | undefined): boolean {
  return !isShared(invitation) && hasSecret(invitation, secret);
}

/** @throws Refusal `team_not_found`, `shared_link_closed`, `invitation_cancelled`, `already_member`, `no_seat` */
async function requireCanJoin(db: Db, tx: Tx, reply: CheckedReply): Promise<{ team: Team; sender: Member }> {
  const { caller, invitation, needsConfirmation, now } = reply;
  const { teamId } = invitation;
  const [team, sender] = await Promise.all([tx.teams.get(teamId), findSender(tx, invitation)]);
  if (team === undefined || isBeingDeleted(team)) throw refusal('team_not_found');
  if (sender === undefined) throw refusalForSenderWithoutRight(invitation);
  const hasSeat = await hasSeatFor(db, tx, { invitation, team, now });
  // The commit of `addMember` refuses a caller who is already a member. Without a seat, or if a confirmation is needed,
  // `addMember` will not run, so the membership is read here.
  if (!hasSeat || needsConfirmation) await requireNoMembership(tx, teamId, caller.uid);
  if (!hasSeat) throw refusal('no_seat');
  return { team, sender };
}

async function requireNoMembership(tx: Tx, teamId: string, uid: string): Promise<void> {
  if (await tx.members(teamId).exists(uid)) throw refusal('already_member');
}

/**
 * The pending invitation of the caller's address, if the caller joins by a shared invitation. It would hold a second
 * seat for the new member. The list has at most one invitation.
 */
async function findPendingInvitationOfAddress(
  tx: Tx,
  { email, invitation }: CheckedReply,
): Promise<MaybeDamaged<Invitation>[]> {
  if (!isShared(invitation) || email === null) return [];
  return pendingFor(tx, invitation.teamId, email).limit(1).findWithDamaged();
}

function cancelReplaced(
  tx: Tx,
  { caller, email, id: replacedBy, invitation: { teamId }, now }: CheckedReply,
  { id, data }: MaybeDamaged<Invitation>,
): void {
  tx.invitations.update(id, closingChange('cancelled', now));
  const details = { email, ...(data !== undefined && { role: data.role }), replacedBy };
  tx.audit.record({
    teamId,
    actorId: caller.uid,
    action: 'invitation.cancelled',
    target: id,
    at: now,
    details,
  });
}

/** The commit fails if the caller is a member already: see `acceptInvitation`. */
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

function resultOf({ invitation, needsConfirmation }: CheckedReply): ReplyResult {
  return { teamId: invitation.teamId, needsConfirmation, isShared: isShared(invitation) };
}
