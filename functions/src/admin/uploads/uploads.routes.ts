import * as z from 'zod';
import { documentIdSchema } from '../../firestore/document-id.ts';
import { empty, json } from '../../http/answer.ts';
import { route, type Route } from '../../http/route.ts';
import { adminUploadView } from '../admin.view.ts';
import { operatorOf } from '../operator.service.ts';
import { deleteUploadAsOperator, describeUpload } from './uploads.service.ts';

const tag = 'Admin';
const path = '/api/admin/uploads/{id}';
const params = z.object({ id: documentIdSchema });

const adminGetUploadRoute = route({
  id: 'adminGetUpload',
  method: 'get',
  path,
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
  path,
  tag,
  summary: 'Remove an upload',
  description: 'Removes a file with its variants, and gives its bytes back to the quota.',
  operatorsOnly: true,
  params,
  answers: { 204: empty('The file is removed.') },
  refusals: ['upload_not_found', 'storage_unavailable'],
  handler: async ({ backend, caller, params: { id } }) => {
    await deleteUploadAsOperator(backend, operatorOf(caller), id);
    return { status: 204 };
  },
});

export const adminUploadRoutes: readonly Route[] = [adminGetUploadRoute, adminDeleteUploadRoute];
