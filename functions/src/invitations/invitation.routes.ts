import * as z from 'zod';
import { pageRequestSchema } from '../firestore/page.ts';
import { empty, json } from '../http/answer.ts';
import { listPageView } from '../http/list-page-view.ts';
import { route, type Route, type RouteLimit } from '../http/route.ts';
import type { RefusalCode } from '../refusals/refusals.ts';
import { RATE_LIMITS } from '../settings/rate-limits.ts';
import { TEAM_REFUSALS, teamParams } from '../teams/team.schema.ts';
import { INVITATION_ID } from './invitation.ts';
import {
  bulkResult,
  sharedInvitationView,
  invitationView,
  listedInvitation,
  listedStatusSchema,
} from './invitation.view.ts';
import { inviteInBulk } from './invite/bulk.service.ts';
import { countAddresses, inviteSchema, schemaFor, sharedSchema } from './invite/invite.schema.ts';
import { invite } from './invite/invite.service.ts';
import { createSharedInvitation } from './invite/shared.service.ts';
import { listInvitations } from './list.service.ts';
import { cancelInvitation, resendInvitation } from './resend-or-cancel.service.ts';

const invitations = '/api/auth/teams/{teamId}/invitations';
const tag = 'Invitations';

const invitationParams = teamParams.extend({
  id: z.string().regex(INVITATION_ID, 'is not an invitation id'),
});

/** Limits of all routes that invite. Most of these routes send mail to people who have not asked for mail. */
const inviteLimits = (points: NonNullable<RouteLimit['points']> = () => 1): RouteLimit[] => [
  { limit: RATE_LIMITS.invitations, by: 'user', points },
  { limit: RATE_LIMITS.invitationsPerIp, by: 'ip-per-instance', points },
];

const MAIL_REFUSALS = [
  'no_seat',
  'email_unverified',
  'resend_too_soon',
  'recipient_limit',
] as const satisfies readonly RefusalCode[];

const CLOSED_REFUSALS = [
  'invitation_not_found',
  'already_accepted',
  'already_rejected',
  'invitation_cancelled',
] as const satisfies readonly RefusalCode[];

const inviteRoute = route({
  id: 'invite',
  method: 'post',
  path: invitations,
  tag,
  summary: 'Invite people',
  description: 'Invites one e-mail address or up to 50. Each gets a mail with links to accept and reject.',
  limits: inviteLimits(({ body }) => countAddresses(body)),
  params: teamParams,
  body: inviteSchema,
  selectBody: schemaFor,
  answers: {
    200: json(
      'The open invitation that the address already has. For several addresses: the result of each.',
      z.union([invitationView, z.strictObject({ results: z.array(bulkResult) })]),
    ),
    201: json('The new invitation.', invitationView),
  },
  refusals: [...TEAM_REFUSALS, ...MAIL_REFUSALS, 'already_member'],
  handler: async ({ backend, caller, params: { teamId }, body }) => {
    if (Array.isArray(body)) {
      return { status: 200, body: { results: await inviteInBulk(backend, caller, teamId, body) } };
    }
    const { created, invitation } = await invite(backend, caller, teamId, body);
    return { status: created ? 201 : 200, body: invitation };
  },
});

const createInvitationLinkRoute = route({
  id: 'createInvitationLink',
  method: 'post',
  path: `${invitations}/link`,
  tag,
  summary: 'Invite by a link',
  description:
    'Makes a shared invitation. It has no address, for example because the recipient has only a phone number. One person can join with its link. Only this answer has the links.',
  limits: inviteLimits(),
  params: teamParams,
  body: sharedSchema,
  answers: { 201: json('The invitation with its links.', sharedInvitationView) },
  refusals: [...TEAM_REFUSALS, 'no_seat', 'email_unverified'],
  handler: async ({ backend, caller, params: { teamId }, body: { role } }) => ({
    status: 201,
    body: await createSharedInvitation(backend, caller, teamId, role),
  }),
});

const listInvitationsRoute = route({
  id: 'listInvitations',
  method: 'get',
  path: invitations,
  tag,
  summary: "List a team's invitations",
  description: 'Lists the invitations of a team that have the requested status, latest expiry first.',
  params: teamParams,
  query: pageRequestSchema.extend({ status: listedStatusSchema.default('pending') }),
  answers: { 200: json('One page of invitations.', listPageView('invitations', listedInvitation)) },
  refusals: TEAM_REFUSALS,
  handler: async ({ backend, caller, params: { teamId }, query }) => {
    const { items, nextCursor } = await listInvitations(backend, caller, teamId, query);
    return { status: 200, body: { invitations: items, nextCursor } };
  },
});

const resendInvitationRoute = route({
  id: 'resendInvitation',
  method: 'post',
  path: `${invitations}/{id}/resend`,
  tag,
  summary: 'Send an invitation again',
  description: 'Mails the invitation again, with new links and a new expiry.',
  limits: inviteLimits(),
  params: invitationParams,
  answers: { 200: json('The invitation.', invitationView) },
  refusals: [...TEAM_REFUSALS, ...CLOSED_REFUSALS, ...MAIL_REFUSALS, 'invitation_is_link', 'already_member'],
  handler: async ({ backend, caller, params }) => ({
    status: 200,
    body: await resendInvitation(backend, caller, params),
  }),
});

const cancelInvitationRoute = route({
  id: 'cancelInvitation',
  method: 'delete',
  path: `${invitations}/{id}`,
  tag,
  summary: 'Cancel an invitation',
  description: 'Cancels a pending invitation and frees its seat. Its links stop working.',
  params: invitationParams,
  answers: { 204: empty('The invitation is cancelled.') },
  refusals: [...TEAM_REFUSALS, ...CLOSED_REFUSALS],
  handler: async ({ backend, caller, params }) => {
    await cancelInvitation(backend, caller, params);
    return { status: 204 };
  },
});

export const invitationRoutes: readonly Route[] = [
  inviteRoute,
  createInvitationLinkRoute,
  listInvitationsRoute,
  resendInvitationRoute,
  cancelInvitationRoute,
];
