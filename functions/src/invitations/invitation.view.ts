import { INVITATION_LINKS } from '@hearth/shared/invitation-links';
import * as z from 'zod';
import { instant } from '../common/instant.ts';
import { cleanTeamName } from '../common/name.ts';
import type { Invitation } from '../firestore/documents/invitation.ts';
import type { Config } from '../settings/config.ts';
import { roleSchema } from '../teams/team.schema.ts';
import { LISTED_STATUSES, listedStatusOf } from './invitation.ts';

/**
 * `linksOf` makes these links. In a browser with a session cookie, only the links of the latest mail reply. All other
 * links lead to the dashboard.
 */
const links = { acceptUrl: z.url(), rejectUrl: z.url() };

/** An invitation as its sender sees it. */
export const invitationView = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    role: roleSchema,
    expiresAt: instant,
    ...links,
  })
  .meta({ id: 'Invitation' });

export type InvitationView = z.output<typeof invitationView>;

/** A shared invitation. Its links have the secret, so everybody who has a link can reply. */
export const sharedInvitationView = z
  .strictObject({ id: z.string(), role: roleSchema, expiresAt: instant, ...links })
  .meta({ id: 'InvitationLink' });

export type SharedInvitation = z.output<typeof sharedInvitationView>;

/** The result for one address. A request that invites only this address has the same result. */
export const bulkResult = z
  .union([
    z.strictObject({
      email: z.string(),
      status: z.union([z.literal(200), z.literal(201)]),
      invitation: invitationView,
    }),
    z.strictObject({ email: z.string(), status: z.int().min(400), error: z.string(), code: z.string() }),
  ])
  .meta({ id: 'InvitationResult' });

export type BulkResult = z.output<typeof bulkResult>;

export const listedStatusSchema = z.enum(LISTED_STATUSES).meta({ id: 'ListedInvitationStatus' });

export const listedInvitation = z
  .strictObject({
    id: z.string(),
    email: z.string().nullable().describe('Null for a shared invitation.'),
    role: roleSchema,
    status: listedStatusSchema,
    invitedBy: z.string().describe('The uid of the sender. A pseudonym if their account was deleted.'),
    createdAt: instant,
    expiresAt: instant,
    respondedAt: instant.nullable(),
  })
  .meta({ id: 'ListedInvitation' });

export type ListedInvitation = z.output<typeof listedInvitation>;

/** An invitation as its recipient sees it. */
export const receivedInvitationView = z
  .strictObject({
    id: z.string(),
    teamId: z.string(),
    teamName: z.string(),
    role: roleSchema,
    expiresAt: instant,
    ...links,
  })
  .meta({ id: 'ReceivedInvitation' });

export type ReceivedInvitation = z.output<typeof receivedInvitationView>;

/** An invitation as a visitor sees it. The visitor has the link with the secret. */
export const invitationForVisitor = z
  .strictObject({
    teamName: z.string(),
    role: roleSchema,
    email: z
      .string()
      .nullable()
      .describe(
        'The address of the recipient. Null for a shared invitation, which anybody with its link may use.',
      ),
    senderName: z.string().nullable(),
    senderEmail: z.string().nullable(),
    expiresAt: instant,
  })
  .meta({ id: 'LinkedInvitation' });

export type LinkedInvitation = z.output<typeof invitationForVisitor>;

export function invitationViewOf(
  config: Config,
  id: string,
  { email, role, expiresAt }: Pick<Invitation, 'role' | 'expiresAt'> & { email: string },
): InvitationView {
  return { id, email, role, expiresAt: expiresAt.toISOString(), ...linksOf(config, id) };
}

export function listedViewOf(now: Date, id: string, invitation: Invitation): ListedInvitation {
  const { email, role, invitedBy, createdAt, expiresAt, respondedAt } = invitation;
  return {
    id,
    email,
    role,
    status: listedStatusOf(invitation, now),
    invitedBy,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    respondedAt: respondedAt?.toISOString() ?? null,
  };
}

export function receivedViewOf(config: Config, id: string, invitation: Invitation): ReceivedInvitation {
  const { teamId, role, expiresAt } = invitation;
  const teamName = cleanTeamName(invitation.teamName);
  return { id, teamId, teamName, role, expiresAt: expiresAt.toISOString(), ...linksOf(config, id) };
}

/** @param secret only for the links of a mail and of a shared invitation */
export function linksOf(
  { appUrl }: Pick<Config, 'appUrl'>,
  id: string,
  secret?: string,
): { acceptUrl: string; rejectUrl: string } {
  const name = secret === undefined ? id : `${id}.${secret}`;
  const link = (path: string) => `${appUrl}${path}?invitationId=${name}`;
  return { acceptUrl: link(INVITATION_LINKS.accept), rejectUrl: link(INVITATION_LINKS.reject) };
}

export const acceptedView = z.strictObject({ teamId: z.string() });

export type AcceptedView = z.output<typeof acceptedView>;
