import type { Request } from 'express';
import * as z from 'zod';
import { refusal } from '../refusals/refusals.ts';

/** A switch in a query. */
export const booleanText = z.enum(['true', 'false']).meta({ id: 'BooleanText' });

/** The most problems that an answer names. A small request can have thousands of them. */
const MAX_PROBLEMS = 20;

/**
 * Parses a value by a schema.
 *
 * @throws Refusal `invalid_request` with the first problems
 */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => ({
    field: path.map(String).join('.'),
    message,
  }));
  throw refusal(
    'invalid_request',
    { reason: problems.map(textOf).join('; ') },
    { fields: byField(problems) },
  );
}

interface Problem {
  /** Empty if the whole value is wrong. */
  field: string;
  message: string;
}

/** A problem that is a whole sentence is shown without the field. */
const textOf = ({ field, message }: Problem) =>
  field === '' || message.endsWith('.') ? message : `${field}: ${message}`;

/** The first problem of each field. */
function byField(problems: readonly Problem[]): Record<string, string> {
  const named = problems.filter(({ field }) => field !== '');
  // If a field has several entries, `fromEntries` takes the last one.
  return Object.fromEntries(named.reverse().map(({ field, message }) => [field, message]));
}

/**
 * Parses the JSON body of a request by a schema. Requires the type `application/json`, which a page of another site
 * cannot send without a preflight.
 *
 * @throws Refusal as `validate`; `body_type_not_json`
 */
export function validateBody<Schema extends z.ZodType>(schema: Schema, request: Request): z.output<Schema> {
  if (!request.is('application/json')) throw notJson();
  return validate(schema, request.body);
}

const notJson = () => refusal('body_type_not_json');
