import { randomBytes } from 'node:crypto';
import type {
  CollectionReference,
  DocumentReference,
  Firestore,
  Query,
  Transaction,
} from 'firebase-admin/firestore';
import { collectionOf } from '../documents.ts';
import type { Invitation, InvitationStatus } from './invitation.ts';

export type NewInvitation = Omit<Invitation, 'status' | 'createdAt' | 'expiresAt' | 'respondedAt'> & {
  createdAt: Date;
  expiresAt: Date;
};

export function invitationRef(firestore: Firestore, id: string): DocumentReference<Invitation> {
  return invitations(firestore).doc(id);
}

export function newInvitationId(): string {
  return randomBytes(20).toString('hex');
}

/** The invitations of a team that still can be accepted. */
export function openInvitations(firestore: Firestore, teamId: string, now: Date): Query<Invitation> {
  return invitations(firestore)
    .where('teamId', '==', teamId)
    .where('status', '==', 'pending')
    .where('expiresAt', '>', now);
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

/** Ends a pending invitation; the caller has read it in the same transaction. */
export function closeInvitation(
  transaction: Transaction,
  ref: DocumentReference<Invitation>,
  status: Exclude<InvitationStatus, 'pending'>,
  now: Date,
): void {
  transaction.update(ref, { status, respondedAt: now });
}

function invitations(firestore: Firestore): CollectionReference<Invitation> {
  return collectionOf<Invitation>(firestore, 'invitations');
}
