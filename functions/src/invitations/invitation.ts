import type { Timestamp } from 'firebase-admin/firestore';
import * as z from 'zod';
import type { Caller } from '../auth/caller.ts';
import { refuse } from '../refusals.ts';
import type { Role } from '../teams/roles.ts';

/** Expired is not stored: it follows from `expiresAt`, because a document outlives its time until it is swept. */
export type InvitationStatus = 'pending' | 'accepted' | 'rejected' | 'cancelled';

/** How invitations are told apart to people: what is pending here can be accepted. */
export const LISTED_STATUSES = ['pending', 'accepted', 'rejected', 'cancelled', 'expired'] as const;

export type ListedStatus = (typeof LISTED_STATUSES)[number];

/** `invitations/{invitationId}` */
export interface Invitation {
  teamId: string;
  teamName: string;
  /** Of the recipient, lower case. */
  email: string;
  role: Role;
  status: InvitationStatus;
  /**
   * The uid of the member who sent it last, and who must still be allowed to when it is accepted; a pseudonym if their
   * account was deleted.
   */
  invitedBy: string;
  /** SHA-256 of the secret in the links of the last mail; see secret.ts. */
  secretHash?: string;
  createdAt: Timestamp;
  expiresAt: Timestamp;
  respondedAt: Timestamp | null;
  /** When Firestore's TTL policy or the sweep removes the document; no state depends on it. */
  deleteAt: Timestamp;
}

/** How long an invitation can be looked up after its time. The audit log keeps what became of it. */
const KEPT_AFTER_EXPIRY_MS = 90 * 86_400_000;

export function lifeFrom(now: Date, days: number): { expiresAt: Date; deleteAt: Date } {
  const expiresAt = new Date(now.getTime() + days * 86_400_000);
  return { expiresAt, deleteAt: new Date(expiresAt.getTime() + KEPT_AFTER_EXPIRY_MS) };
}

/** 160 random bits in hex: nobody guesses one, and no mail program changes its case to another one. */
export const INVITATION_ID = /^[0-9a-f]{40}$/;

/** Content of a link: the id of an invitation and, in a mailed link, the secret that only the mail contains. */
export interface InvitationLink {
  id: string;
  secret: string | undefined;
}

/** The query parameter of an invitation link: `<id>.<secret>` in a mail, `<id>` in any other place. */
export const invitationLinkSchema = z
  .string({ error: 'The invitation link is incomplete.' })
  .regex(/^[0-9a-f]{40}(\.[0-9a-f]{40})?$/, 'The invitation link is malformed.')
  .transform((text): InvitationLink => {
    const [id = '', secret] = text.split('.');
    return { id, secret };
  });

export const isExpired = (invitation: Pick<Invitation, 'expiresAt'>, now: Date): boolean =>
  invitation.expiresAt.toMillis() <= now.getTime();

/**
 * Lets only the recipient of an open invitation through. Who asks is judged before the invitation's state, so that a
 * stranger with the link learns nothing of it.
 *
 * @throws Refusal 404 unknown, 403 not the recipient or e-mail unverified, 409 answered, 410 cancelled or expired
 */
export function assertOpenFor(
  caller: Pick<Caller, 'email' | 'emailVerified'>,
  invitation: Invitation | undefined,
  now: Date,
): asserts invitation is Invitation {
  if (invitation === undefined) throw unknownInvitation();
  if (caller.email?.toLowerCase() !== invitation.email) {
    throw refuse('not_recipient');
  }
  if (!caller.emailVerified) {
    throw refuse('email_unverified', { act: 'answer invitations' });
  }
  assertPending(invitation);
  if (isExpired(invitation, now)) throw refuse('invitation_expired');
}

/**
 * Lets through what can still change: accepted, rejected and cancelled are final.
 *
 * @throws Refusal 409 answered, 410 cancelled
 */
export function assertPending({ status }: Pick<Invitation, 'status'>): void {
  switch (status) {
    case 'accepted':
      throw refuse('already_accepted');
    case 'rejected':
      throw refuse('already_rejected');
    case 'cancelled':
      throw cancelled();
    case 'pending':
  }
}

export const cancelled = () => refuse('invitation_cancelled');

export const unknownInvitation = () => refuse('invitation_not_found');
