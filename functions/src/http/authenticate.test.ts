import express from 'express';
import { beforeEach, describe, expect, test } from 'vitest';
import { ROUTES } from '../app.ts';
import type { StateFreshness } from '../auth/identify.ts';
import { createSignInTrust } from '../auth/users/sign-in-trust.ts';
import type { Backend } from '../backend.ts';
import { createLimiters } from '../rate-limits/limiters.ts';
import { windowCounter, type WindowCounter } from '../rate-limits/window-counter.ts';
import { refusal } from '../refusals/refusals.ts';
import type { Config } from '../settings/config.ts';
import { empty } from './answer.ts';
import { jsonErrors } from './errors/render-error.ts';
import type { GuardContext } from './guards.ts';
import { routerOf } from './mount.ts';
import { needsCurrentState, route, type Route, type GuardDeclaration } from './route.ts';
import { serve } from './testing/serve.ts';

const config = {
  appUrl: 'https://app.example.com',
  ownOrigins: [],
  hostingSites: [],
  allowedOrigins: [],
  signInPath: '/sign-in',
  appCheckRequired: false,
} as unknown as Config;

/** The steps of the requests, in order. */
let events: string[];
/** Answers whether the document of the session exists. */
let sessionExists: () => Promise<boolean>;
let reads: WindowCounter;
beforeEach(() => {
  events = [];
  sessionExists = () => Promise.resolve(true);
  reads = windowCounter({ points: 3, seconds: 60 });
});

const lookUp = (age: StateFreshness) => (uid: string) => {
  events.push(age);
  return Promise.resolve({ uid, disabled: false, providerData: [], customClaims: {} });
};

const backend = { config, now: () => new Date() } as unknown as Backend;
const context = {
  backend,
  limiters: createLimiters(backend),
  authenticationDependencies: {
    config,
    verifyToken: () =>
      Promise.resolve({ uid: 'ada', signedInAt: new Date(0), signInMethod: 'custom', providerUids: [] }),
    userStates: { cachedOrCurrent: lookUp('cached'), current: lookUp('current') },
    sessionExists: () => {
      events.push('session');
      return sessionExists();
    },
    countLookUp: () => undefined,
    countSignOutLookUp: () => undefined,
    signInTrust: createSignInTrust(),
    now: backend.now,
  },
  callerGuardDependencies: {
    writes: {
      count: () => {
        events.push('write');
      },
    },
    reads: {
      count: (uid: string) => {
        reads.count(uid);
      },
      giveBack: (uid: string) => {
        reads.giveBack(uid);
      },
    },
    now: backend.now,
  },
} as unknown as GuardContext;

const BY_COOKIE = { Cookie: '__session=of-ada', Origin: config.appUrl };

interface Sending {
  method?: Route['method'];
  fail?: boolean;
  path?: string;
  headers?: Record<string, string>;
}

async function ask(
  guards: Partial<GuardDeclaration>,
  { method = 'get', fail = false, path = '/one', headers = {} }: Sending = {},
): Promise<Response> {
  const one = route({
    id: 'one',
    method,
    path: '/one',
    tag: 'Tests',
    summary: 'Test',
    description: 'Test.',
    ...(guards as object),
    answers: { 204: empty('Done.') },
    handler: () => {
      events.push('handler');
      if (fail) throw refusal('team_not_found');
      return Promise.resolve({ status: 204 as const });
    },
  });
  const app = express();
  app.use(routerOf(context, [one], [{ prefix: '/unknown', declaration: {} }]), jsonErrors);
  return fetch((await serve(app)) + path, {
    method: method.toUpperCase(),
    headers: { ...BY_COOKIE, ...headers },
    redirect: 'manual',
  });
}

describe('a request', () => {
  test.each<
    [what: string, guards: Partial<GuardDeclaration>, method: Route['method'], expected: StateFreshness]
  >([
    ['that reads', {}, 'get', 'cached'],
    ['that reads what must not be cached', { readsCurrentState: true }, 'get', 'current'],
    ['that follows a link which acts', { linkGuard: 'no-prefetch' }, 'get', 'current'],
    ['that creates', {}, 'post', 'current'],
    ['that changes', {}, 'patch', 'current'],
    ['that deletes', {}, 'delete', 'current'],
    ['that creates where a cached state is enough', { readsCurrentState: false }, 'post', 'cached'],
  ])('%s: %j %s uses the %s state of the user', async (_what, guards, method, expected) => {
    expect((await ask(guards, { method })).status).toBe(204);
    expect(events).toContain(expected);
  });

  test('that follows a link counts as a write, unless it is a prefetch', async () => {
    const link = { linkGuard: 'no-prefetch' } as const;
    expect((await ask(link, { headers: { 'Sec-Purpose': 'prefetch' } })).status).toBe(403);
    expect(events).not.toContain('write');
    expect((await ask(link)).status).toBe(204);
    expect(events.filter((event) => event === 'write')).toHaveLength(1);
  });

  test('that only reads is limited for each user; one that writes does not count', async () => {
    const statuses: number[] = [];
    for (const method of ['get', 'patch', 'get', 'get', 'get', 'patch'] as const)
      statuses.push((await ask({}, { method })).status);
    expect(statuses).toEqual([204, 204, 204, 204, 429, 204]);
    expect((await ask({}, { path: '/unknown' })).status).toBe(429);
  });

  test('that reads with an ended session does not count for the user', async () => {
    sessionExists = () => Promise.resolve(false);
    for (let index = 0; index < 5; index += 1) expect((await ask({})).status).toBe(401);
    sessionExists = () => Promise.resolve(true);
    expect((await ask({})).status).toBe(204);
  });

  test('uses the current state of the user if its handler authenticates', async () => {
    const deferred = route({
      id: 'deferred',
      method: 'delete',
      path: '/deferred',
      tag: 'Tests',
      summary: 'Test',
      description: 'Test.',
      access: 'in-handler',
      answers: { 204: empty('Done.') },
      handler: async ({ authenticate }) => {
        await authenticate();
        events.push('handler');
        return { status: 204 as const };
      },
    });
    const app = express().use(routerOf(context, [deferred], []), jsonErrors);
    const send = { method: 'DELETE', headers: BY_COOKIE };
    const origin = await serve(app);
    expect((await fetch(`${origin}/deferred`, send)).status).toBe(204);
    expect(events).toEqual(['current', 'session', 'handler']);
    sessionExists = () => Promise.resolve(false);
    expect((await fetch(`${origin}/deferred`, send)).status).toBe(401);
    expect(events.filter((event) => event === 'handler')).toHaveLength(1);
  });
});

describe('the document of the session', () => {
  test('is read while the handler runs, if the request only reads', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    sessionExists = () => promise;
    const response = ask({});
    await expect.poll(() => events).toContain('handler');
    resolve(true);
    expect((await response).status).toBe(204);
    expect(events).toEqual(['cached', 'session', 'handler']);
  });

  test('decides about the answer of a request that only reads, even if the handler refuses first', async () => {
    sessionExists = () => Promise.resolve(false);
    for (const fail of [false, true]) {
      expect((await ask({}, { fail })).status).toBe(401);
    }
  });

  test('leads to 503 if it cannot be read, for a request that only reads', async () => {
    sessionExists = () => Promise.reject(refusal('busy'));
    const response = await ask({});
    expect([response.status, response.headers.getSetCookie()]).toEqual([503, []]);
  });

  test.each<[what: string, guards: Partial<GuardDeclaration>, method: Route['method']]>([
    ['changes something', {}, 'post'],
    ['changes something with a cached state of the user', { readsCurrentState: false }, 'post'],
    ['follows a link which acts', { linkGuard: 'no-prefetch' }, 'get'],
    [
      'is counted by a limit',
      { limits: [{ limit: () => ({ name: 'a', points: 9, seconds: 9 }), by: 'ip-per-instance' }] },
      'get',
    ],
  ])('is read before the handler runs, for a request that %s', async (_what, guards, method) => {
    sessionExists = () => Promise.resolve(false);
    expect((await ask(guards, { method })).status).toBe(401);
    expect(events).not.toContain('handler');
  });

  test.each(['to-sign-in', 'browsers-to-sign-in'] as const)(
    'leads to the sign-in page if it is missing, for a request that only reads with %s',
    async (signedOut) => {
      sessionExists = () => Promise.resolve(false);
      const response = await ask({ signedOut }, { headers: { Accept: 'text/html' } });
      expect([response.status, response.headers.get('Location')]).toEqual([
        303,
        expect.stringMatching(/^\/sign-in\?/),
      ]);
      expect(events).not.toContain('handler');
    },
  );

  test('decides about requests to unknown paths', async () => {
    sessionExists = () => Promise.resolve(false);
    expect((await ask({}, { path: '/unknown/address' })).status).toBe(401);
  });
});

/** The browser may have a newer cookie by the time that the answer arrives. */
describe('the refusal of a cookie', () => {
  beforeEach(() => {
    sessionExists = () => Promise.resolve(false);
  });

  test.each<[what: string, guards: Partial<GuardDeclaration>, method: Route['method']]>([
    ['by a request that reads', {}, 'get'],
    ['by a request that changes something', {}, 'post'],
    ['by an optional route that needs a user', { access: 'optional', requiresUser: () => true }, 'post'],
  ])('%s leaves the cookie of the browser', async (_what, guards, method) => {
    const response = await ask(guards, { method });
    expect([response.status, response.headers.getSetCookie()]).toEqual([401, []]);
  });

  test('by a redirect leaves the cookie of the browser', async () => {
    const response = await ask({ signedOut: 'to-sign-in', linkGuard: 'no-prefetch' });
    expect([response.status, response.headers.getSetCookie()]).toEqual([303, []]);
  });

  test.each<Route['method']>(['get', 'post'])(
    'clears the cookie for %s if the route needs no user',
    async (method) => {
      const response = await ask({ access: 'optional' }, { method });
      expect([response.status, response.headers.getSetCookie()]).toEqual([
        401,
        [expect.stringMatching(/^__session=;/)],
      ]);
    },
  );
});

/** Routes that differ from the rule: changes and operators ask Firebase Auth, all others may use a cached state. */
const EXCEPTIONS: Readonly<Record<string, StateFreshness>> = {
  'GET /api/auth/sessions': 'current',
  'GET /api/auth/user/export': 'current',
  'POST /api/upload': 'cached',
};

const BY_ROUTE = ROUTES.filter(({ access = 'user' }) => access === 'user' || access === 'optional').map(
  (one) => ({
    name: `${one.method.toUpperCase()} ${one.path}`,
    acts: one.method !== 'get' || one.linkGuard !== undefined || one.path.startsWith('/api/admin/'),
    age: needsCurrentState(one, one.method) ? 'current' : 'cached',
  }),
);

test.each(BY_ROUTE)('$name uses the $age state of the user', ({ name, acts, age }) => {
  expect(age).toBe(EXCEPTIONS[name] ?? (acts ? 'current' : 'cached'));
});
