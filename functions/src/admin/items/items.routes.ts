import * as z from 'zod';
import { emailSchema } from '../../common/email.ts';
import { empty, json } from '../../http/answer.ts';
import { route, type Route } from '../../http/route.ts';
import { uidSchema } from '../../teams/team.schema.ts';
import {
  adminInvitationListView,
  adminInvitationView,
  adminSubscriptionView,
  adminUploadView,
} from '../admin.view.ts';
import { operatorOf } from '../operator.ts';
import {
  deleteUploadFor,
  describeInvitation,
  describeSubscription,
  describeUpload,
  findInvitations,
  resendFor,
  syncFor,
} from './items.service.ts';

const tag = 'Admin';
const invitation = '/api/admin/invitations/{id}';
const subscription = '/api/admin/subscriptions/{id}';
const upload = '/api/admin/uploads/{id}';
/** The ids have the same form as uids: text that can name a document. */
const params = z.object({ id: uidSchema });

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
  path: invitation,
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
  path: `${invitation}/resend`,
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
    'no_seat',
    'resend_too_soon',
    'recipient_limit',
  ],
  handler: async ({ backend, caller, params: { id } }) => {
    await resendFor(backend, operatorOf(caller), id);
    return { status: 204 };
  },
});

const adminGetSubscriptionRoute = route({
  id: 'adminGetSubscription',
  method: 'get',
  path: subscription,
  tag,
  summary: 'Describe a subscription',
  description: 'Returns the state of a subscription at Stripe, with our copy and its customer.',
  operatorsOnly: true,
  params,
  answers: { 200: json('The subscription.', adminSubscriptionView) },
  refusals: ['subscription_not_found', 'billing_unavailable'],
  handler: async ({ backend, params: { id } }) => ({
    status: 200,
    body: await describeSubscription(backend, id),
  }),
});

const adminSyncSubscriptionRoute = route({
  id: 'adminSyncSubscription',
  method: 'post',
  path: `${subscription}/sync`,
  tag,
  summary: 'Sync a subscription',
  description:
    'Copies a subscription from Stripe now, as an event would, with everything that follows from it.',
  operatorsOnly: true,
  params,
  answers: { 204: empty('The copy is current.') },
  refusals: ['subscription_not_found', 'billing_unavailable'],
  handler: async ({ backend, caller, params: { id } }) => {
    await syncFor(backend, operatorOf(caller), id);
    return { status: 204 };
  },
});

const adminGetUploadRoute = route({
  id: 'adminGetUpload',
  method: 'get',
  path: upload,
  tag,
  summary: 'Describe an upload',
  description: 'Returns the upload record.',
  operatorsOnly: true,
  params,
  answers: { 200: json('The upload.', adminUploadView) },
  refusals: ['upload_not_found'],
  handler: async ({ backend, params: { id } }) => ({
    status: 200,
    body: { id, upload: await describeUpload(backend, id) },
  }),
});

const adminDeleteUploadRoute = route({
  id: 'adminDeleteUpload',
  method: 'delete',
  path: upload,
  tag,
  summary: 'Remove an upload',
  description: 'Removes a file with its variants, and gives its bytes back to the quota.',
  operatorsOnly: true,
  params,
  answers: { 204: empty('The file is removed.') },
  refusals: ['upload_not_found', 'storage_unavailable'],
  handler: async ({ backend, caller, params: { id } }) => {
    await deleteUploadFor(backend, operatorOf(caller), id);
    return { status: 204 };
  },
});

export const adminItemRoutes: readonly Route[] = [
  adminFindInvitationsRoute,
  adminGetInvitationRoute,
  adminResendInvitationRoute,
  adminGetSubscriptionRoute,
  adminSyncSubscriptionRoute,
  adminGetUploadRoute,
  adminDeleteUploadRoute,
];
