import type { Route } from '../http/route.ts';
import { codeOf, REFUSALS, type RefusalName } from '../refusals.ts';
import { refusalsByStatus } from './refusals.ts';
import type { JsonSchema } from './schemas.ts';

const REQUEST_ID = {
  'X-Request-Id': { description: 'Identifies the request in the log.', schema: { type: 'string' } },
};
const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds until the same request may succeed.', schema: { type: 'string' } },
};

/** One response for each status with which a route may refuse, with its codes. */
export function errorResponses(route: Route): Record<string, object> {
  const byStatus = [...refusalsByStatus(route)].map(([status, codes]) => [
    status,
    {
      description: codes.join(', '),
      headers: { ...REQUEST_ID, ...(status === 429 || status === 503 ? RETRY_AFTER : {}) },
      content: contentOf(route, codes),
    },
  ]);
  return Object.fromEntries(byStatus) as Record<string, object>;
}

function contentOf({ errors = 'json' }: Route, codes: readonly string[]): Record<string, object> {
  const html = { 'text/html': { schema: { type: 'string' } } };
  if (errors === 'html') return html;
  const schema =
    errors === 'upload'
      ? { $ref: '#/components/schemas/UploadError' }
      : { $ref: '#/components/schemas/Error', properties: { code: { enum: codes } } };
  return { 'application/json': { schema }, ...(errors === 'page' && html) };
}

const MESSAGE: JsonSchema = { type: 'string', description: 'A message for people. It may change.' };

const CODES = (Object.keys(REFUSALS) as RefusalName[]).map(codeOf);

/** The components of errors. */
export const ERROR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Error: {
    type: 'object',
    description: 'The reason why a request was refused.',
    properties: { error: MESSAGE, code: { $ref: '#/components/schemas/ErrorCode' } },
    required: ['error', 'code'],
    additionalProperties: false,
  },
  ErrorCode: {
    type: 'string',
    description: 'A stable code for programs.',
    enum: [...new Set(CODES)].sort(),
  },
  UploadError: {
    type: 'object',
    properties: { error: MESSAGE },
    required: ['error'],
    additionalProperties: false,
  },
};
