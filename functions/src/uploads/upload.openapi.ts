import { empty, json, merge, type ErrorCodes, type Operation } from '../openapi/operation.ts';
import { pageOf } from '../firestore/page.ts';
import { TEAM_ERRORS } from '../teams/team.openapi.ts';
import { keySchema, listSchema } from './manage.routes.ts';
import { querySchema } from './upload.routes.ts';
import { managedUpload, uploadView } from './upload.view.ts';

const UPLOAD_ERRORS: ErrorCodes = { 404: ['upload_not_found'] };
const CHANGE_ERRORS = merge(UPLOAD_ERRORS, { 403: ['forbidden'], 503: ['storage_unavailable'] });

export const UPLOAD_OPERATIONS: readonly Operation[] = [
  {
    id: 'upload',
    method: 'post',
    path: '/api/upload',
    summary: 'Stores a file and tells its URL; its id is in the header `X-Upload-Id`.',
    query: querySchema,
    form: true,
    answers: { 200: json('The file is stored.', uploadView) },
    errors: merge(TEAM_ERRORS, {
      400: ['no_file', 'malformed_form', 'empty_file', 'too_many_parts'],
      403: ['quota_exceeded', 'email_unverified'],
      413: ['payload_too_large'],
      415: ['unsupported_media_type'],
      503: ['storage_unavailable'],
    }),
    errorShape: 'upload',
    limited: true,
  },
  {
    id: 'listUploads',
    method: 'get',
    path: '/api/uploads',
    summary: "Lists the caller's stored files, or a team's, newest first.",
    query: listSchema,
    answers: { 200: json('One page of them.', pageOf('uploads', managedUpload)) },
    errors: TEAM_ERRORS,
  },
  {
    id: 'getUpload',
    method: 'get',
    path: '/api/uploads/{id}',
    summary: 'Describes a file, whatever has become of it.',
    params: keySchema,
    answers: { 200: json('The upload.', managedUpload) },
    errors: UPLOAD_ERRORS,
  },
  {
    id: 'deleteUpload',
    method: 'delete',
    path: '/api/uploads/{id}',
    summary: 'Removes a file.',
    params: keySchema,
    answers: { 204: empty('It is gone.') },
    errors: CHANGE_ERRORS,
  },
  {
    id: 'revokeUpload',
    method: 'post',
    path: '/api/uploads/{id}/revoke',
    summary: 'Ends the URLs of a file and gives new ones.',
    params: keySchema,
    answers: { 200: json('The upload with its new URLs.', managedUpload) },
    errors: merge(CHANGE_ERRORS, { 409: ['not_stored'] }),
    limited: true,
  },
];
