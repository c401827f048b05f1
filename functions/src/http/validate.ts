import type { Request } from 'express';
import type * as z from 'zod';
import { badRequest, payloadTooLarge, unsupportedMediaType } from './errors.ts';

/** Far above any JSON that a route here expects. */
const MAX_JSON_BYTES = 64 * 1024;

/** The value as the schema gives it back, or 400 that names each wrong field. */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => {
    const field = issue.path.map(String).join('.');
    return field ? `${field}: ${issue.message}` : issue.message;
  });
  throw badRequest(problems.join('; '));
}

/**
 * The JSON body, checked.
 *
 * Only `application/json` counts: a form on another site can send text or form fields without a preflight, but not JSON.
 */
export function validateBody<Schema extends z.ZodType>(
  schema: Schema,
  request: Request & { rawBody?: Buffer },
): z.output<Schema> {
  if (!request.is('application/json')) throw unsupportedMediaType('Send the body as application/json.');
  if ((request.rawBody?.length ?? 0) > MAX_JSON_BYTES) throw payloadTooLarge('The body is too large.');
  return validate(schema, request.body);
}
