import type { Timestamp } from 'firebase-admin/firestore';
import * as z from 'zod';
import type { Caller } from '../http/caller.ts';
import { conflict, forbidden, gone, notFound, type HttpError } from '../http/errors.ts';
import type { Role } from '../teams/roles.ts';

/** Expired is not stored: it follows from `expiresAt`, because a document outlives its time until it is swept. */
export type InvitationStatus = 'pending' | 'accepted' | 'rejected' | 'cancelled';

/** `invitations/{invitationId}` */
export interface Invitation {
  teamId: string;
  teamName: string;
  /** Of the recipient, lower case. */
  email: string;
  role: Role;
  status: InvitationStatus;
  /** The uid of the member who invited. */
  invitedBy: string;
  createdAt: Timestamp;
  expiresAt: Timestamp;
  respondedAt: Timestamp | null;
}

/** 160 random bits in hex: nobody guesses one, and no mail program changes its case to another one. */
export const invitationIdSchema = z
  .string({ error: 'The invitation link is incomplete.' })
  .regex(/^[0-9a-f]{40}$/, 'The invitation link is malformed.');

export const isExpired = (invitation: Pick<Invitation, 'expiresAt'>, now: Date): boolean =>
  invitation.expiresAt.toMillis() <= now.getTime();

/**
 * Lets only the recipient of an open invitation through. Who asks is judged before the invitation's state, so that a
 * stranger with the link learns nothing of it.
 *
 * @throws HttpError 404 unknown, 403 not the recipient or e-mail unverified, 409 answered, 410 cancelled or expired
 */
export function assertOpenFor(
  caller: Pick<Caller, 'email' | 'emailVerified'>,
  invitation: Invitation | undefined,
  now: Date,
): asserts invitation is Invitation {
  if (invitation === undefined) throw notFound('This invitation does not exist.', 'invitation_not_found');
  if (caller.email?.toLowerCase() !== invitation.email) {
    throw forbidden('This invitation is for another e-mail address.', 'not_recipient');
  }
  if (!caller.emailVerified) {
    throw forbidden('Verify your e-mail address first, then open the invitation again.', 'email_unverified');
  }
  const closed = refusalOf(invitation, now);
  if (closed !== undefined) throw closed;
}

function refusalOf(invitation: Invitation, now: Date): HttpError | undefined {
  switch (invitation.status) {
    case 'accepted':
      return conflict('This invitation has already been accepted.', 'already_accepted');
    case 'rejected':
      return conflict('This invitation has already been rejected.', 'already_rejected');
    case 'cancelled':
      return gone('This invitation has been withdrawn.', 'invitation_cancelled');
    case 'pending':
      return isExpired(invitation, now)
        ? gone('This invitation has expired.', 'invitation_expired')
        : undefined;
  }
}
