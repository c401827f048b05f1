import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../functions/src/app.ts';
import { firestoreAt, silentServer } from '../functions/src/firestore/testing/unreachable.ts';
import { openApiDocument } from '../functions/src/openapi/document.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { dbOn } from './support/database.ts';
import { formWith, png } from './support/files.ts';
import { signUpOperator } from './support/operators.ts';
import { signUp, startSession, type Person } from './support/people.ts';
import { call, errorOf, freshAddress, visit } from './support/requests.ts';
import { createTeam } from './support/teams.ts';

function signInFrom(app: AppUnderTest, forwarded: string, path = '/api/auth/session'): Promise<Response> {
  return call('POST', `${app.url}${path}`, {
    headers: { Origin: APP_URL, 'X-Forwarded-For': forwarded },
    json: { idToken: 'guess' },
  });
}

async function statuses(answers: Promise<Response>[]): Promise<number[]> {
  return (await Promise.all(answers)).map(({ status }) => status).sort();
}

const times = <Result>(count: number, ask: () => Promise<Result>) => Array.from({ length: count }, ask);

describe('sign-ins are limited by IP address', () => {
  test('also when they arrive at the same time, at different instances', async () => {
    await using one = await serveApp({ config: { sessionsPerMinute: 5 } });
    await using other = await serveApp({ config: { sessionsPerMinute: 5 } });
    const client = freshAddress();
    const answers = [
      ...times(5, () => signInFrom(one, client)),
      ...times(5, () => signInFrom(other, client)),
    ];
    expect(await statuses(answers)).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429, 429]);
  });

  test.each(['', '/', '//', '?', '/?a=b', '//?a=b', '/.//'])('also under the path with "%s"', async (end) => {
    await using app = await serveApp({ config: { sessionsPerMinute: 1 } });
    const client = freshAddress();
    await signInFrom(app, client);
    const { status, error } = await errorOf(await signInFrom(app, client, `/api/auth/session${end}`));
    // A doubled slash is an unknown address, which asks for a user. The route itself would name the session.
    expect([404, 429, 'Sign in first.']).toContain(status === 401 ? error : status);
  });

  test('and pages of other sites use nothing up in the browsers of their visitors', async () => {
    await using app = await serveApp({ config: { sessionsPerMinute: 1 } });
    const client = freshAddress();
    const foreign = await call('POST', `${app.url}/api/auth/session`, {
      headers: { Origin: 'https://evil.example', 'X-Forwarded-For': client },
      json: { idToken: 'guess' },
    });
    expect(foreign.status).toBe(403);
    expect((await signInFrom(app, client)).status).toBe(401);
  });

  test('in each instance for itself while Firestore does not answer', async () => {
    using silent = await silentServer();
    const firestore = firestoreAt(silent.port);
    await using app = await serveApp({
      config: { sessionsPerMinute: 2 },
      backend: { db: dbOn(() => Promise.resolve(firestore), { rateLimit: 50 }) },
    });
    const client = freshAddress();
    expect(await statuses(times(4, () => signInFrom(app, client)))).toEqual([401, 401, 429, 429]);
  });

  test('and the answer has the time to wait', async () => {
    await using app = await serveApp({ config: { sessionsPerMinute: 1 } });
    const client = freshAddress();
    await signInFrom(app, client);
    const refused = await signInFrom(app, client);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(await errorOf(refused)).toMatchObject({ status: 429, code: 'too_many_requests' });
  });

  test('and start again when the time is over', async () => {
    const start = Date.now();
    const clock = { now: start };
    await using app = await serveApp({
      config: { sessionsPerMinute: 1 },
      backend: { now: () => new Date(clock.now) },
    });
    const client = freshAddress();
    expect((await signInFrom(app, client)).status).toBe(401);
    clock.now = start + 61_000;
    expect((await signInFrom(app, client)).status).toBe(401);
  });

  test('and count the client, not the edge of Hosting before it', async () => {
    await using app = await serveApp({ config: { sessionsPerMinute: 1 } });
    const edge = freshAddress();
    const answers = times(5, () => signInFrom(app, `${freshAddress()}, ${edge}`));
    expect(await statuses(answers)).toEqual([401, 401, 401, 401, 401]);
  });

  test('and a forged address does not block the client', async () => {
    await using app = await serveApp({ config: { sessionsPerMinute: 1 } });
    const [office, edge, attacker] = [freshAddress(), freshAddress(), freshAddress()];
    const forged = times(3, () => signInFrom(app, `${office}, ${attacker}`));
    expect(await statuses(forged)).toEqual([401, 429, 429]);
    const genuine = times(2, () => signInFrom(app, `${office}, ${edge}`));
    expect(await statuses(genuine)).toEqual([401, 429]);
  });

  test('and forged addresses do not avoid the limit', async () => {
    await using app = await serveApp({ config: { sessionsPerMinute: 1 } });
    const attacker = freshAddress();
    const answers = times(60, () => signInFrom(app, `${freshAddress()}, ${attacker}`));
    expect((await statuses(answers)).filter((status) => status === 429)).toHaveLength(10);
  });
});

describe('each user is limited', () => {
  const invite = (app: AppUnderTest, person: Person, teamId: string) =>
    call('POST', `${app.url}/api/auth/teams/${teamId}/invitations`, {
      headers: person.bearer,
      json: { email: 'a@example.com', role: 'member' },
    });
  const upload = (app: AppUnderTest, headers: Record<string, string>) =>
    call('POST', `${app.url}/api/upload`, { headers, body: formWith(png(), 'a.png') });

  test('in invitations, and no other user with them', async () => {
    await using app = await serveApp({ config: { invitationsPerHour: 1 } });
    const [person, other] = await Promise.all([signUp(), signUp()]);
    const [teamId, otherTeam] = await Promise.all([createTeam(app.url, person), createTeam(app.url, other)]);
    expect((await invite(app, person, teamId)).status).toBe(201);
    expect((await invite(app, person, teamId)).status).toBe(429);
    expect((await invite(app, other, otherTeam)).status).toBe(201);
  });

  test('in uploads, with the one field "error"', async () => {
    await using app = await serveApp({ config: { uploadsPerHour: 1 } });
    const { bearer } = await signUp();
    expect((await upload(app, bearer)).status).toBe(200);
    const refused = await upload(app, bearer);
    expect([refused.status, Object.keys((await refused.json()) as object)]).toEqual([429, ['error']]);
  });

  test('in revoking URLs, to a tenth of the limit of uploads', async () => {
    await using app = await serveApp({ config: { uploadsPerHour: 10 } });
    const { bearer } = await signUp();
    const id = (await upload(app, bearer)).headers.get('X-Upload-Id') ?? '';
    const revoke = () => call('POST', `${app.url}/api/uploads/${id}/revoke`, { headers: bearer });
    expect((await revoke()).status).toBe(200);
    const refused = await revoke();
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect(await errorOf(refused)).toMatchObject({ status: 429, code: 'too_many_requests' });
  });

  test.each(['checkout/pro', 'portal', 'checkout/return?session_id=cs_test_1'])(
    'in links to Stripe: %s, without a call to Stripe over the limit',
    async (path) => {
      await using app = await serveApp({ config: { checkoutsPerHour: 2 } });
      const [person, other] = await Promise.all([signUp(), signUp()]);
      const url = `${app.url}/api/auth/${path}`;
      const ask = () => call('GET', url, { headers: person.bearer });
      await visit(`${app.url}/api/auth/portal`, person.bearer);
      await visit(`${app.url}/api/auth/portal`, { ...person.bearer, 'Sec-Purpose': 'prefetch' });
      expect((await ask()).status).not.toBe(429);
      await call('DELETE', `${app.stripe.url}/_emulator/requests`);
      const refused = await ask();
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
      expect(await errorOf(refused)).toMatchObject({ status: 429, code: 'too_many_requests' });
      const page = await visit(url, person.bearer);
      expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
      expect(await page.text()).toContain('href="/billing"');
      const log = await call('GET', `${app.stripe.url}/_emulator/requests`);
      expect(await log.json()).toMatchObject({ counts: {} });
      expect((await visit(url, other.bearer)).status).not.toBe(429);
    },
  );

  test('in anonymous uploads by IP address, to a lower limit', async () => {
    await using app = await serveApp({ config: { uploadRequiresAuth: false, uploadsPerHour: 10 } });
    const headers = { 'X-Forwarded-For': freshAddress() };
    expect((await upload(app, headers)).status).toBe(200);
    expect((await upload(app, headers)).status).toBe(429);
  });
});

describe('users of one IP address are limited together, to ten times the limit of each', () => {
  test.each([
    [
      'invitations',
      404,
      (app: AppUnderTest, headers: Record<string, string>) =>
        call('POST', `${app.url}/api/auth/teams/none/invitations`, {
          headers,
          json: { email: 'a@example.com', role: 'member' },
        }),
    ],
    [
      'uploads',
      200,
      (app: AppUnderTest, headers: Record<string, string>) =>
        call('POST', `${app.url}/api/upload`, { headers, body: formWith(png(), 'a.png') }),
    ],
  ])('in %s', async (_what, usual, ask) => {
    await using app = await serveApp({ config: { invitationsPerHour: 1, uploadsPerHour: 1 } });
    const people = await Promise.all(times(12, () => signUp()));
    const address = freshAddress();
    const from = (forwarded: string, some: Person[]) =>
      statuses(some.map(({ bearer }) => ask(app, { ...bearer, 'X-Forwarded-For': forwarded })));
    expect(await from(address, people.slice(0, 11))).toEqual([...Array<number>(10).fill(usual), 429]);
    expect(await from(freshAddress(), people.slice(11))).toEqual([usual]);
  });
});

describe('forged addresses do not remove the limit of one sender', () => {
  const FORGED = 60;

  test('in anonymous uploads', async () => {
    await using app = await serveApp({ config: { uploadRequiresAuth: false, uploadsPerHour: 1 } });
    const attacker = freshAddress();
    const answers = times(FORGED, () =>
      call('POST', `${app.url}/api/upload`, {
        headers: { 'X-Forwarded-For': `${freshAddress()}, ${attacker}` },
        body: formWith('MZ', 'a.exe'),
      }),
    );
    expect((await statuses(answers)).filter((status) => status === 429)).toHaveLength(FORGED - 50);
  });
});

test('sign-ins of one user are limited, from any IP addresses', async () => {
  await using app = await serveApp({ config: { sessionsPerMinute: 2 } });
  const [person, other] = await Promise.all([signUp(), signUp()]);
  const begin = ({ idToken }: Person) =>
    call('POST', `${app.url}/api/auth/session`, {
      headers: { Origin: APP_URL, 'X-Forwarded-For': freshAddress() },
      json: { idToken },
    });
  expect(await statuses(times(3, () => begin(person)))).toEqual([201, 201, 429]);
  expect((await begin(other)).status).toBe(201);
});

describe('an invitation of several addresses takes one point for each address', () => {
  async function inviter(invitationsPerHour: number) {
    const apps = await Promise.all([1, 2].map(() => serveApp({ config: { invitationsPerHour } })));
    const [one, other] = apps as [AppUnderTest, AppUnderTest];
    const owner = await signUp();
    const teamId = await createTeam(one.url, owner);
    const invite = (app: AppUnderTest, names: string[], role = 'member') =>
      call('POST', `${app.url}/api/auth/teams/${teamId}/invitations`, {
        headers: owner.bearer,
        json: { emails: names.map((name) => `${name}@example.com`), role },
      });
    return {
      one,
      other,
      invite,
      [Symbol.asyncDispose]: async () => {
        await Promise.all(apps.map((app) => app[Symbol.asyncDispose]()));
      },
    };
  }

  test('and a refused one leaves its points to smaller ones, on every instance', async () => {
    await using test = await inviter(4);
    const { one, other, invite } = test;
    expect((await invite(one, ['a', 'b'])).status).toBe(200);
    expect((await invite(one, ['c', 'd', 'e'])).status).toBe(429);
    expect((await invite(one, ['c'])).status).toBe(200);
    expect((await invite(other, ['d', 'e'])).status).toBe(429);
    expect((await invite(other, ['d'])).status).toBe(200);
    expect((await invite(one, ['e'])).status).toBe(429);
    expect((await invite(other, ['e'])).status).toBe(429);
  });

  test('and none if the body is not valid', async () => {
    await using test = await inviter(2);
    const { one, invite } = test;
    for (let index = 0; index < 3; index += 1) {
      expect((await invite(one, ['a', 'b'], 'typo')).status).toBe(400);
    }
    expect((await invite(one, ['a', 'b'])).status).toBe(200);
  });

  test('and one above the whole limit is refused with the highest number', async () => {
    await using test = await inviter(2);
    const { one, invite } = test;
    const refused = await errorOf(await invite(one, ['a', 'b', 'c']));
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(refused.error).toContain('at most 2');
    expect((await invite(one, ['a', 'b'])).status).toBe(200);
  });
});

test('a user changes the profile at most 30 times in an hour', async () => {
  await using app = await serveApp();
  const { bearer } = await signUp();
  const rename = (name: string) =>
    call('PATCH', `${app.url}/api/auth/user`, { headers: bearer, json: { displayName: name } });
  for (let index = 0; index < 30; index += 1) expect((await rename(`Ada ${index}`)).status).toBe(200);
  expect(await errorOf(await rename('Ada'))).toMatchObject({ status: 429, code: 'too_many_requests' });
});

describe('a user who reads too often', () => {
  test('is refused, and can still write', async () => {
    await using app = await serveApp({ config: { readsPerMinute: 2 } });
    const reader = await signUp();
    const read = () => call('GET', `${app.url}/api/auth/teams`, { headers: reader.bearer });
    expect(await statuses(times(3, read))).toEqual([200, 200, 429]);
    expect(Number((await read()).headers.get('retry-after'))).toBeGreaterThan(0);
    await createTeam(app.url, reader);
  });
});

describe('a user who writes too often', () => {
  const { paths } = openApiDocument({ appUrl: APP_URL }, ROUTES);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { security: object[]; responses: Record<string, unknown> }>)
      .filter(([, { security }]) => security.length > 0)
      .map(([method, { responses }]) => ({
        method: method.toUpperCase(),
        path,
        writes: method !== 'get' || '303' in responses,
      })),
  );
  const isSignOut = ({ method, path }: { method: string; path: string }) =>
    method === 'DELETE' && path === '/api/auth/session';

  let app: AppUnderTest;
  let person: Person;
  const ask = ({ method, path }: { method: string; path: string }, { bearer }: Person) =>
    call(method, app.url + path.replaceAll(/\{\w+\}/g, 'none'), { headers: bearer });
  const rename = ({ bearer }: Person) =>
    call('PATCH', `${app.url}/api/auth/user`, { headers: bearer, json: { displayName: 'Ada' } });
  beforeAll(async () => {
    app = await serveApp({ config: { writesPerMinute: 2 } });
    // An operator, because the routes for operators do not exist for others.
    person = await signUpOperator();
    expect(await statuses(times(3, () => rename(person)))).toEqual([200, 200, 429]);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test.each(operations.filter((operation) => operation.writes && !isSignOut(operation)))(
    'is refused by $method $path',
    async (operation) => {
      const refused = await ask(operation, person);
      const seconds = Number(refused.headers.get('retry-after'));
      expect([refused.status, seconds > 0 && seconds <= 60]).toEqual([429, true]);
    },
  );

  test.each(operations.filter(({ writes }) => !writes))(
    'is still allowed $method $path',
    async (operation) => {
      expect((await ask(operation, person)).status).not.toBe(429);
    },
  );

  test('does not affect the writes of others', async () => {
    expect((await rename(await signUp())).status).toBe(200);
  });

  test('can still sign out, here and everywhere', async () => {
    const cookie = await startSession(app.url, person);
    const out = (query: string) =>
      call('DELETE', `${app.url}/api/auth/session${query}`, { headers: { ...cookie, Origin: APP_URL } });
    expect((await rename(person)).status).toBe(429);
    expect((await out('?everywhere=true')).status).toBe(204);
    expect((await out('')).status).toBe(204);
  });
});
