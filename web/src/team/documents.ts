import { auditEntrySchema } from '@hearth/shared/documents/audit-entry';
import { invitationSchema as storedInvitation } from '@hearth/shared/documents/invitation';
import { memberSchema as storedMember } from '@hearth/shared/documents/member';
import { teamSchema as storedTeam } from '@hearth/shared/documents/team';
import * as z from 'zod/mini';
import { teamTexts } from './texts.ts';

/**
 * The documents in Firestore (docs/data-model.md), as far as the pages show them. A fault in another field hides
 * nothing.
 */

const withId = { id: z.string() };

/** True for the path of a membership. The app may have another collection that is named `members`. */
export function isMembership(path: string): boolean {
  return /^teams\/[^/]+\/members\/[^/]+$/.test(path);
}

/** The document of a membership, found in all teams. */
export const membershipSchema = z.pipe(
  z.extend(z.pick(storedMember, { role: true }), { parentId: z.string() }),
  z.transform(({ parentId, ...rest }) => ({ teamId: parentId, ...rest })),
);

export type Membership = z.output<typeof membershipSchema>;

const shownTeam = z.extend(
  z.pick(storedTeam, {
    name: true,
    slug: true,
    ownerId: true,
    seatLimit: true,
    plan: true,
    addOns: true,
    hasRunningSubscription: true,
    transfer: true,
  }),
  withId,
);

/** Version 0.1 called `hasRunningSubscription` `subscribed`. The document keeps this name until billing changes. */
export const teamSchema = z.pipe(
  z.transform((fields: unknown) =>
    typeof fields === 'object' && fields !== null && 'subscribed' in fields
      ? { hasRunningSubscription: fields.subscribed, ...fields }
      : fields,
  ),
  shownTeam,
);

export type TeamDocument = z.output<typeof teamSchema>;

export type TransferDocument = NonNullable<TeamDocument['transfer']>;

export const memberSchema = z.pick(storedMember, {
  uid: true,
  role: true,
  email: true,
  displayName: true,
  joinedAt: true,
});

export type MemberDocument = z.output<typeof memberSchema>;

export const invitationSchema = z.extend(
  z.pick(storedInvitation, {
    teamId: true,
    teamName: true,
    email: true,
    role: true,
    status: true,
    expiresAt: true,
    respondedAt: true,
  }),
  withId,
);

export type InvitationDocument = z.output<typeof invitationSchema>;

export const auditSchema = z.extend(
  z.pick(auditEntrySchema, { actorId: true, target: true, details: true, at: true }),
  // Any text: the page may be older than the backend.
  { ...withId, action: z.string() },
);

export type AuditDocument = z.output<typeof auditSchema>;

/** The name of a member on the pages. */
export function nameOf({ displayName, email }: Pick<MemberDocument, 'displayName' | 'email'>): string {
  return displayName ?? email ?? teamTexts().withoutName;
}

/**
 * Whether this member is the only owner of the team.
 *
 * @param owners at least two of them, if there are several; undefined until they are known
 */
export function isLastOwner(
  { role }: Pick<MemberDocument, 'role'>,
  owners: readonly MemberDocument[] | undefined,
): boolean {
  return role === 'owner' && (owners === undefined || owners.length < 2);
}
