import { ASK_FOR_INVITATION } from '@hearth/shared/invitation-links';
import { htmlPage, json } from '../../http/answer.ts';
import { htmlNotice } from '../../http/pages/html.ts';
import { route, type Route } from '../../http/route.ts';
import { pageTexts } from '../../http/texts/page-texts.ts';
import { RATE_LIMITS } from '../../settings/rate-limits.ts';
import { linkQuery } from '../invitation.ts';
import { invitationForVisitor } from '../invitation.view.ts';
import { askForInvitation } from './ask.service.ts';
import { describeInvitation } from './describe.service.ts';

const tag = 'Invitations';

const describeInvitationRoute = route({
  id: 'describeInvitation',
  method: 'get',
  path: '/api/team/invitation',
  tag,
  summary: 'Describe the invitation of a link',
  description:
    'Returns who invites to which team, for the sign-in page of a signed-out visitor. Needs the secret of the link.',
  access: 'public',
  limits: [{ limit: RATE_LIMITS.linksWithoutSignIn, by: 'ip-per-instance' }],
  query: linkQuery,
  answers: { 200: json('The invitation.', invitationForVisitor) },
  refusals: [
    'invitation_not_found',
    'already_accepted',
    'already_rejected',
    'invitation_cancelled',
    'invitation_expired',
    'unknown_link',
    'busy',
  ],
  handler: async ({ backend, query: { invitationId: link } }) => ({
    status: 200,
    body: await describeInvitation(backend, link),
  }),
});

const askForInvitationRoute = route({
  id: 'askForInvitation',
  method: 'post',
  path: ASK_FOR_INVITATION,
  tag,
  summary: 'Ask for a new invitation',
  description:
    'Mails the sender of an invitation: the recipient asks for a new invitation. Needs the secret of a mailed link. The error pages of invitation links have a button that sends this request.',
  access: 'public',
  appCheck: false,
  errorShape: 'page-or-json',
  limits: [{ limit: RATE_LIMITS.linksWithoutSignIn, by: 'ip-per-instance' }],
  query: linkQuery,
  answers: { 200: htmlPage('A page that confirms the request. A repeated request sends no second mail.') },
  refusals: ['invitation_not_found', 'already_accepted', 'team_not_found', 'busy'],
  handler: async ({ backend, query: { invitationId: link }, request }) => {
    await askForInvitation(backend, link);
    const texts = pageTexts(request);
    return { status: 200, html: htmlNotice(texts, texts.asked) };
  },
});

/** For visitors who have the link of an invitation, signed in or not. */
export const visitorRoutes: readonly Route[] = [describeInvitationRoute, askForInvitationRoute];
