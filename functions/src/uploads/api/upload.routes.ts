import * as z from 'zod';
import { json } from '../../http/answer.ts';
import { FORM_OVERHEAD_BYTES } from '../../http/body.ts';
import { route, type Route, type GuardDeclaration } from '../../http/route.ts';
import { refusal } from '../../refusals/refusals.ts';
import { RATE_LIMITS } from '../../settings/rate-limits.ts';
import { TEAM_REFUSALS, teamIdSchema } from '../../teams/team.schema.ts';
import { ownerWithSender } from '../records/owner.ts';
import { storedFileView, visibilitySchema } from '../records/upload.view.ts';
import { requireVerifiedSender } from '../require-verified-sender.ts';
import { receiveFile } from './multipart.ts';
import { storeReceivedFile } from './upload.service.ts';

/** If `UPLOAD_REQUIRES_AUTH` is off, an upload needs no account. Invalid credentials are refused even then. */
export const UPLOAD_DECLARATION = {
  access: 'optional',
  requiresUser: ({ uploadRequiresAuth }) => uploadRequiresAuth,
  errorShape: 'upload',
} as const satisfies GuardDeclaration;

const uploadRoute = route({
  ...UPLOAD_DECLARATION,
  form: true,
  maxBytes: ({ uploadMaxBytes }) => uploadMaxBytes + FORM_OVERHEAD_BYTES,
  id: 'upload',
  method: 'post',
  path: '/api/upload',
  tag: 'Uploads',
  summary: 'Upload a file',
  description:
    'Stores a file for the caller, or for a team. Needs a user unless `UPLOAD_REQUIRES_AUTH` is off.',
  // Avoids a call to Firebase Auth for each file: the state of the user may come from the cache.
  readsCurrentState: false,
  limits: [
    { limit: RATE_LIMITS.uploads, by: 'user', appliesTo: 'users' },
    { limit: RATE_LIMITS.uploadsPerIp, by: 'ip-per-instance', appliesTo: 'users' },
    { limit: RATE_LIMITS.anonymousUploads, by: 'ip', appliesTo: 'visitors' },
  ],
  query: z.strictObject({
    team: teamIdSchema.optional(),
    visibility: visibilitySchema.default('public'),
  }),
  answers: { 200: json('The stored file.', storedFileView, { 'X-Upload-Id': 'Id of the upload.' }) },
  refusals: [
    ...TEAM_REFUSALS,
    // Also the code of `file_name_unusable`.
    'no_file',
    'malformed_form',
    'empty_file',
    'too_many_parts',
    // Also the code of `team_quota_exceeded`.
    'quota_exceeded',
    // The code of `uploader_unverified`.
    'email_unverified',
    'storage_unavailable',
  ],
  handler: async ({ backend, caller, query: { team, visibility }, request }) => {
    const { config } = backend;
    if (caller === undefined && team !== undefined) throw refusal('unauthenticated');
    if (caller !== undefined) requireVerifiedSender(config, caller);
    const file = await receiveFile(request.headers, request.rawBody, config.uploadMaxBytes);
    const { id, view, discard } = await storeReceivedFile(
      backend,
      ownerWithSender(caller, team),
      file,
      visibility,
    );
    const hasSenderDisconnected = request.socket.destroyed;
    // Nobody receives the answer.
    if (hasSenderDisconnected) await discard();
    return { status: 200, body: view, headers: { 'X-Upload-Id': id } };
  },
});

export const uploadRoutes: readonly Route[] = [uploadRoute];
