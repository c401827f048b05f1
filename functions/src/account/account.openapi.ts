import { empty, json, type Operation } from '../openapi/operation.ts';
import { pageOf, pageSchema } from '../firestore/page.ts';
import { userExportView } from './export.view.ts';
import { signInSchema, signOutSchema } from './session.routes.ts';
import { newSessionView, openSessionView, sessionView } from './session.view.ts';
import { changeSchema, sessionKeySchema } from './user.routes.ts';
import { userView } from './user.view.ts';

const session = '/api/auth/session';

export const ACCOUNT_OPERATIONS: readonly Operation[] = [
  {
    id: 'createSession',
    method: 'post',
    path: session,
    summary: 'Exchanges the ID token of a fresh sign-in for a session cookie.',
    access: 'public',
    body: signInSchema,
    answers: { 201: json('The cookie `__session` is set.', newSessionView) },
    errors: {
      401: ['unauthenticated'],
      403: ['foreign_origin'],
      503: ['auth_unavailable', 'busy'],
    },
    limited: true,
  },
  {
    id: 'getSession',
    method: 'get',
    path: session,
    summary: 'Tells who is signed in, their teams and their plan.',
    answers: { 200: json('The session.', sessionView) },
  },
  {
    id: 'deleteSession',
    method: 'delete',
    path: session,
    summary: 'Ends the session of the cookie, or all sessions of the user.',
    access: 'optional',
    query: signOutSchema,
    answers: { 204: empty('The session has ended, and the cookie is cleared.') },
  },
  {
    id: 'changeUser',
    method: 'patch',
    path: '/api/auth/user',
    summary: "Changes the user's name and picture.",
    body: changeSchema,
    answers: { 200: json('The user as they are now.', userView) },
  },
  {
    id: 'deleteUser',
    method: 'delete',
    path: '/api/auth/user',
    summary: "Deletes the account with everything that is its user's.",
    answers: { 204: empty('It is gone, and the cookie is cleared.') },
    errors: {
      403: ['recent_sign_in_required'],
      409: ['last_owner'],
      503: ['billing_unavailable', 'storage_unavailable'],
    },
  },
  {
    id: 'exportUser',
    method: 'get',
    path: '/api/auth/user/export',
    summary: 'Gives everything about the caller as a JSON file.',
    answers: { 200: json('All data; lists of more than 5,000 items are cut off.', userExportView) },
    errors: { 403: ['recent_sign_in_required'] },
    limited: true,
  },
  {
    id: 'listSessions',
    method: 'get',
    path: '/api/auth/sessions',
    summary: "Lists the caller's open sessions by cookie, latest expiry first.",
    query: pageSchema,
    answers: { 200: json('One page of them.', pageOf('sessions', openSessionView)) },
  },
  {
    id: 'endOneSession',
    method: 'delete',
    path: '/api/auth/sessions/{id}',
    summary: "Ends one of the caller's sessions by cookie.",
    params: sessionKeySchema,
    answers: { 204: empty('It has ended.') },
    errors: { 404: ['session_not_found'] },
  },
];
