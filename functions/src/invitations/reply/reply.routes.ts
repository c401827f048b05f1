import { INVITATION_LINKS } from '@hearth/shared/invitation-links';
import * as z from 'zod';
import type { Caller } from '../../auth/caller.ts';
import { hasAuthorizationHeader } from '../../auth/credentials.ts';
import type { Backend } from '../../backend.ts';
import { withQuery } from '../../common/url.ts';
import { pageRequestSchema } from '../../firestore/page.ts';
import { empty, json, redirect } from '../../http/answer.ts';
import { listPageView } from '../../http/list-page-view.ts';
import { route, type Route, type RouteContext, type GuardDeclaration } from '../../http/route.ts';
import type { RefusalCode } from '../../refusals/refusals.ts';
import { invitationLinkSchema, linkQuery, type InvitationLink } from '../invitation.ts';
import { acceptedView, receivedInvitationView } from '../invitation.view.ts';
import { listReceivedInvitations } from '../list.service.ts';
import { acceptInvitation, rejectInvitation, type ReplyRequest, type ReplyResult } from './reply.service.ts';

const tag = 'Invitations';
const RECEIVED_PATH = '/api/auth/invitations';
/** `link` is `<id>`, or `<id>.<secret>` for a shared invitation. It is parsed to `{ id, secret }`. */
const linkParams = z.object({ link: invitationLinkSchema });

const REPLY_REFUSALS = [
  'invitation_not_found',
  'already_accepted',
  'already_rejected',
  'invitation_cancelled',
  'not_recipient',
  // The code of `reply_unverified`.
  'email_unverified',
  'invitation_expired',
  // The code of `shared_link_closed`.
  'unknown_link',
  'busy',
] as const satisfies readonly RefusalCode[];

const JOIN_REFUSALS = [
  'no_seat',
  'team_not_found',
  'already_member',
] as const satisfies readonly RefusalCode[];

const listReceivedInvitationsRoute = route({
  id: 'listReceivedInvitations',
  method: 'get',
  path: RECEIVED_PATH,
  tag,
  summary: 'List own invitations',
  description: 'Lists the open invitations to the verified e-mail address of the caller.',
  query: pageRequestSchema,
  answers: { 200: json('One page of invitations.', listPageView('invitations', receivedInvitationView)) },
  refusals: ['email_unverified'],
  handler: async ({ backend, caller, query }) => {
    const { items, nextCursor } = await listReceivedInvitations(backend, caller, query);
    return { status: 200, body: { invitations: items, nextCursor } };
  },
});

const acceptInvitationRoute = route({
  id: 'acceptInvitation',
  method: 'post',
  path: `${RECEIVED_PATH}/{link}/accept`,
  tag,
  summary: 'Accept an invitation',
  description: 'Makes the caller a member of the team.',
  params: linkParams,
  answers: { 200: json('The team that the caller has joined.', acceptedView) },
  refusals: [...REPLY_REFUSALS, ...JOIN_REFUSALS],
  handler: async ({ backend, caller, params: { link } }) => {
    const { teamId } = await acceptInvitation(backend, { caller, ...link, mayComeFromOtherSite: false });
    return { status: 200, body: { teamId } };
  },
});

const rejectInvitationRoute = route({
  id: 'rejectInvitation',
  method: 'post',
  path: `${RECEIVED_PATH}/{link}/reject`,
  tag,
  summary: 'Reject an invitation',
  description: 'Rejects an invitation and frees its seat.',
  params: linkParams,
  answers: { 204: empty('The invitation is rejected.') },
  refusals: REPLY_REFUSALS,
  handler: async ({ backend, caller, params: { link } }) => {
    await rejectInvitation(backend, { caller, ...link, mayComeFromOtherSite: false });
    return { status: 204 };
  },
});

/** The declaration of the links that reply, and of unknown paths below `/api/team`. */
export const INVITATION_LINK_DECLARATION = {
  signedOut: 'to-sign-in',
  errorShape: 'page-or-html-fragment',
  back: ({ dashboardPath }) => ({ to: 'dashboard', href: dashboardPath }),
} as const satisfies GuardDeclaration;

/** The common part of the two routes that reply by a link. */
const REPLY_LINK_DECLARATION = {
  ...INVITATION_LINK_DECLARATION,
  linkGuard: 'tab-only',
  method: 'get',
  tag,
  description: [
    'A browser must load the link in a tab. A signed-out visitor is redirected to the sign-in page and back.',
    '',
    '- With an ID token, the request replies to the invitation.',
    '- With a session cookie and the link of the latest mail, it replies, too.',
    '- With a session cookie and any other link, it changes nothing and leads to the dashboard. The user replies there.',
  ].join('\n'),
  query: linkQuery,
  answers: {
    303: redirect(
      'To the dashboard, with `message` (and `team` after accepting), or with `invitation` if the user must reply there.',
    ),
  },
} as const;

const acceptInvitationByLinkRoute = route({
  ...REPLY_LINK_DECLARATION,
  id: 'acceptInvitationByLink',
  path: INVITATION_LINKS.accept,
  summary: 'Accept by link',
  refusals: [...REPLY_REFUSALS, ...JOIN_REFUSALS],
  handler: async ({ backend, caller, query: { invitationId: link }, request }) => {
    const reply = replyRequestOf(caller, link, request);
    const result = await acceptInvitation(backend, reply);
    return toDashboard(
      backend,
      result.needsConfirmation
        ? { invitation: invitationParameter(reply, result) }
        : { message: 'welcome', team: result.teamId },
    );
  },
});

const rejectInvitationByLinkRoute = route({
  ...REPLY_LINK_DECLARATION,
  id: 'rejectInvitationByLink',
  path: INVITATION_LINKS.reject,
  summary: 'Reject by link',
  refusals: REPLY_REFUSALS,
  handler: async ({ backend, caller, query: { invitationId: link }, request }) => {
    const reply = replyRequestOf(caller, link, request);
    const result = await rejectInvitation(backend, reply);
    return toDashboard(
      backend,
      result.needsConfirmation
        ? { invitation: invitationParameter(reply, result) }
        : { message: 'invitation-rejected' },
    );
  },
});

function toDashboard({ config }: Backend, query: Record<string, string>) {
  return { status: 303 as const, location: withQuery(config.dashboardPath, query) };
}

/** The dashboard needs the secret to accept or reject a shared invitation. */
function invitationParameter({ id, secret }: ReplyRequest, { isShared }: ReplyResult): string {
  return isShared && secret !== undefined ? `${id}.${secret}` : id;
}

function replyRequestOf(
  caller: Caller,
  { id, secret }: InvitationLink,
  request: RouteContext['request'],
): ReplyRequest {
  return { caller, id, secret, mayComeFromOtherSite: !hasAuthorizationHeader(request) };
}

export const replyRoutes: readonly Route[] = [
  listReceivedInvitationsRoute,
  acceptInvitationRoute,
  rejectInvitationRoute,
  acceptInvitationByLinkRoute,
  rejectInvitationByLinkRoute,
];
