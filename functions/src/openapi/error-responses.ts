import { errorsOf } from './errors.ts';
import type { Operation } from './operation.ts';
import type { JsonSchema } from './schemas.ts';

const REQUEST_ID = {
  'X-Request-Id': { description: 'Finds the failure in the log.', schema: { type: 'string' } },
};
const RETRY_AFTER = { 'Retry-After': { description: 'Seconds.', schema: { type: 'string' } } };

/** One response for each status with which an operation may refuse, with its codes. */
export function errorResponses(operation: Operation): Record<string, object> {
  return Object.fromEntries(
    Object.entries(errorsOf(operation)).map(([status, codes = []]) => [
      status,
      {
        description: codes.join(', '),
        headers: { ...REQUEST_ID, ...(status === '429' || status === '503' ? RETRY_AFTER : {}) },
        content: contentOf(operation, codes),
      },
    ]),
  );
}

function contentOf({ errorShape }: Operation, codes: readonly string[]): Record<string, object> {
  const html = { 'text/html': { schema: { type: 'string' } } };
  if (errorShape === 'html') return html;
  const schema =
    errorShape === 'upload'
      ? { $ref: '#/components/schemas/UploadError' }
      : { $ref: '#/components/schemas/Error', properties: { code: { enum: codes } } };
  return { 'application/json': { schema }, ...(errorShape === 'page' && html) };
}

const SENTENCE: JsonSchema = { type: 'string', description: 'For people; it may change.' };

/** The components that every document has. */
export function errorSchemas(operations: readonly Operation[]): Record<string, JsonSchema> {
  const codes = operations
    .filter(({ errorShape }) => errorShape === undefined || errorShape === 'page')
    .flatMap((operation) => Object.values(errorsOf(operation)).flatMap((listed) => listed ?? []));
  return {
    Error: {
      type: 'object',
      description: 'Why a request was refused.',
      properties: { error: SENTENCE, code: { $ref: '#/components/schemas/ErrorCode' } },
      required: ['error', 'code'],
      additionalProperties: false,
    },
    ErrorCode: {
      type: 'string',
      description: 'For programs; stable.',
      enum: [...new Set(['not_found', ...codes])].sort(),
    },
    UploadError: {
      type: 'object',
      properties: { error: SENTENCE },
      required: ['error'],
      additionalProperties: false,
    },
  };
}
