import { describe, expect, inject, test } from 'vitest';
import { formWith, png } from './support/files.ts';
import { signUp } from './support/people.ts';
import { call, locationOf, visit } from './support/requests.ts';

const { urls } = inject('stack');
const entrances = [
  ['behind Hosting', urls.app],
  ['directly on the function', urls.api],
] as const;

describe.each(entrances)('the API %s', (_where, base) => {
  test('keeps its own headers', async () => {
    const response = await fetch(`${base}/api/health`);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('accepts a session, by cookie and by token', async () => {
    const person = await signUp();
    const created = await call('POST', `${base}/api/auth/session`, {
      headers: { Origin: urls.app },
      json: { idToken: person.idToken },
    });
    expect(created.status).toBe(201);
    const Cookie = created.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    for (const headers of [{ Cookie }, person.bearer]) {
      const session = await call('GET', `${base}/api/auth/session`, { headers });
      expect(await session.json()).toMatchObject({ user: { uid: person.uid } });
    }
  });

  test('redirects a signed-out visitor of an invitation to sign in, with the URL behind Hosting', async () => {
    const path = `/api/team/accept-invitation?invitationId=${'a'.repeat(40)}`;
    const response = await visit(base + path);
    expect(response.status).toBe(303);
    expect(locationOf(response).searchParams.get('callback')).toBe(urls.app + path);
  });

  test('receives the raw bytes of a form', async () => {
    const { bearer } = await signUp();
    const response = await call('POST', `${base}/api/upload`, {
      headers: bearer,
      body: formWith(png(), 'a.png'),
    });
    expect(response.status).toBe(200);
  });

  test('answers an unknown path with JSON', async () => {
    const response = await fetch(`${base}/api/nothing`);
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: 'There is nothing at this URL.', code: 'not_found' },
    ]);
  });
});

describe('Hosting', () => {
  test.each([
    '/',
    '/auth/sign-in',
    '/auth/action',
    '/dashboard',
    '/files',
    '/billing',
    '/billing/success',
    '/account',
  ])('serves the page %s, which may load its own scripts only', async (path) => {
    const response = await fetch(urls.app + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
  });

  test('serves its reserved pages, which Firebase uses to sign in, without the headers of the app', async () => {
    const response = await fetch(`${urls.app}/__/firebase/init.json`);
    expect([response.status, response.headers.get('content-security-policy')]).toEqual([200, null]);
  });

  test('answers 404 where there is no page', async () => {
    expect((await fetch(`${urls.app}/nothing`)).status).toBe(404);
  });
});
