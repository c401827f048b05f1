import type { Answer } from '../http/answer.ts';
import type { Route } from '../http/route.ts';
import type { Config } from '../settings/config.ts';
import { ERROR_SCHEMAS, errorResponses } from './error-responses.ts';
import { SchemaCollection, type JsonSchema } from './schemas.ts';

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
    info: { title: 'Hearth', version: '1', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: appUrl }],
    paths,
    components: {
      schemas: { ...schemas.components, ...ERROR_SCHEMAS },
      securitySchemes: {
        sessionCookie: { type: 'apiKey', in: 'cookie', name: '__session' },
        idToken: { type: 'http', scheme: 'bearer', bearerFormat: 'Firebase ID token' },
      },
    },
  };
}

const USER = [{ sessionCookie: [] }, { idToken: [] }];

/** By default the settings require a user where a route has `optional` access. */
const SECURITY = { user: USER, optional: USER, deferred: [{}, ...USER], public: [] };

function operationOf(route: Route, schemas: SchemaCollection) {
  const { id, tag, summary, description, access = 'user' } = route;
  const answers = Object.entries(route.answers);
  const parameters = [...parametersOf(route, schemas, 'path'), ...parametersOf(route, schemas, 'query')];
  const requestBody = requestBodyOf(route, schemas);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: SECURITY[access],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== undefined && { requestBody }),
    responses: {
      ...Object.fromEntries(answers.map(([status, answer]) => [status, responseOf(answer, schemas)])),
      ...errorResponses(route),
    },
  };
}

function parametersOf({ params, query }: Route, schemas: SchemaCollection, place: 'path' | 'query') {
  const schema = place === 'path' ? params : query;
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemas.inline(schema, 'input');
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function requestBodyOf({ body, rawBody, form }: Route, schemas: SchemaCollection) {
  if (form === true) return { required: true, content: { 'multipart/form-data': { schema: FILE_FORM } } };
  const schema = body ?? rawBody;
  if (schema === undefined) return undefined;
  return { required: true, content: { 'application/json': { schema: schemas.inline(schema, 'input') } } };
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
    case 'file':
      return {
        description,
        ...('headers' in answer && { headers: headersOf(answer.headers) }),
        content: { 'application/json': { schema: schemas.inline(answer.schema, 'output') } },
      };
    case 'redirect':
      return { description, headers: { Location: LOCATION } };
    case 'page':
      return { description, content: { 'text/html': { schema: { type: 'string' } } } };
    case 'empty':
      return { description };
  }
}

const LOCATION = { required: true, schema: { type: 'string', format: 'uri-reference' } };

function headersOf(texts: Readonly<Record<string, string>> = {}) {
  return Object.fromEntries(
    Object.entries(texts).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}
