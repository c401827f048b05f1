import type { HttpFunction } from '@google-cloud/functions-framework';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { ROUTES } from '../../functions/src/app.ts';
import type { Costs } from '../../functions/src/common/costs.ts';
import { costsOf } from '../../functions/src/http/request-log.ts';
import { openApiDocument } from '../../functions/src/openapi/document.ts';
import { refusalsByStatus } from '../../functions/src/openapi/refusals.ts';
import { KNOWN_VALUES } from '../../functions/src/openapi/schemas.ts';
import type { RefusalCode } from '../../functions/src/refusals/refusals.ts';

interface Described {
  operationId: string;
  responses: Record<string, { headers?: object; content?: object }>;
}

/** One answer, with the cost of its request. */
export interface Seen {
  id: string;
  status: number;
  usage: Costs;
}

/** Compares the answers of an app with its OpenAPI document. */
export interface Contract {
  /** The handler, with a check of each answer. */
  watch: (handler: HttpFunction) => HttpFunction;
  /** Answers that the document does not allow. */
  readonly violations: string[];
  /** The answers so far. */
  readonly seen: Seen[];
}

export function createContract(): Contract {
  const document = openApiDocument({ appUrl: 'http://localhost' }, ROUTES);
  const paths = Object.entries(document.paths).map(([path, operations]) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
    operations: operations as Record<string, Described | undefined>,
  }));
  const validators = createValidators(document);
  const violations: string[] = [];
  const seen: Seen[] = [];

  const check: Check = ({ method, url, status, type, body, code, usage }) => {
    const { pathname } = new URL(url, 'http://localhost');
    const { path, operations } = paths.find(({ pattern }) => pattern.test(pathname)) ?? {};
    const operation = operations?.[method.toLowerCase()];
    if (path === undefined || operation === undefined) return;
    seen.push({ id: operation.operationId, status, usage });
    const validate = () => validators(path, method, status);
    const mediaType = type.split(';')[0] ?? '';
    const problem =
      problemOf(operation.responses[status], mediaType, body, validate) ??
      undeclaredCode(operation.operationId, status, code);
    if (problem !== undefined) violations.push(`${method} ${path} ${status}: ${problem} (${body})`);
  };

  return { watch: (handler) => watch(handler, check), violations, seen };
}

/** Uploads and pages show no code, so the code of the refusal is compared with the declaration of the route. */
function undeclaredCode(id: string, status: number, code: RefusalCode | undefined): string | undefined {
  const route = ROUTES.find((declared) => declared.id === id);
  if (code === undefined || route === undefined) return undefined;
  return refusalsByStatus(route).get(status)?.includes(code) === true ? undefined : `${code} is not declared`;
}

function problemOf(
  response: Described['responses'][string] | undefined,
  mediaType: string,
  body: string,
  validator: () => ValidateFunction,
): string | undefined {
  if (response === undefined) return 'this status is not described';
  const described = Object.keys(response.content ?? {});
  // Express gives a redirect a line of text.
  const hasNone = body === '' || 'Location' in (response.headers ?? {});
  if (described.length === 0 && hasNone) return undefined;
  if (!described.includes(mediaType)) return `${mediaType || 'no body'} is not described`;
  if (mediaType !== 'application/json') return undefined;
  const validate = validator();
  return validate(JSON.parse(body)) ? undefined : JSON.stringify(validate.errors);
}

function createValidators(document: object) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'openapi', ...(closed(document) as object) });
  return (path: string, method: string, status: number): ValidateFunction => {
    const place = [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      'application/json',
    ];
    const pointer = [...place, 'schema'].map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'));
    const reference = `openapi#/${pointer.map(encodeURIComponent).join('/')}`;
    const validate = ajv.getSchema(reference);
    if (validate === undefined) throw new Error(`${reference} is not in the document.`);
    return validate;
  };
}

/** The document leaves answers open for later versions. This version must send nothing else. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closed(value)]));
  const isOpen = 'properties' in copy && copy['type'] === 'object' && !('additionalProperties' in copy);
  return {
    ...copy,
    ...(isOpen && { additionalProperties: false }),
    ...(KNOWN_VALUES in copy && { enum: copy[KNOWN_VALUES] }),
  };
}

interface Answered {
  method: string;
  url: string;
  status: number;
  type: string;
  body: string;
  /** Code of the refusal; also that of an answer without a code. */
  code: RefusalCode | undefined;
  usage: Costs;
}

type Check = (answered: Answered) => void;

/** Hands every finished answer to `check`. */
function watch(handler: HttpFunction, check: Check): HttpFunction {
  return (request, response) => {
    const { method, originalUrl } = request;
    const chunks: Buffer[] = [];
    const keep = (chunk: unknown) => {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    };
    for (const name of ['write', 'end'] as const) {
      const original = response[name].bind(response) as (...args: unknown[]) => unknown;
      Reflect.set(response, name, (...args: unknown[]) => {
        keep(args[0]);
        return original(...args);
      });
    }
    response.once('finish', () => {
      const type = String(response.getHeader('Content-Type') ?? '');
      const body = Buffer.concat(chunks).toString();
      const code = codeIn(type, body) ?? (response.locals['refusal'] as RefusalCode | undefined);
      const usage = costsOf(response);
      check({ method, url: originalUrl, status: response.statusCode, type, body, code, usage });
    });
    return handler(request, response) as unknown;
  };
}

function codeIn(type: string, body: string): RefusalCode | undefined {
  if (body === '' || !type.startsWith('application/json')) return undefined;
  const { code } = JSON.parse(body) as { code?: RefusalCode };
  return code;
}
