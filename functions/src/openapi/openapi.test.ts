import { request } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Router } from 'express';
import { describe, expect, test } from 'vitest';
import { createApp, ROUTES } from '../app.ts';
import { createBackend } from '../backend.ts';
import { FEATURE_HOOKS } from '../feature-hooks/registry.ts';
import { serve } from '../http/testing/serve.ts';
import { loadConfig } from '../settings/config.ts';
import { TEST_SETTINGS } from '../testing/settings.ts';
import { openApiDocument } from './document.ts';
import { TAGS } from './texts.ts';

const config = loadConfig(TEST_SETTINGS);
const document = openApiDocument(config, ROUTES);

interface ListedRoute {
  path: string | RegExp;
  methods: string[] | undefined;
  router: (Router & { listRoutes: () => ListedRoute[] }) | undefined;
}

/** Every method and path that an app answers, parameters as `{}`. `*` refuses the other methods of a path. */
function routesOf(router: { listRoutes: () => ListedRoute[] }, prefix = ''): string[] {
  return router.listRoutes().flatMap(({ path, methods = [], router: nested }) => {
    const full = prefix + (path === '/' ? '' : String(path));
    if (nested !== undefined) return routesOf(nested, full);
    return methods
      .filter((method) => !['HEAD', '*'].includes(method))
      .map((method) => routeName(method, full));
  });
}

const routeName = (method: string, path: string) =>
  `${method.toUpperCase()} ${path.replaceAll(/:\w+|\{\w+\}/g, '{}')}`;

test('the app has the declared routes and no others', () => {
  const app = createApp(createBackend(config, FEATURE_HOOKS));
  const served = routesOf(app.router as unknown as { listRoutes: () => ListedRoute[] });
  expect(served.sort()).toEqual(ROUTES.map(({ method, path }) => routeName(method, path)).sort());
});

test('each route has an id of its own and declares each parameter of its path', () => {
  expect(new Set(ROUTES.map(({ id }) => id)).size).toBe(ROUTES.length);
  for (const { path, params } of ROUTES) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(params?.shape ?? {}), path).toEqual(named);
  }
});

test('an operation has its cost, with fewer calls to Firebase Auth while the state of the user is cached', () => {
  const costOf = (path: string, method: string) =>
    (document.paths[path]?.[method] as { 'x-cost': object } | undefined)?.['x-cost'];
  expect(costOf('/api/auth/session', 'get')).toMatchObject({ writes: 0, auth: 1, cachedAuth: 0 });
  expect(costOf('/api/auth/teams', 'post')).toMatchObject({ auth: 1, cachedAuth: 1 });
  expect(costOf('/api/health', 'get')).toMatchObject({ reads: 0, auth: 0, cachedAuth: 0 });
});

test('the schemas are JSON Schema, and every reference leads somewhere', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'openapi', ...document });
  for (const name of Object.keys(document.components.schemas)) {
    expect(ajv.getSchema(`openapi#/components/schemas/${name}`), name).toBeTypeOf('function');
  }
  for (const [, name = ''] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    expect(Object.keys(document.components.schemas)).toContain(name);
  }
});

interface Media {
  schema: object;
  example?: unknown;
  examples?: Record<string, object>;
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: { name: string; example?: unknown; schema: object }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}

const OPERATIONS = Object.values(document.paths).flatMap(
  (methods) => Object.values(methods) as unknown as Operation[],
);

test.each(OPERATIONS.map((operation) => [operation.operationId, operation] as const))(
  '%s has a tag, a description, an answer, a refusal and valid examples',
  (_id, { summary, description, tags, parameters = [], requestBody, responses }) => {
    expect([summary, description].map((text) => text.length > 5)).toEqual([true, true]);
    expect(tags.filter((tag) => !(tag in TAGS))).toEqual([]);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining([expect.stringMatching(/^[23]/)]));
    expect(Object.keys(responses)).toEqual(expect.arrayContaining([expect.stringMatching(/^4/)]));
    const contents = [requestBody, ...Object.values(responses)].flatMap((body) =>
      Object.values(body?.content ?? {}),
    );
    const media = contents.filter(
      ({ schema }) => !('properties' in schema && 'file' in (schema.properties as object)),
    );
    for (const { example, examples } of media)
      expect(example ?? Object.keys(examples ?? {})[0]).toBeDefined();
    for (const { schema, example } of [...media, ...parameters]) {
      if (example !== undefined) expect(problemsOf(schema, example), JSON.stringify(example)).toEqual([]);
    }
  },
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

function problemsOf(schema: object, value: unknown) {
  ajv.validate({ ...schema, components: document.components }, value);
  return ajv.errors ?? [];
}

test('every enum is a component, so that generators name it once', () => {
  const inline = JSON.stringify(
    { ...document, components: undefined, schemas: Object.values(document.components.schemas) },
    (key, value: unknown) => (key === 'enum' ? ['inline enum', value] : value),
  );
  const named = Object.values(document.components.schemas).filter((schema) => 'enum' in schema);
  expect(inline.match(/inline enum/g)).toHaveLength(named.length);
});

/** The components that a part of the document leads to, with those that these lead to. */
function componentsOf(part: object, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    componentsOf(document.components.schemas[name] ?? {}, found);
  }
  return found;
}

describe('apps that were generated from an earlier version', () => {
  const answers = OPERATIONS.map(({ responses }) => responses);
  const schemas = Object.fromEntries(
    [...componentsOf(answers)].map((name) => [name, document.components.schemas[name]]),
  );

  test('no object in an answer is closed', () => {
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Session', 'Error', 'UploadError']));
    expect(JSON.stringify([answers, schemas])).not.toContain('"additionalProperties":false');
  });

  test('an object in a request is closed, so that a mistyped field is refused', () => {
    expect(document.components.schemas['Cancellation']).toMatchObject({ additionalProperties: false });
  });

  test.each(['ErrorCode', 'AuditAction'])('%s may have values that later versions add', (name) => {
    expect(schemas[name]).toMatchObject({
      type: 'string',
      'x-extensible-enum': expect.arrayContaining([expect.any(String)]) as string[],
    });
    expect(problemsOf(schemas[name] ?? {}, 'of_a_later_version')).toEqual([]);
  });
});

/** Sends a malformed JSON body, which `fetch` cannot send with GET. */
async function sendMalformed(origin: string, method: string, path: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const headers = { 'Content-Type': 'application/json', 'Content-Length': 1 };
  const sent = request(origin + path, { method, headers }, (response) => {
    response.resume().once('end', () => {
      resolve(response.statusCode);
    });
  });
  sent.once('error', reject).end('{');
  return promise;
}

test('every route that answers 400 to a malformed body declares it', async () => {
  const origin = await serve(createApp(createBackend(config, FEATURE_HOOKS)));
  for (const { method, path } of ROUTES.filter(({ form }) => form !== true)) {
    const status = await sendMalformed(origin, method.toUpperCase(), path.replaceAll(/[{}]/g, ''));
    const { responses } = document.paths[path]?.[method] as unknown as Operation;
    const declared = expect.stringContaining('invalid_request') as string;
    expect([path, status, responses[400]?.description]).toEqual([path, 400, declared]);
  }
});

test('an example of a failed upload has the message of its code, and no detail of a fault', () => {
  const { responses } = document.paths['/api/upload']?.['post'] as unknown as Operation;
  const examplesOf = (status: number) => responses[status]?.content?.['application/json']?.examples;
  const empty = { value: { error: 'The file is empty.' } };
  expect(examplesOf(400)).toMatchObject({ empty_file: empty });
  const failed = { value: { error: 'Failed to upload file' } };
  expect(examplesOf(500)).toEqual({ internal: failed, document_damaged: failed });
  expect(examplesOf(503)).toMatchObject({ storage_unavailable: failed });
});

test('the message of every example has its values', () => {
  expect(JSON.stringify(document.components.examples)).not.toMatch(/undefined|[{]\w+[}]/);
});

describe('the description of an operation', () => {
  test('a route of a team names its parameters, its codes by status and its answer', () => {
    expect(document.paths['/api/auth/teams/{teamId}/members/{uid}']?.['patch']).toMatchObject({
      operationId: 'changeRole',
      security: [{ sessionCookie: [] }, { idToken: [] }],
      parameters: [
        { name: 'teamId', in: 'path', required: true },
        { name: 'uid', in: 'path', required: true },
      ],
      requestBody: { content: { 'application/json': { schema: { required: ['role'] } } } },
      responses: {
        200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Member' } } } },
        403: {
          description:
            'foreign_origin, impersonation_not_allowed, app_check_required, app_check_failed, forbidden',
        },
        404: { description: 'team_not_found, member_not_found' },
        409: { description: 'last_owner, consent_required' },
      },
    });
  });

  test('a field with a default is optional in requests', () => {
    expect(document.paths['/api/auth/teams']?.['get']).toMatchObject({
      parameters: [
        { name: 'limit', in: 'query', required: false },
        { name: 'cursor', in: 'query', required: false },
      ],
    });
  });
});
