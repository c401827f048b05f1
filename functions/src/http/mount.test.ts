import express from 'express';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Backend } from '../backend.ts';
import { createLimiters } from '../rate-limits/limiters.ts';
import { windowCounter } from '../rate-limits/window-counter.ts';
import { refusal } from '../refusals/refusals.ts';
import type { Config } from '../settings/config.ts';
import { empty, jsonDownload, json, htmlPage, redirect } from './answer.ts';
import { jsonErrors } from './errors/render-error.ts';
import type { GuardContext } from './guards.ts';
import { routerOf, type UnknownPaths } from './mount.ts';
import { route, type Route } from './route.ts';
import { serve } from './testing/serve.ts';

const config = {
  appUrl: 'https://app.example.com',
  ownOrigins: [],
  hostingSites: [],
  allowedOrigins: [],
  signInPath: '/sign-in',
  appCheckRequired: false,
} as unknown as Config;
const backend = { config, now: () => new Date() } as unknown as Backend;

/** Firebase Auth is not needed: no request of these tests has credentials. */
const context = {
  backend,
  limiters: createLimiters(backend),
  authenticationDependencies: { config, sessionExists: () => Promise.resolve(true) },
  callerGuardDependencies: {
    writes: windowCounter({ points: 1_000, seconds: 60 }),
    reads: windowCounter({ points: 1_000, seconds: 60 }),
  },
} as unknown as GuardContext;

async function start(routes: Route[], unknown: UnknownPaths[] = []) {
  const app = express();
  app.use(routerOf(context, routes, unknown));
  app.use(() => {
    throw refusal('not_found');
  });
  app.use(jsonErrors);
  const origin = await serve(app);
  return (path: string, options: RequestInit = {}) =>
    fetch(origin + path, { redirect: 'manual', ...options });
}

const common = { tag: 'Tests', summary: 'Test', description: 'Test.' } as const;
const open = { ...common, access: 'public', appCheck: false } as const;

const postJson = (value: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
});

describe('a route', () => {
  const closed = route({
    ...common,
    id: 'closed',
    method: 'get',
    path: '/closed/{id}',
    params: z.object({ id: z.string().max(3) }),
    answers: { 204: empty('Done.') },
    handler: () => Promise.resolve({ status: 204 as const }),
  });

  test('without declared access refuses a request without credentials, before it validates', async () => {
    const ask = await start([closed]);
    expect((await ask('/closed/a')).status).toBe(401);
    expect((await ask('/closed/too-long')).status).toBe(401);
  });

  test('has a case-sensitive path', async () => {
    expect((await (await start([closed]))('/CLOSED/a')).status).toBe(404);
  });

  test('gets validated params, query and body', async () => {
    const echo = route({
      ...open,
      id: 'echo',
      method: 'post',
      path: '/echo/{id}',
      params: z.object({ id: z.string() }),
      query: z.strictObject({ limit: z.coerce.number().default(5) }),
      body: z.strictObject({ name: z.string() }),
      answers: {
        200: json('Input.', z.strictObject({ id: z.string(), limit: z.number(), name: z.string() })),
      },
      handler: ({ params, query, body }) =>
        Promise.resolve({ status: 200 as const, body: { ...params, ...query, ...body } }),
    });
    const ask = await start([echo]);
    expect(await (await ask('/echo/a', postJson({ name: 'n' }))).json()).toEqual({
      id: 'a',
      limit: 5,
      name: 'n',
    });
    expect((await ask('/echo/a?other=1', postJson({ name: 'n' }))).status).toBe(400);
    expect((await ask('/echo/a', postJson({ name: 1 }))).status).toBe(400);
    expect((await ask('/echo/a', { method: 'POST', body: 'name=n' })).status).toBe(415);
  });

  test('has its own largest body', async () => {
    const small = route({
      ...open,
      id: 'small',
      method: 'post',
      path: '/small',
      maxBytes: () => 10,
      answers: { 204: empty('Done.') },
      handler: () => Promise.resolve({ status: 204 as const }),
    });
    const ask = await start([small]);
    expect((await ask('/small', { method: 'POST', body: 'x'.repeat(10) })).status).toBe(204);
    expect((await ask('/small', { method: 'POST', body: 'x'.repeat(11) })).status).toBe(413);
  });

  test('can only answer what it declares', () => {
    const declared = {
      ...open,
      id: 'a',
      method: 'get',
      path: '/a',
      answers: { 200: json('A.', z.string()) },
    } as const;
    // @ts-expect-error 204 is not declared
    route({ ...declared, handler: () => Promise.resolve({ status: 204 as const }) });
    // @ts-expect-error the body is not a string
    route({ ...declared, handler: () => Promise.resolve({ status: 200 as const, body: 1 }) });
  });
});

describe('an answer is written', () => {
  const answers = {
    200: json('JSON.', z.literal(1), { 'X-Count': 'A count.' }),
    201: htmlPage('HTML.'),
    202: jsonDownload('A file.', z.unknown()),
    204: empty('Nothing.'),
    303: redirect('Elsewhere.'),
  };

  async function* chunks() {
    yield '{"a":';
    yield await Promise.resolve('1}');
  }

  const RESULTS = {
    json: { status: 200, body: 1, headers: { 'X-Count': '1' } },
    page: { status: 201, html: '<p>a</p>' },
    file: { status: 202, fileName: 'a.json', text: chunks() },
    empty: { status: 204 },
    redirect: { status: 303, location: '/there' },
  } as const;

  test.each([
    ['json', '1', { 'x-count': '1' }],
    ['page', '<p>a</p>', { 'content-type': 'text/html; charset=utf-8' }],
    [
      'file',
      '{"a":1}',
      { 'content-disposition': expect.stringMatching(/^attachment; filename="?a.json"?$/) as string },
    ],
    ['empty', '', {}],
    ['redirect', expect.stringContaining('/there') as string, { location: '/there' }],
  ] as const)('as %s', async (kind, body, headers) => {
    const result = RESULTS[kind];
    const one = route({
      ...open,
      id: 'one',
      method: 'get',
      path: '/one',
      answers,
      handler: () => Promise.resolve(result),
    });
    const response = await (await start([one]))('/one');
    expect([response.status, await response.text()]).toEqual([result.status, body]);
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
  });
});

describe('an unknown path below a guarded prefix', () => {
  test('is refused like the routes below the prefix', async () => {
    const ask = await start([], [{ prefix: '/api', declaration: {} }]);
    expect((await ask('/api/anything')).status).toBe(401);
    expect((await ask('/api')).status).toBe(401);
    expect((await ask('/apis')).status).toBe(404);
  });

  test.each<[what: string, headers: Record<string, string>, body: string]>([
    ['compressed', { 'Content-Encoding': 'gzip' }, '{}'],
    ['large', {}, 'x'.repeat(100_000)],
  ])('is refused like that with a body that is %s', async (_what, headers, body) => {
    const ask = await start([], [{ prefix: '/api', declaration: {} }]);
    expect((await ask('/api/anything', { method: 'POST', headers, body })).status).toBe(401);
  });

  test('redirects a signed-out visitor if its guards say so', async () => {
    const ask = await start([], [{ prefix: '/api', declaration: { signedOut: 'to-sign-in' } }]);
    const response = await ask('/api/anything');
    expect([response.status, response.headers.get('Location')?.split('?')[0]]).toEqual([303, '/sign-in']);
  });
});
