import * as z from 'zod';
import { pageRequestSchema } from '../../firestore/page.ts';
import { empty, json } from '../../http/answer.ts';
import { listPageView } from '../../http/list-page-view.ts';
import { route, type Route } from '../../http/route.ts';
import type { RefusalCode } from '../../refusals/refusals.ts';
import { RATE_LIMITS } from '../../settings/rate-limits.ts';
import { TEAM_REFUSALS, teamIdSchema } from '../../teams/team.schema.ts';
import { uploadIdSchema } from '../records/upload-record.ts';
import { uploadView } from '../records/upload.view.ts';
import { deleteUpload, describeUpload, listUploads, revokeUrls } from './manage.service.ts';

const uploads = '/api/uploads';
const params = z.strictObject({ id: uploadIdSchema });
const tag = 'Uploads';

const CHANGE_REFUSALS = [
  'upload_not_found',
  'forbidden',
  'storage_unavailable',
] as const satisfies readonly RefusalCode[];

const listUploadsRoute = route({
  id: 'listUploads',
  method: 'get',
  path: uploads,
  tag,
  summary: 'List files',
  description: 'Lists the stored files of the caller, or of a team, newest first.',
  query: pageRequestSchema.extend({ team: teamIdSchema.optional() }),
  answers: { 200: json('One page of files.', listPageView('uploads', uploadView)) },
  refusals: TEAM_REFUSALS,
  handler: async ({ backend, caller, query: { team, ...page } }) => {
    const { items, nextCursor } = await listUploads(backend, caller, team, page);
    return { status: 200, body: { uploads: items, nextCursor } };
  },
});

const getUploadRoute = route({
  id: 'getUpload',
  method: 'get',
  path: `${uploads}/{id}`,
  tag,
  summary: 'Get a file',
  description: 'Describes a file in any status. Callers without access get 404.',
  params,
  answers: { 200: json('The upload.', uploadView) },
  refusals: ['upload_not_found'],
  handler: async ({ backend, caller, params: { id } }) => ({
    status: 200,
    body: await describeUpload(backend, caller, id),
  }),
});

const deleteUploadRoute = route({
  id: 'deleteUpload',
  method: 'delete',
  path: `${uploads}/{id}`,
  tag,
  summary: 'Delete a file',
  description: 'Deletes a file with its variants, and frees its storage.',
  params,
  answers: { 204: empty('The file is deleted.') },
  refusals: CHANGE_REFUSALS,
  handler: async ({ backend, caller, params: { id } }) => {
    await deleteUpload(backend, caller, id);
    return { status: 204 };
  },
});

const revokeUploadRoute = route({
  id: 'revokeUpload',
  method: 'post',
  path: `${uploads}/{id}/revoke`,
  tag,
  summary: 'Replace the URLs of a file',
  description: 'Invalidates the URLs of a file and creates new ones. Has a lower limit than uploads.',
  limits: [{ limit: RATE_LIMITS.revocations, by: 'user' }],
  params,
  answers: { 200: json('The upload with its new URLs.', uploadView) },
  refusals: [...CHANGE_REFUSALS, 'not_stored'],
  handler: async ({ backend, caller, params: { id } }) => ({
    status: 200,
    body: await revokeUrls(backend, caller, id),
  }),
});

export const uploadManagementRoutes: readonly Route[] = [
  listUploadsRoute,
  getUploadRoute,
  deleteUploadRoute,
  revokeUploadRoute,
];
