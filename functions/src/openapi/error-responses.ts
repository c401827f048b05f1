import { fillMessage } from '@hearth/shared/message';
import { uploadErrorMessage } from '../http/errors/render-error.ts';
import type { Route } from '../http/route.ts';
import {
  codeOf,
  kindOf,
  REFUSALS,
  statusOf,
  type RefusalCode,
  type RefusalName,
} from '../refusals/refusals.ts';
import { refusalsByStatus, refusalsOf } from './refusals.ts';
import { KNOWN_VALUES, type JsonSchema } from './schemas.ts';

const REQUEST_ID = {
  'X-Request-Id': { description: 'Identifies the request in the log.', schema: { type: 'string' } },
};
const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds until the same request may succeed.', schema: { type: 'string' } },
};

/** One response for each status of a route's refusals. The description lists the codes with this status. */
export function errorResponses(route: Route): Record<string, object> {
  const byStatus = [...refusalsByStatus(route)].map(([status, codes]) => [
    status,
    {
      description: codes.join(', '),
      headers: { ...REQUEST_ID, ...(status === 429 || status === 503 ? RETRY_AFTER : {}) },
      content: contentOf(route, codes),
    },
  ]);
  return { ...(Object.fromEntries(byStatus) as Record<string, object>), default: OTHER_ERROR };
}

/** Requests pass Firebase Hosting and the front end of Cloud Run, which have errors of their own. */
const OTHER_ERROR = {
  description: 'Any other error, for example of the infrastructure in front of the service.',
};

const ERROR = { $ref: '#/components/schemas/Error' };
const UPLOAD_ERROR = { $ref: '#/components/schemas/UploadError' };

function contentOf({ errorShape = 'json' }: Route, codes: readonly RefusalCode[]): Record<string, object> {
  const html = { 'text/html': { schema: { type: 'string' }, example: ERROR_FRAGMENT } };
  if (errorShape === 'page-or-html-fragment') return html;
  if (errorShape === 'upload') {
    const examples = examplesOf(codes, (code) => ({ value: uploadErrorExample(code) }));
    return { 'application/json': { schema: UPLOAD_ERROR, examples } };
  }
  const examples = examplesOf(codes, (code) => ({ $ref: `#/components/examples/${code}` }));
  const json = { schema: ERROR, examples };
  return { 'application/json': json, ...(errorShape === 'page-or-json' && html) };
}

/** One example for each code. */
function examplesOf(
  codes: readonly RefusalCode[],
  make: (code: RefusalCode) => object,
): Record<string, object> {
  return Object.fromEntries(codes.map((code) => [code, make(code)]));
}

const ERROR_FRAGMENT = '<h3>This invitation has expired.</h3>';

/** Example values for the messages in `REFUSALS`. */
const VALUES: Readonly<Record<string, string | number>> = {
  allowed: 'GET',
  email: 'ada@example.com',
  header: 'X-Firebase-AppCheck',
  limit: 20,
  plan: 'Pro',
  name: 'Pro',
  addOn: 'More storage',
  max: 3,
  entitlement: 'export',
  reason: 'name: Invalid input',
  extensions: 'jpg, png, pdf',
  size: 5_000_000,
  wait: 300,
};

function errorExample(code: RefusalCode): { error: string; code: RefusalCode } {
  return { error: fillMessage(REFUSALS[code].message, VALUES, 'en-US'), code };
}

/** The answer has no code. */
function uploadErrorExample(code: RefusalCode): { error: string } {
  return { error: uploadErrorMessage({ kind: kindOf(statusOf(code)), message: errorExample(code).error }) };
}

const MESSAGE: JsonSchema = { type: 'string', description: 'A message for people. It may change.' };

/** Every code in `REFUSALS`. */
const CODES = [...new Set((Object.keys(REFUSALS) as RefusalName[]).map(codeOf))].sort();

/** An example for each code. Left out are routes whose errors have no code: uploads and links of invitations. */
export function errorExamples(routes: readonly Route[]): Record<string, object> {
  const withCode = routes.filter(
    ({ errorShape = 'json' }) => errorShape === 'json' || errorShape === 'page-or-json',
  );
  const codes = [...new Set(withCode.flatMap(refusalsOf))].sort();
  return examplesOf(codes, (code) => ({ value: errorExample(code) }));
}

export const ERROR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Error: {
    type: 'object',
    description: 'The reason why a request was refused.',
    properties: {
      error: MESSAGE,
      code: { $ref: '#/components/schemas/ErrorCode' },
      fields: {
        type: 'object',
        description: 'With `invalid_request`: the problem of each wrong field, by its name.',
        additionalProperties: { type: 'string' },
      },
    },
    required: ['error', 'code'],
  },
  ErrorCode: {
    type: 'string',
    description: `A stable code for programs. Later versions may add some. \`${KNOWN_VALUES}\` lists those of this version.`,
    [KNOWN_VALUES]: CODES,
  },
  UploadError: {
    type: 'object',
    properties: { error: MESSAGE },
    required: ['error'],
  },
};
