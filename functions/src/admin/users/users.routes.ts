import * as z from 'zod';
import { userExportView } from '../../account/export.view.ts';
import { emailSchema } from '../../common/email.ts';
import { empty, jsonDownload, json } from '../../http/answer.ts';
import { route, type Route } from '../../http/route.ts';
import { uidSchema } from '../../teams/team.schema.ts';
import { adminUserView, foundUsersAndTeams, impersonationView } from '../admin.view.ts';
import { findUsersAndTeams } from '../find.service.ts';
import { operatorOf } from '../operator.service.ts';
import { changeAccount } from './change-account.service.ts';
import { impersonationRequestSchema, startImpersonation } from './impersonate.service.ts';
import { deleteUserAsOperator, describeUser, endSessionsOf, exportUserAsOperator } from './users.service.ts';

const tag = 'Admin';
const user = '/api/admin/users/{uid}';
const params = z.object({ uid: uidSchema });

const adminSearchRoute = route({
  id: 'adminSearch',
  method: 'get',
  path: '/api/admin/search',
  tag,
  summary: 'Find users and teams',
  description:
    'Finds users and teams by an e-mail address, a uid, the id or slug of a team, or the id of a customer or subscription at Stripe. The text must match completely.',
  operatorsOnly: true,
  query: z.strictObject({ text: z.string().min(1).max(320) }),
  answers: { 200: json('The matches.', foundUsersAndTeams) },
  refusals: ['billing_unavailable'],
  handler: async ({ backend, query: { text } }) => ({
    status: 200,
    body: await findUsersAndTeams(backend, text),
  }),
});

const adminGetUserRoute = route({
  id: 'adminGetUser',
  method: 'get',
  path: user,
  tag,
  summary: 'Describe a user',
  description: 'Describes a user with everything that is stored about them. Each list has at most 20 items.',
  operatorsOnly: true,
  params,
  answers: { 200: json('The user.', adminUserView) },
  refusals: ['user_not_found'],
  handler: async ({ backend, params: { uid } }) => ({ status: 200, body: await describeUser(backend, uid) }),
});

const adminChangeUserRoute = route({
  id: 'adminChangeUser',
  method: 'patch',
  path: user,
  tag,
  summary: 'Change an account',
  description:
    'Disables or enables an account, or marks its address as verified. Disabling ends all sessions. `verifiedEmail` is the address that the person has proved to be theirs. If it was not verified, the account loses its password, its other sign-in methods, its second factors and its sessions: a stranger may have registered the address. The person chooses a new password by mail.',
  operatorsOnly: true,
  params,
  body: z
    .strictObject({ disabled: z.boolean(), verifiedEmail: emailSchema })
    .partial()
    .refine((change) => Object.keys(change).length > 0, 'Name what to change: disabled or verifiedEmail.'),
  answers: { 204: empty('The account is changed.') },
  refusals: ['user_not_found', 'email_differs'],
  handler: async ({ backend, caller, params: { uid }, body }) => {
    await changeAccount(backend, operatorOf(caller), uid, body);
    return { status: 204 };
  },
});

const adminEndSessionsRoute = route({
  id: 'adminEndSessions',
  method: 'post',
  path: `${user}/end-sessions`,
  tag,
  summary: "End a user's sessions",
  description: 'Ends all sessions and tokens of a user.',
  operatorsOnly: true,
  params,
  answers: { 204: empty('The sessions have ended.') },
  refusals: ['user_not_found'],
  handler: async ({ backend, caller, params: { uid } }) => {
    await endSessionsOf(backend, operatorOf(caller), uid);
    return { status: 204 };
  },
});

const adminExportUserRoute = route({
  id: 'adminExportUser',
  method: 'get',
  path: `${user}/export`,
  tag,
  summary: "Export a user's data",
  description: 'Returns everything about a user as a JSON file. The audit log gets an entry.',
  operatorsOnly: true,
  params,
  answers: { 200: jsonDownload('The data.', userExportView) },
  refusals: ['user_not_found'],
  handler: async ({ backend, caller, params: { uid } }) => ({
    status: 200,
    fileName: 'user.json',
    text: await exportUserAsOperator(backend, operatorOf(caller), uid),
  }),
});

const adminDeleteUserRoute = route({
  id: 'adminDeleteUser',
  method: 'delete',
  path: user,
  tag,
  summary: 'Delete a user',
  description: 'Deletes an account and all data of its user. Cancels their subscription.',
  operatorsOnly: true,
  params,
  answers: { 204: empty('The account is deleted.') },
  refusals: ['user_not_found', 'last_owner', 'billing_unavailable', 'storage_unavailable'],
  handler: async ({ backend, caller, params: { uid } }) => {
    await deleteUserAsOperator(backend, operatorOf(caller), uid);
    return { status: 204 };
  },
});

const adminImpersonateRoute = route({
  id: 'adminImpersonate',
  method: 'post',
  path: `${user}/impersonation`,
  tag,
  summary: 'Impersonate a user',
  description:
    "Returns a custom token for the operator's own account, with which requests are answered as for the user until its end. Such requests cannot pay, delete the account or change how it signs in.",
  operatorsOnly: true,
  params,
  body: impersonationRequestSchema,
  answers: { 201: json('The token.', impersonationView) },
  refusals: ['user_not_found', 'admin_not_impersonated'],
  handler: async ({ backend, caller, params: { uid }, body }) => ({
    status: 201,
    body: await startImpersonation(backend, operatorOf(caller), { uid, ...body }),
  }),
});

export const adminUserRoutes: readonly Route[] = [
  adminSearchRoute,
  adminGetUserRoute,
  adminChangeUserRoute,
  adminEndSessionsRoute,
  adminExportUserRoute,
  adminDeleteUserRoute,
  adminImpersonateRoute,
];
