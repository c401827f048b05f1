import type { Reads } from '../firestore/db.ts';
import type { Invitation } from '../firestore/documents/invitation.ts';
import type { Query } from '../firestore/query.ts';
import type { ListedStatus } from './invitation.ts';

export function invitationsOfTeam(reads: Reads, teamId: string): Query<Invitation> {
  return reads.invitations.where('teamId', '==', teamId);
}

export function invitationsTo(reads: Reads, email: string): Query<Invitation> {
  return reads.invitations.where('email', '==', email);
}

export function invitationsBy(reads: Reads, uid: string): Query<Invitation> {
  return reads.invitations.where('invitedBy', '==', uid);
}

export function openInvitations(reads: Reads, teamId: string, now: Date): Query<Invitation> {
  return onlyOpen(invitationsOfTeam(reads, teamId), now);
}

/** Restricts a query to open invitations. The API lists them with the status `pending`. */
export function onlyOpen(query: Query<Invitation>, now: Date): Query<Invitation> {
  return query.where('status', '==', 'pending').where('expiresAt', '>', now);
}

/** The pending invitation to an address, open or expired. In each team an address has at most one. */
export function pendingFor(reads: Reads, teamId: string, email: string): Query<Invitation> {
  return invitationsOfTeam(reads, teamId).where('email', '==', email).where('status', '==', 'pending');
}

/** Invitations whose `deleteAt` has passed. */
export function outdatedInvitations(reads: Reads, now: Date): Query<Invitation> {
  return reads.invitations.where('deleteAt', '<=', now).orderBy('deleteAt');
}

/** Restricts a query to the invitations that the API lists with this status. */
export function withListedStatus(
  query: Query<Invitation>,
  status: ListedStatus,
  now: Date,
): Query<Invitation> {
  if (status === 'expired') return query.where('status', '==', 'pending').where('expiresAt', '<=', now);
  if (status === 'pending') return onlyOpen(query, now);
  return query.where('status', '==', status);
}

export const LATEST_EXPIRY_FIRST = { by: 'expiresAt', direction: 'desc' } as const;
