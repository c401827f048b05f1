import type { Config } from '../settings/config.ts';
import { errorResponses, errorSchemas } from './error-responses.ts';
import type { Answer, Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { SchemaCollection, type JsonSchema } from './schemas.ts';

/**
 * The OpenAPI 3.1 description of every route, made of the schemas by which the routes judge requests and type their
 * answers. https://spec.openapis.org/oas/v3.1.1.html
 */
export function openApiDocument({ appUrl }: Pick<Config, 'appUrl'>) {
  const schemas = new SchemaCollection();
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of OPERATIONS) {
    (paths[operation.path] ??= {})[operation.method] = describe(operation, schemas);
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Hearth', version: '1', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: appUrl }],
    paths,
    components: {
      schemas: { ...schemas.components, ...errorSchemas(OPERATIONS) },
      securitySchemes: {
        sessionCookie: { type: 'apiKey', in: 'cookie', name: '__session' },
        idToken: { type: 'http', scheme: 'bearer', bearerFormat: 'Firebase ID token' },
      },
    },
  };
}

const USER = [{ sessionCookie: [] }, { idToken: [] }];

const SECURITY = { user: USER, optional: [{}, ...USER], public: [] };

function describe(operation: Operation, schemas: SchemaCollection) {
  const answers = Object.entries(operation.answers);
  const parameters = [
    ...parametersOf(operation, schemas, 'path'),
    ...parametersOf(operation, schemas, 'query'),
  ];
  const requestBody = requestBodyOf(operation, schemas);
  return {
    operationId: operation.id,
    summary: operation.summary,
    security: SECURITY[operation.access ?? 'user'],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== undefined && { requestBody }),
    responses: {
      ...Object.fromEntries(answers.map(([status, answer]) => [status, responseOf(answer, schemas)])),
      ...errorResponses(operation),
    },
  };
}

function parametersOf({ params, query }: Operation, schemas: SchemaCollection, place: 'path' | 'query') {
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

function requestBodyOf({ body, form }: Operation, schemas: SchemaCollection) {
  if (form === true) return { required: true, content: { 'multipart/form-data': { schema: FILE_FORM } } };
  if (body === undefined) return undefined;
  return { required: true, content: { 'application/json': { schema: schemas.inline(body, 'input') } } };
}

const FILE_FORM: JsonSchema = {
  type: 'object',
  properties: { file: { type: 'string', format: 'binary' } },
  required: ['file'],
};

function responseOf({ description, schema, redirect, page }: Answer, schemas: SchemaCollection) {
  return {
    description,
    ...(redirect === true && {
      headers: { Location: { required: true, schema: { type: 'string', format: 'uri-reference' } } },
    }),
    ...(schema !== undefined && {
      content: { 'application/json': { schema: schemas.inline(schema, 'output') } },
    }),
    ...(page === true && { content: { 'text/html': { schema: { type: 'string' } } } }),
  };
}
