import { beforeAll, describe, expect, inject, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { signUp } from './support/people.ts';
import { call, locationOf, visit } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import { createTeam, inviteTo, mailedLinks } from './support/teams.ts';

const APPLE = '/.well-known/apple-app-site-association';
const ANDROID = '/.well-known/assetlinks.json';

const resources = useResources();
let app: AppUnderTest;
beforeAll(async () => {
  const config = {
    iosAppIds: ['ABCDE12345.com.example.app'],
    androidPackages: ['com.example.app'],
    androidFingerprints: [Array(32).fill('AB').join(':')],
  };
  app = resources.use(await serveApp({ config }));
});

describe.each([APPLE, ANDROID])('%s', (path) => {
  test('is JSON for everybody, without a redirect, and may be cached', async () => {
    const response = await call('GET', app.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
  });

  test('is passed on by Hosting, and is 404 without an app', async () => {
    const response = await call('GET', inject('stack').urls.app + path);
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: 'There is nothing at this URL.', code: 'not_found' },
    ]);
  });
});

interface Association {
  applinks: { details: { components: { '/': string }[] }[] };
}

test('the links of an invitation mail open the app, which replies by the id in the link', async () => {
  const association = (await (await call('GET', app.url + APPLE)).json()) as Association;
  const paths = association.applinks.details.flatMap(({ components }) => components.map((one) => one['/']));
  const [owner, guest] = await Promise.all([signUp(), signUp()]);
  const teamId = await createTeam(app.url, owner);
  await inviteTo(app.url, owner, teamId, guest.email);
  const links = await mailedLinks(guest.email);
  expect(paths).toEqual([new URL(links.accept).pathname, new URL(links.reject).pathname]);

  const [id] = (new URL(links.accept).searchParams.get('invitationId') ?? '').split('.');
  const accepted = await call('POST', `${app.url}/api/auth/invitations/${id ?? ''}/accept`, {
    headers: guest.bearer,
  });
  expect([accepted.status, await accepted.json()]).toEqual([200, { teamId }]);
});

test('without the app the same link leads to the pages', async () => {
  const [owner, guest] = await Promise.all([signUp(), signUp()]);
  await inviteTo(app.url, owner, await createTeam(app.url, owner), guest.email);
  const { accept } = await mailedLinks(guest.email);
  const opened = await visit(accept.replace(APP_URL, app.url));
  expect([opened.status, locationOf(opened).pathname]).toEqual([303, '/auth/sign-in']);
});
