import type { Request } from 'express';
import type * as z from 'zod';
import { refuse } from '../refusals.ts';

/** The value as the schema gives it back, or 400 that names each wrong field. */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => {
    const field = issue.path.map(String).join('.');
    return field ? `${field}: ${issue.message}` : issue.message;
  });
  throw refuse('invalid_request', { reason: problems.join('; ') });
}

/**
 * The JSON body as `receiveBody` parsed it, validated.
 *
 * Only `application/json` counts: a form on another site can send text or form fields without a preflight, but not JSON.
 */
export function validateBody<Schema extends z.ZodType>(schema: Schema, request: Request): z.output<Schema> {
  if (!request.is('application/json')) throw notJson();
  return validate(schema, request.body);
}

const notJson = () => refuse('unsupported_media_type', { reason: 'Send the body as application/json.' });
