import { randomBytes } from 'node:crypto';
import type {
  CollectionReference,
  DocumentReference,
  Firestore,
  Query,
  Transaction,
} from 'firebase-admin/firestore';
import { collectionOf, type Writable } from '../firestore/documents.ts';
import { readPageLegacy, type Page, type PageOf } from '../firestore/page.ts';
import type { Role } from '../teams/roles.ts';
import type { Invitation, InvitationStatus, ListedStatus } from './invitation.ts';

export type NewInvitation = Omit<Writable<Invitation>, 'status' | 'respondedAt'>;

export function invitationRef(firestore: Firestore, id: string): DocumentReference<Invitation> {
  return invitations(firestore).doc(id);
}

export function newInvitationId(): string {
  return randomBytes(20).toString('hex');
}

/** Everything of a team, whatever has become of it. */
export function invitationsOfTeam(firestore: Firestore, teamId: string): Query<Invitation> {
  return invitations(firestore).where('teamId', '==', teamId);
}

/** All invitations to an address, in any state. */
export function invitationsTo(firestore: Firestore, email: string): Query<Invitation> {
  return invitations(firestore).where('email', '==', email);
}

/** All invitations sent by a user, in any state. */
export function invitationsBy(firestore: Firestore, uid: string): Query<Invitation> {
  return invitations(firestore).where('invitedBy', '==', uid);
}

/** The invitations of a team that still can be accepted. */
export function openInvitations(firestore: Firestore, teamId: string, now: Date): Query<Invitation> {
  return withStatus(invitationsOfTeam(firestore, teamId), 'pending', now);
}

/** Invitations whose documents nobody needs any more, longest past first. */
export function outdatedInvitations(firestore: Firestore, now: Date): Query<Invitation> {
  return invitations(firestore).where('deleteAt', '<=', now).orderBy('deleteAt');
}

/** Those of an address and a team that nobody has answered or cancelled, expired or not: one at most. */
export function pendingFor(firestore: Firestore, teamId: string, email: string): Query<Invitation> {
  return invitationsOfTeam(firestore, teamId).where('email', '==', email).where('status', '==', 'pending');
}

/** Pending invitations of a sender with one of these roles, expired or not. */
export function pendingOfSender(
  firestore: Firestore,
  { teamId, uid, roles }: { teamId: string; uid: string; roles: readonly Role[] },
): Query<Invitation> {
  const sent = invitationsOfTeam(firestore, teamId).where('invitedBy', '==', uid);
  return sent.where('status', '==', 'pending').where('role', 'in', roles);
}

/** Invitations of a team in one state, latest expiry first. */
export function readInvitationsOfTeam<Item>(
  firestore: Firestore,
  { teamId, status, now }: { teamId: string; status: ListedStatus; now: Date },
  page: Page,
  view: (id: string, invitation: Invitation) => Item,
): Promise<PageOf<Item>> {
  return readPageLegacy(
    withStatus(invitationsOfTeam(firestore, teamId), status, now),
    page,
    LATEST_EXPIRY,
    view,
  );
}

/** What an address can still accept, in all teams, latest expiry first. */
export function readOpenInvitationsFor<Item>(
  firestore: Firestore,
  { email, now }: { email: string; now: Date },
  page: Page,
  view: (id: string, invitation: Invitation) => Item,
): Promise<PageOf<Item>> {
  const own = invitations(firestore).where('email', '==', email);
  return readPageLegacy(withStatus(own, 'pending', now), page, LATEST_EXPIRY, view);
}

export function createInvitation(
  transaction: Transaction,
  firestore: Firestore,
  id: string,
  invitation: NewInvitation,
): void {
  transaction.create(firestore.doc(`invitations/${id}`), {
    ...invitation,
    status: 'pending',
    respondedAt: null,
  });
}

/** Gives a pending invitation a new life; the caller has read it in the same transaction. */
export function renewInvitation(
  transaction: Transaction,
  firestore: Firestore,
  id: string,
  renewed: Pick<NewInvitation, 'teamName' | 'invitedBy' | 'secretHash' | 'expiresAt' | 'deleteAt'>,
): void {
  transaction.update(firestore.doc(`invitations/${id}`), renewed);
}

/** Ends a pending invitation; the caller has read it in the same transaction. */
export function closeInvitation(
  transaction: Transaction,
  firestore: Firestore,
  id: string,
  status: Exclude<InvitationStatus, 'pending'>,
  now: Date,
): void {
  transaction.update(firestore.doc(`invitations/${id}`), { status, respondedAt: now });
}

const LATEST_EXPIRY = { by: 'expiresAt', direction: 'desc' } as const;

function withStatus(query: Query<Invitation>, status: ListedStatus, now: Date): Query<Invitation> {
  if (status === 'expired') return query.where('status', '==', 'pending').where('expiresAt', '<=', now);
  if (status === 'pending') return query.where('status', '==', 'pending').where('expiresAt', '>', now);
  return query.where('status', '==', status);
}

function invitations(firestore: Firestore): CollectionReference<Invitation> {
  return collectionOf<Invitation>(firestore, 'invitations');
}
