import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { signUp, type Person } from './support/people.ts';
import { call } from './support/requests.ts';

let app: AppUnderTest;
let person: Person;
beforeAll(async () => {
  app = await serveApp();
  person = await signUp();
});
afterAll(() => app[Symbol.asyncDispose]());

test.each([
  ['/api/auth/checkout/pro', 405, 'GET'],
  ['/api/auth/portal', 405, 'GET, POST'],
  ['/api/team/accept-invitation', 405, 'GET'],
  ['/api/auth/checkout', 404, null],
  ['/api/auth/teams', 404, null],
  ['/api/team/ask-for-invitation', 404, null],
  ['/api/team/unknown', 404, null],
])('PUT %s is answered %i with Allow: %s', async (path, status, allowed) => {
  const response = await call('PUT', app.url + path, { headers: person.bearer });
  expect([response.status, response.headers.get('Allow')]).toEqual([status, allowed]);
});

test.each(['/api/usage', '/api/health', '/api/webhooks/stripe', '/api/auth/teams', '/api/unknown'])(
  'OPTIONS %s without a preflight is answered 404, so that no answer shows which paths exist',
  async (path) => {
    const response = await call('OPTIONS', app.url + path, { headers: person.bearer });
    expect([response.status, response.headers.get('Allow')]).toEqual([404, null]);
  },
);

describe.each(['/api/auth/unknown', '/api/upload/unknown', '/unknown'])(
  'the path %s, which no route has',
  (path) => {
    test.each<[what: string, headers: Record<string, string>, body: string]>([
      ['a compressed body', { 'Content-Encoding': 'gzip' }, '{}'],
      ['a large body', {}, `"${'x'.repeat(100_000)}"`],
      ['malformed JSON', {}, '{'],
    ])('is answered 404 with %s', async (_what, headers, body) => {
      const response = await fetch(app.url + path, {
        method: 'POST',
        headers: { ...person.bearer, 'Content-Type': 'application/json', ...headers },
        body,
      });
      expect(response.status).toBe(404);
    });
  },
);
