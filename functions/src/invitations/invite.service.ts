import type { Firestore, Transaction } from 'firebase-admin/firestore';
import { recordAudit, type AuditAction } from '../audit/audit-log.store.ts';
import type { Config } from '../settings/config.ts';
import type { Caller } from '../auth/caller.ts';
import { Refusal, refuse } from '../refusals.ts';
import { Mailboxes } from '../mail/recipient.store.ts';
import { cleanTeamName } from '../common/name.ts';
import type { Backend } from '../backend.ts';
import { authorizeLegacy } from '../teams/authorize.ts';
import { membersRef } from '../teams/member.store.ts';
import { canHandle, type Role } from '../teams/roles.ts';
import type { Team } from '../teams/team.store.ts';
import { transact } from '../firestore/transaction.ts';
import { isExpired, lifeFrom, type Invitation } from './invitation.ts';
import { closeInvitation, createInvitation, newInvitationId, pendingFor } from './invitation.store.ts';
import { viewOf, type InvitationView } from './invitation.view.ts';
import { assertMayMail, mailInvitation } from './invitation-mail.ts';
import { hashOfSecret, newSecret } from './secret.ts';
import { countSeatsTaken, noSeat } from './seats.ts';
import { maySenderInvite } from './sender.ts';

export interface InviteRequest {
  /** Lower case. */
  email: string;
  role: Role;
}

export interface Invited {
  /** False for the invitation that was open already. */
  created: boolean;
  invitation: InvitationView;
}

/**
 * Invites one address.
 *
 * @throws Refusal as authorize, and what `inviteAll` returns
 */
export async function invite(
  backend: Backend,
  caller: Caller,
  teamId: string,
  request: InviteRequest,
): Promise<Invited> {
  const [outcome = noSeat()] = await inviteAll(backend, caller, teamId, [request]);
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
}

/**
 * Invites e-mail addresses to a team, all in one transaction, each with a result of its own. An invitation that is still
 * open for the same address and role is answered again instead of doubled, if its sender may still invite; any other one
 * that is pending is replaced.
 *
 * @returns for each request in order what came of it, or why it was refused: 403 without a free seat, or where the role
 *   or that of the open invitation is above the caller's, 409 for a member or an address that came before in the list,
 *   429 for an address or a mailbox that was mailed too recently or too often
 * @throws Refusal as authorize
 */
export async function inviteAll(
  backend: Backend,
  caller: Caller,
  teamId: string,
  requests: readonly InviteRequest[],
): Promise<(Invited | Refusal)[]> {
  const { config } = backend;
  assertMayMail(caller);
  const firestore = await backend.firestore();
  return transact(firestore, async (transaction) => {
    const now = backend.now();
    const { team, member } = await authorizeLegacy(
      transaction,
      firestore,
      caller,
      teamId,
      'invitation:create',
    );
    const emails = requests.map(({ email }) => email);
    const [mailboxes, taken, candidates] = await Promise.all([
      Mailboxes.open({ transaction, firestore, config, now }, emails),
      countSeatsTaken(transaction, firestore, teamId, now),
      Promise.all(markRepeats(requests).map((request) => lookUp(transaction, firestore, teamId, request))),
    ]);
    const issue = { transaction, firestore, config, mailboxes, caller, teamId, team, now };
    let free = team.seatLimit - taken;
    return candidates.map((candidate) => {
      const verdict = judge(candidate, member.role, free, now);
      if (verdict instanceof Refusal) return verdict;
      if (verdict !== 'new') return { created: false, invitation: storedViewOf(config, verdict) };
      const tooSoon = mailboxes.refusal({ to: candidate.email, about: teamId });
      if (tooSoon !== undefined) return tooSoon;
      if (!isOpen(candidate.pending, now)) free -= 1;
      return { created: true, invitation: issueInvitation(issue, candidate) };
    });
  });
}

interface Candidate extends InviteRequest {
  isRepeated: boolean;
  isMember: boolean;
  /** Open or expired. */
  pending: StoredInvitation | undefined;
  /** Whether the sender of the pending one may still send it; only read for one with the same role. */
  maySenderInvite: boolean;
}

type StoredInvitation = Invitation & { id: string };

function markRepeats(requests: readonly InviteRequest[]) {
  const seen = new Set<string>();
  return requests.map((request) => {
    const isRepeated = seen.has(request.email);
    seen.add(request.email);
    return { ...request, isRepeated };
  });
}

async function lookUp(
  transaction: Transaction,
  firestore: Firestore,
  teamId: string,
  request: InviteRequest & { isRepeated: boolean },
): Promise<Candidate> {
  const { email } = request;
  const [members, pending] = await Promise.all([
    transaction.get(membersRef(firestore, teamId).where('email', '==', email).limit(1)),
    transaction.get(pendingFor(firestore, teamId, email).limit(1)),
  ]);
  const [found] = pending.docs;
  const invitation = found && { ...found.data(), id: found.id };
  return {
    ...request,
    isMember: !members.empty,
    pending: invitation,
    maySenderInvite:
      invitation?.role === request.role && (await maySenderInvite(transaction, firestore, invitation)),
  };
}

/** The open invitation that serves, `new` for one to make, or a refusal. */
function judge(
  { email, role, isRepeated, isMember, pending, maySenderInvite }: Candidate,
  inviter: Role,
  free: number,
  now: Date,
): StoredInvitation | 'new' | Refusal {
  if (isRepeated) return refuse('duplicate_email', { email });
  if (!canHandle(inviter, role)) return refuse('invite_above_own', { role });
  if (isMember) return refuse('invitee_is_member');
  const open = isOpen(pending, now) ? pending : undefined;
  if (open?.role === role && maySenderInvite) return open;
  if (open !== undefined && !canHandle(inviter, open.role)) {
    return refuse('replace_above_own', { role: open.role });
  }
  return free + (open === undefined ? 0 : 1) >= 1 ? 'new' : noSeat();
}

function isOpen(pending: StoredInvitation | undefined, now: Date): pending is StoredInvitation {
  return pending !== undefined && !isExpired(pending, now);
}

function storedViewOf(config: Config, { id, email, role, expiresAt }: StoredInvitation): InvitationView {
  return viewOf(config, id, { email, role, expiresAt: expiresAt.toDate() });
}

interface Issue {
  transaction: Transaction;
  firestore: Firestore;
  config: Config;
  mailboxes: Mailboxes;
  caller: Caller;
  teamId: string;
  team: Team;
  now: Date;
}

/** Writes an invitation with its mail, in the place of one that is pending for the same address. */
function issueInvitation(issue: Issue, { email, role, pending }: Candidate): InvitationView {
  const { transaction, firestore, config, mailboxes, caller, teamId, team, now } = issue;
  const record = (action: AuditAction, target: string, details: Record<string, string>) => {
    recordAudit(transaction, firestore, {
      teamId,
      actorId: caller.uid,
      action,
      target,
      at: now,
      keptDays: config.auditDays,
      details,
    });
  };
  const id = newInvitationId();
  const secret = newSecret();
  if (pending !== undefined) {
    closeInvitation(transaction, firestore, pending.id, 'cancelled', now);
    record('invitation.cancelled', pending.id, { email, role: pending.role, replacedBy: id });
  }
  const invitation = {
    teamId,
    teamName: cleanTeamName(team.name),
    email,
    role,
    invitedBy: caller.uid,
    secretHash: hashOfSecret(secret),
    createdAt: now,
    ...lifeFrom(now, config.invitationDays),
  };
  createInvitation(transaction, firestore, id, invitation);
  mailInvitation(mailboxes, { config, inviter: caller, id, secret, invitation });
  record('invitation.created', id, { email, role });
  return viewOf(config, id, invitation);
}
