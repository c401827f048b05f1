import { BRAND } from '@hearth/shared/brand';
import type { Costs } from '../common/costs.ts';
import type { Answer } from '../http/answer.ts';
import { needsCurrentState, type Route } from '../http/route.ts';
import type { Config } from '../settings/config.ts';
import costs from './costs.json' with { type: 'json' };
import { ERROR_SCHEMAS, errorExamples, errorResponses } from './error-responses.ts';
import { exampleOf } from './examples.ts';
import { SchemaCollection, type JsonSchema } from './schemas.ts';
import { INFO_DESCRIPTION, TAGS } from './texts.ts';

/**
 * The OpenAPI 3.1 description of routes, made from the schemas that validate their requests and type their answers.
 * https://spec.openapis.org/oas/v3.1.1.html
 */
export function openApiDocument({ appUrl }: Pick<Config, 'appUrl'>, routes: readonly Route[]) {
  const schemas = new SchemaCollection();
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    (paths[route.path] ??= {})[route.method] = operationOf(route, schemas);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: BRAND.name,
      version: '1',
      description: [BRAND.description, INFO_DESCRIPTION].filter((text) => text !== null).join('\n\n'),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: appUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { ...schemas.components, ...ERROR_SCHEMAS },
      examples: errorExamples(routes),
      securitySchemes: {
        sessionCookie: { type: 'apiKey', in: 'cookie', name: '__session' },
        idToken: { type: 'http', scheme: 'bearer', bearerFormat: 'Firebase ID token' },
      },
    },
  };
}

const USER = [{ sessionCookie: [] }, { idToken: [] }];

/** By default the settings require a user for a route with `optional` access. */
const SECURITY = { user: USER, optional: USER, 'in-handler': [{}, ...USER], public: [] };

function operationOf(route: Route, schemas: SchemaCollection) {
  const { id, tag, summary, description, access = 'user' } = route;
  const parameters = [...parametersOf(route, schemas, 'path'), ...parametersOf(route, schemas, 'query')];
  const requestBody = requestBodyOf(route, schemas);
  const answers = Object.entries(route.answers).map(([status, answer]) => [
    status,
    responseOf(answer, schemas),
  ]);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: SECURITY[access],
    'x-cost': costOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== undefined && { requestBody }),
    responses: { ...(Object.fromEntries(answers) as Record<string, object>), ...errorResponses(route) },
  };
}

/**
 * The lowest cost of an operation, as measured by the contract test: documents that Firestore bills, and calls to
 * Firebase Auth and Stripe. `cachedAuth` is the number of calls to Firebase Auth while the state of the user is cached.
 */
function costOf(route: Route): (Costs & { cachedAuth: number }) | undefined {
  const cost = (costs as Readonly<Record<string, Costs>>)[route.id];
  if (cost === undefined) return undefined;
  const { access = 'user', method } = route;
  const isCached = access !== 'public' && !needsCurrentState(route, method);
  return { ...cost, cachedAuth: Math.max(cost.auth - (isCached ? 1 : 0), 0) };
}

function parametersOf({ params, query, tag }: Route, schemas: SchemaCollection, place: 'path' | 'query') {
  const declared = place === 'path' ? params : query;
  if (declared === undefined) return [];
  const { properties = {}, required = [] } = schemas.inline(declared, 'input');
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema,
    example: exampleOf(schema, schemas.components, { name, parent: tag }),
  }));
}

function requestBodyOf({ body, rawBody, form }: Route, schemas: SchemaCollection) {
  if (form === true) return { required: true, content: { 'multipart/form-data': { schema: FILE_FORM } } };
  const declared = body ?? rawBody;
  if (declared === undefined) return undefined;
  return { required: true, content: jsonContent(declared, schemas, 'input') };
}

function jsonContent(
  declared: Parameters<SchemaCollection['inline']>[0],
  schemas: SchemaCollection,
  io: 'input' | 'output',
) {
  const schema = schemas.inline(declared, io);
  const example = exampleOf(schema, schemas.components, { name: '', parent: '' });
  return { 'application/json': { schema, example } };
}

const FILE_FORM: JsonSchema = {
  type: 'object',
  properties: { file: { type: 'string', format: 'binary' } },
  required: ['file'],
};

function responseOf(answer: Answer, schemas: SchemaCollection) {
  const { description } = answer;
  switch (answer.kind) {
    case 'json':
    case 'download':
      return {
        description,
        ...('headers' in answer && { headers: headersOf(answer.headers) }),
        content: jsonContent(answer.schema, schemas, 'output'),
      };
    case 'redirect':
      return { description, headers: { Location: LOCATION } };
    case 'page':
      return { description, content: { 'text/html': { schema: { type: 'string' }, example: PAGE } } };
    case 'empty':
      return { description };
  }
}

const LOCATION = {
  description: 'The URL to open.',
  required: true,
  schema: { type: 'string', format: 'uri-reference' },
  example: '/dashboard',
};

const PAGE = '<!doctype html>\n<html lang="en">…</html>\n';

function headersOf(texts: Readonly<Record<string, string>> = {}) {
  return Object.fromEntries(
    Object.entries(texts).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}
