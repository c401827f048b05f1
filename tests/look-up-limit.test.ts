import { expect, test } from 'vitest';
import { serveApp } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { signUp } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';

/** `RATE_LIMITS.lookUps` with one write in a minute. */
const LOOK_UPS = 121;

test('requests that look up their user are limited, but the user can sign out everywhere', async () => {
  await using app = await serveApp({ config: { writesPerMinute: 1 } });
  const { bearer } = await signUp();
  const read = () => call('GET', `${app.url}/api/auth/sessions`, { headers: bearer });
  const answers = await Promise.all(Array.from({ length: LOOK_UPS + 4 }, read));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ status }) => status)).toEqual([429, 429, 429, 429]);
  expect(Number(refused[0]?.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(await errorOf(await read())).toMatchObject({ status: 429, code: 'too_many_requests' });
  const signOut = { headers: { ...bearer, Origin: APP_URL } };
  expect((await call('DELETE', `${app.url}/api/auth/session?everywhere=true`, signOut)).status).toBe(204);
});

test('requests to sign out everywhere are limited, too', async () => {
  await using app = await serveApp({ config: { writesPerMinute: 1 } });
  const { bearer } = await signUp();
  const statuses: number[] = [];
  for (let index = 0; index < 12; index += 1) {
    const path = '/api/auth/session?everywhere=true';
    statuses.push((await call('DELETE', app.url + path, { headers: bearer })).status);
  }
  expect(statuses).toEqual([204, ...Array.from({ length: 9 }, () => 401), 429, 429]);
});
