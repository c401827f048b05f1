import * as z from 'zod';
import { emailSchema } from '../../common/email.ts';
import { documentIdSchema } from '../../firestore/document-id.ts';
import { empty, json } from '../../http/answer.ts';
import { route, type Route } from '../../http/route.ts';
import { adminInvitationListView, adminInvitationView } from '../admin.view.ts';
import { operatorOf } from '../operator.service.ts';
import { describeInvitation, findInvitations, resendInvitationAsOperator } from './invitations.service.ts';

const tag = 'Admin';
const path = '/api/admin/invitations/{id}';
const params = z.object({ id: documentIdSchema });

const adminFindInvitationsRoute = route({
  id: 'adminFindInvitations',
  method: 'get',
  path: '/api/admin/invitations',
  tag,
  summary: 'Find invitations to an address',
  description: 'Returns invitations to an address, which may have no account, in any state. At most 20.',
  operatorsOnly: true,
  query: z.strictObject({ email: emailSchema }),
  answers: { 200: json('The invitations.', adminInvitationListView) },
  refusals: [],
  handler: async ({ backend, query: { email } }) => ({
    status: 200,
    body: { invitations: await findInvitations(backend, email) },
  }),
});

const adminGetInvitationRoute = route({
  id: 'adminGetInvitation',
  method: 'get',
  path,
  tag,
  summary: 'Describe an invitation',
  description: 'Returns the document of an invitation without its secret.',
  operatorsOnly: true,
  params,
  answers: { 200: json('The invitation.', adminInvitationView) },
  refusals: ['invitation_not_found'],
  handler: async ({ backend, params: { id } }) => ({
    status: 200,
    body: { id, invitation: await describeInvitation(backend, id) },
  }),
});

const adminResendInvitationRoute = route({
  id: 'adminResendInvitation',
  method: 'post',
  path: `${path}/resend`,
  tag,
  summary: 'Resend an invitation',
  description:
    'Mails a pending invitation again, in the name of its sender, or of the responsible owner if the sender can no longer invite.',
  operatorsOnly: true,
  params,
  answers: { 204: empty('The mail is written.') },
  refusals: [
    'invitation_not_found',
    'team_not_found',
    'user_not_found',
    'forbidden',
    'email_unverified',
    'already_accepted',
    'already_rejected',
    'invitation_cancelled',
    'invitation_is_link',
    'already_member',
    'no_seat',
    'resend_too_soon',
    'recipient_limit',
  ],
  handler: async ({ backend, caller, params: { id } }) => {
    await resendInvitationAsOperator(backend, operatorOf(caller), id);
    return { status: 204 };
  },
});

export const adminInvitationRoutes: readonly Route[] = [
  adminFindInvitationsRoute,
  adminGetInvitationRoute,
  adminResendInvitationRoute,
];
