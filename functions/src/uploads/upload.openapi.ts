import { json, type Operation } from '../openapi/operation.ts';
import { uploadView } from './upload.view.ts';

export const UPLOAD_OPERATIONS: readonly Operation[] = [
  {
    id: 'upload',
    method: 'post',
    path: '/api/upload',
    summary: 'Stores a file and tells its public URL.',
    form: true,
    answers: { 200: json('The file is stored.', uploadView) },
    errors: {
      400: ['no_file', 'malformed_form', 'empty_file', 'too_many_parts'],
      413: ['payload_too_large'],
      415: ['unsupported_media_type'],
      503: ['storage_unavailable'],
    },
    errorShape: 'upload',
    limited: true,
  },
];
