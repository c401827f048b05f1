import * as z from 'zod';
import { ACCOUNT_MAIL_KINDS } from '../../account/account-mail.service.ts';
import { emailSchema } from '../../common/email.ts';
import { documentIdSchema } from '../../firestore/document-id.ts';
import { empty, json } from '../../http/answer.ts';
import { route, type Route } from '../../http/route.ts';
import { uidSchema } from '../../teams/team.schema.ts';
import { adminMailListView, adminMailOfAddressView } from '../admin.view.ts';
import { operatorOf } from '../operator.service.ts';
import { findMail, listMailTo, resendMail, sendAccountMail } from './mail.service.ts';

const tag = 'Admin';
const mailOfUser = '/api/admin/users/{uid}/mail';
const ofUser = z.object({ uid: uidSchema });

const adminFindMailRoute = route({
  id: 'adminFindMail',
  method: 'get',
  path: '/api/admin/mail',
  tag,
  summary: 'Find mail to an address',
  description:
    'Returns the latest mail to an address, which may have no account, with the state of its delivery, and whether the owner of the mailbox wants mail that others request. At most 20 mails.',
  operatorsOnly: true,
  query: z.strictObject({ email: emailSchema }),
  answers: { 200: json('The mail, the latest first.', adminMailOfAddressView) },
  refusals: [],
  handler: async ({ backend, query: { email } }) => ({ status: 200, body: await findMail(backend, email) }),
});

const adminListMailRoute = route({
  id: 'adminListMail',
  method: 'get',
  path: mailOfUser,
  tag,
  summary: "List a user's mail",
  description: 'Returns the latest mail to the address of a user with the state of its delivery. At most 20.',
  operatorsOnly: true,
  params: ofUser,
  answers: { 200: json('The mail, the latest first.', adminMailListView) },
  refusals: ['user_not_found'],
  handler: async ({ backend, params: { uid } }) => ({
    status: 200,
    body: { mail: await listMailTo(backend, uid) },
  }),
});

const adminSendMailRoute = route({
  id: 'adminSendMail',
  method: 'post',
  path: mailOfUser,
  tag,
  summary: 'Send mail to a user',
  description:
    'Mails a new link or the welcome to the address of the account. Does nothing if an operator sent the same mail less than five minutes ago.',
  operatorsOnly: true,
  params: ofUser,
  body: z
    .strictObject({ kind: z.enum(ACCOUNT_MAIL_KINDS).meta({ id: 'AccountMail' }) })
    .meta({ id: 'AdminMailRequest' }),
  answers: { 204: empty('The mail is on its way.') },
  refusals: ['user_not_found', 'email_missing', 'mail_not_possible'],
  handler: async ({ backend, caller, params: { uid }, body: { kind } }) => {
    await sendAccountMail(backend, operatorOf(caller), uid, kind);
    return { status: 204 };
  },
});

const adminResendMailRoute = route({
  id: 'adminResendMail',
  method: 'post',
  path: '/api/admin/mail/{id}/resend',
  tag,
  summary: 'Resend a mail',
  description:
    'Delivers a stored mail once more, to the address that it has, within five minutes. Does nothing for a mail that is on its way or was sent less than five minutes ago.',
  operatorsOnly: true,
  params: z.object({ id: documentIdSchema }),
  answers: { 204: empty('The mail is on its way.') },
  refusals: ['mail_not_found', 'mail_not_possible'],
  handler: async ({ backend, caller, params: { id } }) => {
    await resendMail(backend, operatorOf(caller), id);
    return { status: 204 };
  },
});

export const adminMailRoutes: readonly Route[] = [
  adminFindMailRoute,
  adminListMailRoute,
  adminSendMailRoute,
  adminResendMailRoute,
];
