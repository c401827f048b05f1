import { ROLES } from '@hearth/shared/roles';
import * as z from 'zod/mini';
import { timestamp } from '../backend/schema.ts';

/** The documents in Firestore (docs/data-model.md), as far as the pages show them. */

const role = z.enum(ROLES);
const nullableText = z._default(z.nullable(z.string()), null);

/** The document of a membership, found in all teams. */
export const membershipSchema = z.pipe(
  z.object({ parentId: z.string(), role }),
  z.transform(({ parentId, ...rest }) => ({ teamId: parentId, ...rest })),
);

export type Membership = z.output<typeof membershipSchema>;

const transferSchema = z.object({
  from: z.string(),
  to: z.string(),
  coOwner: z.boolean(),
  expiresAt: timestamp,
});

export type TransferDocument = z.output<typeof transferSchema>;

export const teamSchema = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  ownerId: z.string(),
  seatLimit: z.number(),
  plan: z.string(),
  /** Whether a subscription of the team is running; missing before the first one. */
  subscribed: z._default(z.boolean(), false),
  /** The offer of the team to a member, open or expired. */
  transfer: z._default(z.nullable(transferSchema), null),
});

export type TeamDocument = z.output<typeof teamSchema>;

export const memberSchema = z.object({
  uid: z.string(),
  role,
  email: nullableText,
  displayName: nullableText,
  joinedAt: timestamp,
});

export type MemberDocument = z.output<typeof memberSchema>;

export const invitationSchema = z.object({
  id: z.string(),
  teamId: z.string(),
  teamName: z.string(),
  email: z.string(),
  role,
  expiresAt: timestamp,
});

export type InvitationDocument = z.output<typeof invitationSchema>;

export const auditSchema = z.object({
  id: z.string(),
  actorId: z.string(),
  /** Any text: the page may be older than the backend. */
  action: z.string(),
  target: z.string(),
  details: z._default(z.record(z.string(), z.nullable(z.string())), {}),
  at: timestamp,
});

export type AuditDocument = z.output<typeof auditSchema>;

/** The name of a member on the pages. */
export function nameOf({ displayName, email }: Pick<MemberDocument, 'displayName' | 'email'>): string {
  return displayName ?? email ?? 'Somebody without a name';
}
