import * as z from 'zod';
import { clearSessionCookieIfSent } from '../auth/cookies.ts';
import { nameSchema } from '../common/name.ts';
import { photoUrlSchema } from '../common/user-profile.ts';
import { empty, jsonDownload, json } from '../http/answer.ts';
import { route, type Route } from '../http/route.ts';
import { RATE_LIMITS } from '../settings/rate-limits.ts';
import { deleteOwnAccount } from './delete.service.ts';
import { exportOwnData } from './export.service.ts';
import { userExportView } from './export.view.ts';
import { changeUser } from './user.service.ts';
import { userView, userViewOf } from './user.view.ts';

const tag = 'Account';

/** Null removes a value. A missing field stays as it is. */
const changeSchema = z
  .strictObject({
    displayName: nameSchema.nullable().exactOptional(),
    photoURL: photoUrlSchema.nullable().exactOptional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'Send displayName, photoURL or both.');

const changeUserRoute = route({
  id: 'changeUser',
  method: 'patch',
  path: '/api/auth/user',
  tag,
  summary: 'Change the profile',
  description:
    'Changes the name and picture of the caller. Null removes a value. A missing field stays as it is.',
  impersonation: 'allowed',
  limits: [{ limit: RATE_LIMITS.profileChanges, by: 'user-per-instance' }],
  body: changeSchema,
  answers: { 200: json('The changed user.', userView) },
  handler: async ({ backend, caller, body }) => ({
    status: 200,
    body: userViewOf(await changeUser(backend, caller, body)),
  }),
});

const deleteUserRoute = route({
  id: 'deleteUser',
  method: 'delete',
  path: '/api/auth/user',
  tag,
  summary: 'Delete the account',
  description:
    'Deletes the account and all data of its user. Cancels their subscription. Needs a sign-in that is at most 5 minutes old.',
  answers: { 204: empty('The account is deleted. A session cookie is cleared.') },
  refusals: ['recent_sign_in_required', 'last_owner', 'billing_unavailable', 'storage_unavailable'],
  handler: async ({ backend, caller, request, response }) => {
    await deleteOwnAccount(backend, caller);
    clearSessionCookieIfSent(request, response, backend.config);
    return { status: 204 };
  },
});

const exportUserRoute = route({
  id: 'exportUser',
  method: 'get',
  path: '/api/auth/user/export',
  tag,
  summary: 'Export personal data',
  description:
    'Returns all data about the caller as a JSON file. Needs a sign-in that is at most 5 minutes old.',
  readsCurrentState: true,
  limits: [{ limit: RATE_LIMITS.exports, by: 'user' }],
  answers: { 200: jsonDownload('All data. Lists are cut off after 5,000 items.', userExportView) },
  refusals: ['recent_sign_in_required'],
  handler: async ({ backend, caller }) => ({
    status: 200,
    fileName: `account-${caller.uid}.json`,
    text: await exportOwnData(backend, caller),
  }),
});

export const userRoutes: readonly Route[] = [changeUserRoute, deleteUserRoute, exportUserRoute];
