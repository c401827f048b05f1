import * as z from 'zod/mini';
import { ROLES } from '../roles.ts';

/** Expiry is not stored as a status: it follows from `expiresAt`. */
export const INVITATION_STATUSES = ['pending', 'accepted', 'rejected', 'cancelled'] as const;

export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/** `invitations/{invitationId}` */
export const invitationSchema = z.object({
  teamId: z.string(),
  teamName: z.string(),
  /** Address of the recipient, lower case. Null for a shared invitation: one person can join with its link. */
  email: z.nullable(z.string()),
  role: z.enum(ROLES),
  status: z.enum(INVITATION_STATUSES),
  /**
   * The uid of the member who sent the invitation last. A pseudonym if the account of this member was deleted. '' if
   * the document names no sender.
   */
  invitedBy: z.catch(z.string(), ''),
  /**
   * SHA-256 of the secret in the links of the last mail, or in the link of a shared invitation. Missing in documents of
   * an older version.
   */
  secretHash: z.exactOptional(z.string()),
  createdAt: z.date(),
  expiresAt: z.date(),
  /** When it was accepted, rejected or cancelled. */
  respondedAt: z.nullable(z.date()),
  /** When the recipient asked for a new invitation, with the link of the last mail. Missing if they have not. */
  askedAt: z.exactOptional(z.date()),
  /** When Firestore's TTL policy or the sweep deletes the document. */
  deleteAt: z.date(),
});

export type Invitation = z.output<typeof invitationSchema>;
