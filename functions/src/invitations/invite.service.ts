import type { DocumentReference, Firestore, Timestamp, Transaction } from 'firebase-admin/firestore';
import type { Config } from '../config.ts';
import type { Caller } from '../http/caller.ts';
import { conflict, forbidden, notFound } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { can, canGrant, type Role } from '../teams/roles.ts';
import { memberRef, membersRef, teamRef, type Team } from '../teams/team.store.ts';
import { transact } from '../transaction.ts';
import type { Invitation } from './invitation.ts';
import { closeInvitation, createInvitation, newInvitationId, openInvitations } from './invitation.store.ts';

export interface InvitationView {
  id: string;
  email: string;
  role: Role;
  /** ISO 8601, UTC. */
  expiresAt: string;
  acceptUrl: string;
  rejectUrl: string;
}

interface Request {
  teamId: string;
  /** Lower case. */
  email: string;
  role: Role;
}

/**
 * Invites an e-mail address to a team, in one transaction. An invitation that is still open for the same address and
 * role is answered again instead of doubled; one with another role is replaced.
 *
 * @throws HttpError 404 for a team the caller is not in, 403 without the right or a free seat, 409 for a member
 */
export async function invite(
  services: Services,
  config: Config,
  caller: Caller,
  request: Request,
): Promise<{ created: boolean; invitation: InvitationView }> {
  const firestore = await services.firestore();
  return transact(firestore, async (transaction) => {
    const now = services.now();
    const team = await authorize(transaction, firestore, caller, request);
    const { open, seatsTaken } = await inspect(transaction, firestore, request, now);
    if (open?.role === request.role) return { created: false, invitation: view(config, open) };
    if (seatsTaken - (open === undefined ? 0 : 1) >= team.seatLimit) {
      throw forbidden('All seats of the team are taken or promised.', 'no_seat');
    }
    if (open !== undefined) closeInvitation(transaction, open.ref, 'cancelled', now);
    const invitation = draft(config, caller, request, team, now);
    createInvitation(transaction, firestore, invitation.id, invitation.document);
    return { created: true, invitation: view(config, { ...request, ...invitation }) };
  });
}

async function authorize(
  transaction: Transaction,
  firestore: Firestore,
  caller: Caller,
  { teamId, role }: Request,
): Promise<Team> {
  const [team, member] = await Promise.all([
    transaction.get(teamRef(firestore, teamId)),
    transaction.get(memberRef(firestore, teamId, caller.uid)),
  ]);
  const teamData = team.data();
  const memberData = member.data();
  if (teamData === undefined || memberData === undefined) {
    throw notFound('There is no such team.', 'team_not_found');
  }
  if (!can(memberData.role, 'invitation:create')) throw forbidden('Only owners and admins may invite.');
  if (!canGrant(memberData.role, role)) throw forbidden(`Only an owner may invite an ${role}.`);
  return teamData;
}

interface OpenInvitation {
  id: string;
  ref: DocumentReference<Invitation>;
  email: string;
  role: Role;
  expiresAt: Date;
}

async function inspect(
  transaction: Transaction,
  firestore: Firestore,
  { teamId, email }: Request,
  now: Date,
): Promise<{ open: OpenInvitation | undefined; seatsTaken: number }> {
  const members = membersRef(firestore, teamId);
  const open = openInvitations(firestore, teamId, now);
  const [sameMember, sameOpen, memberCount, openCount] = await Promise.all([
    transaction.get(members.where('email', '==', email).limit(1)),
    transaction.get(open.where('email', '==', email).limit(1)),
    transaction.get(members.count()),
    transaction.get(open.count()),
  ]);
  if (!sameMember.empty) throw conflict('This person is a member of the team already.', 'already_member');
  const [found] = sameOpen.docs;
  return {
    open: found && {
      ...found.data(),
      id: found.id,
      ref: found.ref,
      expiresAt: toDate(found.data().expiresAt),
    },
    seatsTaken: memberCount.data().count + openCount.data().count,
  };
}

function draft(config: Config, caller: Caller, request: Request, team: Team, now: Date) {
  const expiresAt = new Date(now.getTime() + config.invitationDays * 86_400_000);
  return {
    id: newInvitationId(),
    expiresAt,
    document: { ...request, teamName: team.name, invitedBy: caller.uid, createdAt: now, expiresAt },
  };
}

function view(
  config: Config,
  { id, email, role, expiresAt }: Pick<OpenInvitation, 'id' | 'email' | 'role' | 'expiresAt'>,
): InvitationView {
  const link = (action: string) => `${config.appUrl}/api/team/${action}-invitation?invitationId=${id}`;
  return {
    id,
    email,
    role,
    expiresAt: expiresAt.toISOString(),
    acceptUrl: link('accept'),
    rejectUrl: link('reject'),
  };
}

const toDate = (timestamp: Timestamp): Date => timestamp.toDate();
