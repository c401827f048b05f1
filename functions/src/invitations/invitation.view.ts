import type { Config } from '../config.ts';
import type { Writable } from '../documents.ts';
import type { Role } from '../teams/roles.ts';
import { isExpired, type Invitation, type ListedStatus } from './invitation.ts';

/** What who invites gets. */
export interface InvitationView {
  id: string;
  email: string;
  role: Role;
  /** ISO 8601, UTC, as all times here. */
  expiresAt: string;
  acceptUrl: string;
  rejectUrl: string;
}

/** In a team's list. */
export interface ListedInvitation {
  id: string;
  email: string;
  role: Role;
  status: ListedStatus;
  invitedBy: string;
  createdAt: string;
  expiresAt: string;
  respondedAt: string | null;
}

/** What the recipient gets. */
export interface OwnInvitation {
  id: string;
  teamId: string;
  teamName: string;
  role: Role;
  expiresAt: string;
  acceptUrl: string;
  rejectUrl: string;
}

export function viewOf(
  config: Config,
  id: string,
  { email, role, expiresAt }: Pick<Writable<Invitation>, 'email' | 'role' | 'expiresAt'>,
): InvitationView {
  return { id, email, role, expiresAt: expiresAt.toISOString(), ...linksOf(config, id) };
}

export function listedViewOf(now: Date, id: string, invitation: Invitation): ListedInvitation {
  const { email, role, status, invitedBy, createdAt, expiresAt, respondedAt } = invitation;
  return {
    id,
    email,
    role,
    status: status === 'pending' && isExpired(invitation, now) ? 'expired' : status,
    invitedBy,
    createdAt: createdAt.toDate().toISOString(),
    expiresAt: expiresAt.toDate().toISOString(),
    respondedAt: respondedAt?.toDate().toISOString() ?? null,
  };
}

export function ownViewOf(config: Config, id: string, invitation: Invitation): OwnInvitation {
  const { teamId, teamName, role, expiresAt } = invitation;
  return { id, teamId, teamName, role, expiresAt: expiresAt.toDate().toISOString(), ...linksOf(config, id) };
}

export function linksOf(config: Config, id: string): { acceptUrl: string; rejectUrl: string } {
  const link = (action: string) => `${config.appUrl}/api/team/${action}-invitation?invitationId=${id}`;
  return { acceptUrl: link('accept'), rejectUrl: link('reject') };
}
