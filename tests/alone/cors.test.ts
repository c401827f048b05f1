import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchChromium } from '@hearth/testing/chromium';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { serveFunction, type FunctionProcess } from '../support/function-process.ts';
import { signUp } from '../support/people.ts';
import { call } from '../support/requests.ts';

const ALLOWED = 'https://partner.example.com';

/** The page of an allowed origin, a page of another one, and the function, which knows the first. */
let allowedPage: string;
let foreignPage: string;
let api: FunctionProcess;
let browser: Browser;
beforeAll(async () => {
  [allowedPage, foreignPage, browser] = await Promise.all([servePage(), servePage(), launchChromium()]);
  api = await serveFunction({
    settings: {
      ALLOWED_ORIGINS: `${ALLOWED},${allowedPage}`,
      UPLOAD_REQUIRES_AUTH: 'false',
      UPLOADS_PER_HOUR: '1',
    },
  });
});
afterAll(async () => {
  await browser.close();
  await api[Symbol.asyncDispose]();
  for (const server of servers) server.close();
});

const servers: ReturnType<typeof createServer>[] = [];

/** An empty page on an origin of its own. */
async function servePage(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Page</title>');
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const corsHeadersOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

const ACTUAL = {
  'access-control-allow-origin': ALLOWED,
  'access-control-expose-headers': 'X-Request-Id, X-Upload-Id, Retry-After',
};

function preflight(path: string, origin: string): Promise<Response> {
  return call('OPTIONS', api.url + path, {
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'DELETE',
      'Access-Control-Request-Headers': 'authorization',
    },
  });
}

test.each(['/api/auth/session', '/api/auth/teams', '/api/upload', '/api/uploads/none', '/api/auth/plans'])(
  'a preflight of an allowed origin for %s is answered without authentication',
  async (path) => {
    const answer = await preflight(path, ALLOWED);
    expect(answer.status).toBe(204);
    expect(answer.headers.get('vary')).toBe('Origin');
    expect(corsHeadersOf(answer)).toEqual({
      'access-control-allow-origin': ALLOWED,
      'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
      'access-control-allow-headers': 'Authorization, Content-Type, X-Firebase-AppCheck',
      'access-control-max-age': '7200',
    });
  },
);

test.each(['https://evil.example', `${ALLOWED}.evil.example`, `${ALLOWED}/`, `${ALLOWED}:8443`, 'null'])(
  'the origin %s is not allowed',
  async (origin) => {
    const { bearer } = await signUp();
    const answers = [
      await preflight('/api/auth/teams', origin),
      await call('GET', `${api.url}/api/auth/teams`, { headers: { Origin: origin, ...bearer } }),
    ];
    expect(answers.map(corsHeadersOf)).toEqual([{}, {}]);
    expect(answers.map(({ headers }) => headers.get('vary'))).toEqual(['Origin', 'Origin']);
  },
);

test('no origin is allowed if none is configured', async () => {
  await using closed = await serveFunction();
  const headers = { Origin: ALLOWED, 'Access-Control-Request-Method': 'GET' };
  const answer = await call('OPTIONS', `${closed.url}/api/auth/teams`, { headers });
  expect(corsHeadersOf(answer)).toEqual({});
});

test('pages can read answers and errors to a bearer token', async () => {
  const { bearer } = await signUp();
  const ask = (method: string, path: string, options: Parameters<typeof call>[2] = {}) =>
    call(method, api.url + path, { ...options, headers: { Origin: ALLOWED, ...bearer, ...options.headers } });
  const answers = [
    await ask('GET', '/api/auth/teams'),
    await ask('GET', '/api/auth/teams', { headers: { Authorization: 'Bearer nonsense' } }),
    await ask('GET', '/api/auth/teams/none'),
    await ask('POST', '/api/auth/teams', { json: { name: 'x'.repeat(70_000) } }),
    await ask('POST', '/api/auth/teams', { headers: { 'Content-Encoding': 'gzip' }, json: {} }),
    await ask('POST', '/api/upload', { json: {} }),
    await ask('POST', '/api/upload', { json: {} }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 413, 415, 415, 429]);
  for (const answer of answers) expect(corsHeadersOf(answer)).toEqual(ACTUAL);
});

test('pages cannot read answers to the session cookie, and the cookie cannot write', async () => {
  const headers = { Origin: ALLOWED, Cookie: '__session=any' };
  const answer = await call('POST', `${api.url}/api/auth/teams`, { headers, json: { name: 'Acme' } });
  expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'foreign_origin' }]);
  expect(corsHeadersOf(answer)).toEqual({});
});

test('no answer lets a browser send credentials on its own', async () => {
  const { bearer } = await signUp();
  const answer = await call('GET', `${api.url}/api/auth/teams`, {
    headers: { Origin: ALLOWED, Cookie: '__session=any', ...bearer },
  });
  expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
});

/** The result of an API call by a script of the page. */
async function fetchFrom(page: string, headers: Record<string, string>): Promise<unknown> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const tab = await context.newPage();
  await tab.goto(page);
  return tab.evaluate(
    async ([url, sent]) => {
      try {
        const response = await fetch(url, { method: 'POST', headers: sent, body: '{"name":"Acme"}' });
        const requestId = response.headers.get('X-Request-Id');
        return { status: response.status, requestId, body: (await response.json()) as unknown };
      } catch (error) {
        return String(error);
      }
    },
    [`${api.url}/api/auth/teams`, headers] as const,
  );
}

test('in a browser a page of an allowed origin can call the API, and a page of another one cannot', async () => {
  const { bearer } = await signUp();
  const headers = { ...bearer, 'Content-Type': 'application/json' };
  const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
  expect(await fetchFrom(allowedPage, headers)).toMatchObject({
    status: 201,
    requestId,
    body: { name: 'Acme' },
  });
  expect(await fetchFrom(allowedPage, { ...headers, Authorization: 'Bearer nonsense' })).toMatchObject({
    status: 401,
    requestId,
    body: { code: 'unauthenticated' },
  });
  expect(await fetchFrom(foreignPage, headers)).toBe('TypeError: Failed to fetch');
});
