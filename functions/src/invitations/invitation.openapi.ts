import * as z from 'zod';
import { empty, json, merge, redirect, type ErrorCodes, type Operation } from '../openapi/operation.ts';
import { pageOf, pageSchema } from '../firestore/page.ts';
import { TEAM_ERRORS } from '../teams/team.openapi.ts';
import { teamIdSchema } from '../teams/team.schema.ts';
import { invitationLinkSchema } from './invitation.ts';
import { keySchema, listSchema, ownKeySchema } from './invitation.routes.ts';
import {
  acceptedView,
  bulkResult,
  invitationView,
  listedInvitation,
  ownInvitation,
} from './invitation.view.ts';
import { inviteSchema } from './invite.schema.ts';

const invitations = '/api/auth/teams/{teamId}/invitations';
const params = z.object({ teamId: teamIdSchema });

const ANSWERED: ErrorCodes = {
  404: ['invitation_not_found'],
  409: ['already_accepted', 'already_rejected'],
  410: ['invitation_cancelled'],
};

/** Of the recipient's, whichever way they answer. */
const REFUSED = merge(ANSWERED, {
  403: ['not_recipient', 'email_unverified'],
  410: ['invitation_expired'],
  503: ['busy'],
});

/** The pause between two mails, and the limit of a mailbox. */
const MAILED_ENOUGH: ErrorCodes = { 429: ['resend_too_soon', 'recipient_limit'] };

const NOT_JOINED: ErrorCodes = { 403: ['no_seat'], 404: ['team_not_found'], 409: ['already_member'] };

/**
 * Opened in a browser tab; signed out, it leads to the sign-in page and back. It answers the invitation for a request with
 * an ID token, or with the secret of the mail.
 */
const link = (id: string, action: 'accept' | 'reject', summary: string): Operation => ({
  id,
  method: 'get',
  path: `/api/team/${action}-invitation`,
  summary,
  query: z.object({ invitationId: invitationLinkSchema }),
  answers: {
    303: redirect(
      'To the dashboard, with `invitation` where nothing was answered, or to the sign-in page with this address as `callback`.',
    ),
  },
  errors: merge(REFUSED, action === 'accept' ? NOT_JOINED : {}, {
    400: ['invalid_request'],
    403: ['not_a_navigation'],
    405: ['method_not_allowed'],
  }),
  errorShape: 'html',
});

export const INVITATION_OPERATIONS: readonly Operation[] = [
  {
    id: 'invite',
    method: 'post',
    path: invitations,
    summary: 'Invites one address or up to 50.',
    params,
    body: inviteSchema,
    answers: {
      200: json(
        'The open invitation that the address has already; for several addresses what came of each.',
        z.union([invitationView, z.strictObject({ results: z.array(bulkResult) })]),
      ),
      201: json('The new invitation.', invitationView),
    },
    errors: merge(TEAM_ERRORS, MAILED_ENOUGH, {
      403: ['no_seat', 'email_unverified'],
      409: ['already_member'],
    }),
    limited: true,
  },
  {
    id: 'listInvitations',
    method: 'get',
    path: invitations,
    summary: "Lists a team's invitations, latest expiry first.",
    params,
    query: listSchema,
    answers: { 200: json('One page of them.', pageOf('invitations', listedInvitation)) },
    errors: TEAM_ERRORS,
  },
  {
    id: 'resendInvitation',
    method: 'post',
    path: `${invitations}/{id}/resend`,
    summary: 'Sends an invitation again, with a new expiry.',
    params: keySchema,
    answers: { 200: json('The invitation.', invitationView) },
    errors: merge(TEAM_ERRORS, ANSWERED, MAILED_ENOUGH, { 403: ['no_seat', 'email_unverified'] }),
    limited: true,
  },
  {
    id: 'cancelInvitation',
    method: 'delete',
    path: `${invitations}/{id}`,
    summary: 'Withdraws an invitation.',
    params: keySchema,
    answers: { 204: empty('It is withdrawn.') },
    errors: merge(TEAM_ERRORS, ANSWERED),
  },
  {
    id: 'listOwnInvitations',
    method: 'get',
    path: '/api/auth/invitations',
    summary: 'Lists what the caller is invited to.',
    query: pageSchema,
    answers: { 200: json('One page of them.', pageOf('invitations', ownInvitation)) },
    errors: { 403: ['email_unverified'] },
  },
  {
    id: 'acceptOwnInvitation',
    method: 'post',
    path: '/api/auth/invitations/{id}/accept',
    summary: 'Joins the team of an invitation.',
    params: ownKeySchema,
    answers: { 200: json('The team that the caller is in now.', acceptedView) },
    errors: merge(REFUSED, NOT_JOINED),
  },
  {
    id: 'rejectOwnInvitation',
    method: 'post',
    path: '/api/auth/invitations/{id}/reject',
    summary: 'Declines an invitation.',
    params: ownKeySchema,
    answers: { 204: empty('It is declined.') },
    errors: REFUSED,
  },
  link('acceptInvitation', 'accept', 'Joins the team of an invitation, by its mailed link.'),
  link('rejectInvitation', 'reject', 'Declines an invitation, by its mailed link.'),
];
