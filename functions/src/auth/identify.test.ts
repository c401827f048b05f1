import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { deleteApp, initializeApp, type App } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { askAuth } from './ask-auth.ts';
import type { Caller } from './caller.ts';
import { identify, type Freshness, type Identification } from './identify.ts';
import { usesRemovedMethod } from './sign-in-method.ts';
import { googleToken, KINDS, PROJECT, PUBLISHED_KEYS, SIGNED_IN_AT } from './testing/google-tokens.ts';
import type { TokenKind } from './tokens/token.ts';
import { createTokenVerifier } from './tokens/verify-token.ts';
import { userStateOf } from './users/user-state.ts';
import { createUsers } from './users/users.ts';

/**
 * The Admin SDK as it works in production: it does not check revocation and disabled users by itself, as it does with the
 * Auth emulator. Only the network ends at a server of this test.
 */
vi.stubEnv('FIREBASE_AUTH_EMULATOR_HOST', undefined);

const LOOKUP_PATH = `/v1/projects/${PROJECT}/accounts:lookup`;

/** The user in the answer of Identity Toolkit to `accounts:lookup`; undefined for a deleted user. */
let account: object | undefined;
let lookUps = 0;

const google = createServer((request: IncomingMessage, response: ServerResponse) => {
  if (request.url !== LOOKUP_PATH) {
    response.writeHead(404).end();
    return;
  }
  lookUps += 1;
  const body = { users: account === undefined ? [] : [account] };
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
});

const credential = {
  getAccessToken: () => Promise.resolve({ access_token: 'of the service account', expires_in: 3600 }),
};

/** Where the network ends; undefined for a network that is down. */
let googlePort: number | undefined;

function startAdmin(): App {
  const httpAgent = new Agent();
  httpAgent.createConnection = () => connect(googlePort ?? 1, '127.0.0.1');
  return initializeApp({ projectId: PROJECT, credential, httpAgent }, 'identify');
}

const admin = startAdmin();
const goOnline = () => {
  googlePort = (google.address() as AddressInfo).port;
};
beforeAll(async () => {
  await new Promise<void>((resolve) => google.listen(0, '127.0.0.1', resolve));
  goOnline();
});
afterEach(() => {
  account = undefined;
  lookUps = 0;
  time = 0;
  goOnline();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  google.closeAllConnections();
  google.close();
  await deleteApp(admin);
});

const LIFETIME_MS = 30_000;
/** The monotonic clock of the cache. */
let time = 0;

/** One instance of the service, with a cache of its own. */
function startInstance(changes: Partial<Identification> = {}): Identification {
  return {
    verifyToken: createTokenVerifier({
      projectId: PROJECT,
      isEmulated: false,
      fetch: () => Promise.resolve(Response.json(PUBLISHED_KEYS)),
    }),
    users: createUsers({
      ask: (uid) => askAuth(async () => userStateOf(await getAuth(admin).getUser(uid))),
      lifetimeMs: LIFETIME_MS,
      clock: () => time,
    }),
    sessionExists: () => Promise.resolve(true),
    ...changes,
  };
}

/** Identifies the user of a token completely. */
async function ask(
  instance: Identification,
  kind: TokenKind,
  freshness: Freshness,
  claims: object = {},
): Promise<Caller> {
  const credentials = { kind, token: googleToken(kind, { claims }) };
  const { caller, session } = await identify(instance, credentials, freshness);
  await session;
  return caller;
}

const check = (kind: TokenKind, claims: object = {}) => ask(startInstance(), kind, 'recent', claims);

const PASSWORD = { providerId: 'password', rawId: 'ada@example.com', email: 'ada@example.com' };

/** Ada, who signed up by password. */
const ada = (changes: object = {}) => ({
  localId: 'user',
  email: 'ada@example.com',
  emailVerified: true,
  validSince: String(SIGNED_IN_AT - 60),
  providerUserInfo: [PASSWORD],
  ...changes,
});

const REFUSED = { status: 401, code: 'unauthenticated' };

const ENDINGS: [what: string, account: object | undefined][] = [
  ['whose account is disabled', ada({ disabled: true })],
  ['whose sessions were revoked after the sign-in', ada({ validSince: String(SIGNED_IN_AT + 1) })],
  ['whose password was removed', ada({ providerUserInfo: [] })],
  ['who is deleted', undefined],
];

describe.each(KINDS)('%s', (kind) => {
  test('of an active user is accepted', async () => {
    account = ada();
    expect((await check(kind)).email).toBe('ada@example.com');
  });

  test('from the second of a revocation is accepted, because Firebase counts in seconds', async () => {
    account = ada({ validSince: String(SIGNED_IN_AT) });
    expect((await check(kind)).uid).toBe('user');
  });

  test.each(ENDINGS)('of a user %s is refused', async (_who, found) => {
    account = found;
    await expect(check(kind)).rejects.toMatchObject(REFUSED);
  });

  test('with another signature is refused before Firebase Auth is asked', async () => {
    account = ada();
    await expect(check(kind, { aud: 'another' })).rejects.toMatchObject(REFUSED);
    expect(lookUps).toBe(0);
  });

  test('is not refused as bad when Firebase Auth is out of reach', async () => {
    googlePort = undefined;
    await expect(check(kind)).rejects.toMatchObject({ status: 503, code: 'auth_unavailable' });
  });
});

describe('a session cookie of an ended session', () => {
  const ended = () => startInstance({ sessionExists: () => Promise.resolve(false) });

  test.each<Freshness>(['recent', 'current'])('is refused with a %s state of the user', async (freshness) => {
    account = ada();
    await expect(ask(ended(), 'session-cookie', freshness)).rejects.toMatchObject(REFUSED);
  });

  test('is refused although the state of its user is cached', async () => {
    account = ada();
    const instance = startInstance();
    await ask(instance, 'session-cookie', 'recent');
    const after = { ...instance, sessionExists: () => Promise.resolve(false) };
    await expect(ask(after, 'session-cookie', 'recent')).rejects.toMatchObject(REFUSED);
  });

  test('is looked up by uid and cookie, which an ID token is not', async () => {
    account = ada();
    const asked: string[][] = [];
    const instance = startInstance({
      sessionExists: (...parameters) => {
        asked.push(parameters);
        return Promise.resolve(true);
      },
    });
    await ask(instance, 'id-token', 'recent');
    await ask(instance, 'session-cookie', 'recent');
    expect(asked).toEqual([['user', googleToken('session-cookie')]]);
  });
});

describe('a cached state of a user', () => {
  test('saves the look-ups of requests that only read', async () => {
    account = ada();
    const instance = startInstance();
    for (const kind of [...KINDS, ...KINDS]) await ask(instance, kind, 'recent');
    expect(lookUps).toBe(1);
  });

  test('does not answer requests that need the current state', async () => {
    account = ada();
    const instance = startInstance();
    await ask(instance, 'id-token', 'recent');
    for (const kind of KINDS) await ask(instance, kind, 'current');
    expect(lookUps).toBe(3);
  });

  test.each(ENDINGS)('of a user %s lets them read for 30 seconds and change nothing', async (_who, after) => {
    account = ada();
    const instance = startInstance();
    await ask(instance, 'id-token', 'recent');
    account = after;
    const other = startInstance();
    time = LIFETIME_MS - 1;
    expect((await ask(instance, 'id-token', 'recent')).uid).toBe('user');
    await expect(ask(other, 'id-token', 'recent')).rejects.toMatchObject(REFUSED);
    await expect(ask(instance, 'id-token', 'current')).rejects.toMatchObject(REFUSED);
    // The answer to the last request replaced the cached state.
    await expect(ask(instance, 'id-token', 'recent')).rejects.toMatchObject(REFUSED);
  });

  test.each(ENDINGS)('of a user %s is not used after 30 seconds', async (_who, after) => {
    account = ada();
    const instance = startInstance();
    await ask(instance, 'session-cookie', 'recent');
    account = after;
    time = LIFETIME_MS;
    await expect(ask(instance, 'session-cookie', 'recent')).rejects.toMatchObject(REFUSED);
  });

  test('is checked with each token: one from before a revocation is refused', async () => {
    account = ada({ validSince: String(SIGNED_IN_AT) });
    const instance = startInstance();
    await ask(instance, 'id-token', 'recent');
    const older = { auth_time: SIGNED_IN_AT - 1 };
    await expect(ask(instance, 'id-token', 'recent', older)).rejects.toMatchObject(REFUSED);
  });

  const byGoogle = { firebase: { sign_in_provider: 'google.com', identities: {} } };

  test('is checked with each token: one of a removed sign-in method is refused', async () => {
    account = ada();
    const instance = startInstance();
    await ask(instance, 'id-token', 'recent');
    await expect(ask(instance, 'id-token', 'recent', byGoogle)).rejects.toMatchObject(REFUSED);
  });

  test('refuses nobody: the owner of the address may have signed in since', async () => {
    account = ada();
    const instance = startInstance();
    await ask(instance, 'id-token', 'recent');
    account = ada({ providerUserInfo: [{ providerId: 'google.com', rawId: '1001' }] });
    expect((await ask(instance, 'id-token', 'recent', byGoogle)).uid).toBe('user');
    expect(lookUps).toBe(2);
  });

  test('is not used for anonymous users, who may upgrade their account on another device', async () => {
    account = ada({ email: undefined, providerUserInfo: [] });
    const instance = startInstance();
    const anonymous = { firebase: { sign_in_provider: 'anonymous', identities: {} } };
    await ask(instance, 'id-token', 'recent', anonymous);
    account = ada();
    await expect(ask(instance, 'id-token', 'recent', anonymous)).rejects.toMatchObject(REFUSED);
  });

  test('is not used while the address is unverified: another person may own it', async () => {
    account = ada({ emailVerified: false });
    const instance = startInstance();
    await ask(instance, 'id-token', 'recent');
    account = ada({ providerUserInfo: [{ providerId: 'google.com', rawId: '1001' }] });
    await expect(ask(instance, 'id-token', 'recent')).rejects.toMatchObject(REFUSED);
  });

  test('is not used for another user', async () => {
    account = ada();
    const instance = startInstance();
    await ask(instance, 'id-token', 'recent');
    account = ada({ localId: 'eve', email: 'eve@example.com' });
    expect((await ask(instance, 'id-token', 'recent', { sub: 'eve' })).email).toBe('eve@example.com');
  });

  test('is not used for a token that was issued after it, as when the plan has changed', async () => {
    account = ada();
    const instance = startInstance();
    expect((await ask(instance, 'id-token', 'recent')).plan).toBeUndefined();
    account = ada({ customAttributes: '{"plan":"pro"}' });
    const refreshed = { iat: Math.floor(Date.now() / 1000) + 1 };
    expect((await ask(instance, 'id-token', 'recent', refreshed)).plan).toBe('pro');
  });
});

describe('while Firebase Auth is out of reach', () => {
  const UNAVAILABLE = { status: 503, code: 'auth_unavailable' };

  test('a user with a cached state may read for 30 seconds, and then gets 503', async () => {
    account = ada();
    const instance = startInstance();
    await ask(instance, 'session-cookie', 'recent');
    googlePort = undefined;
    time = LIFETIME_MS - 1;
    expect((await ask(instance, 'session-cookie', 'recent')).uid).toBe('user');
    time = LIFETIME_MS;
    await expect(ask(instance, 'session-cookie', 'recent')).rejects.toMatchObject(UNAVAILABLE);
  });

  test('a request that changes something gets 503, and the cached state stays', async () => {
    account = ada();
    const instance = startInstance();
    await ask(instance, 'id-token', 'recent');
    googlePort = undefined;
    await expect(ask(instance, 'id-token', 'current')).rejects.toMatchObject(UNAVAILABLE);
    expect((await ask(instance, 'id-token', 'recent')).uid).toBe('user');
  });

  test('a user without a cached state gets 503', async () => {
    googlePort = undefined;
    await expect(ask(startInstance(), 'id-token', 'recent')).rejects.toMatchObject(UNAVAILABLE);
  });

  test('an ended session is refused although its user has a cached state', async () => {
    account = ada();
    const instance = startInstance();
    await ask(instance, 'session-cookie', 'recent');
    googlePort = undefined;
    const after = { ...instance, sessionExists: () => Promise.resolve(false) };
    await expect(ask(after, 'session-cookie', 'recent')).rejects.toMatchObject(REFUSED);
  });

  test('the answer is 503 also if Firestore is out of reach', async () => {
    account = ada();
    const busy = Object.assign(new Error('busy'), { status: 503 });
    const instance = startInstance({ sessionExists: () => Promise.reject(busy) });
    await expect(ask(instance, 'session-cookie', 'recent')).rejects.toMatchObject({ status: 503 });
  });
});

interface Method {
  method: string;
  /** The user's accounts at providers, as in the token. */
  identities: Record<string, string[]>;
  /** The entry of the user record while the account has this method; none for methods that are not listed. */
  listed?: { providerId: string; rawId: string };
}

const listedAs = (providerId: string, rawId: string): Method => ({
  method: providerId,
  identities: { email: ['ada@example.com'], [providerId]: [rawId] },
  listed: { providerId, rawId },
});

/**
 * By sign-in method, as Firebase documents its tokens. An e-mail link is `password` in both places.
 * https://firebase.google.com/docs/rules/rules-and-auth#leverage_user_information_in_rules
 */
const METHODS: Record<string, Method> = {
  'a password': {
    method: 'password',
    identities: { email: ['ada@example.com'] },
    listed: { providerId: 'password', rawId: 'ada@example.com' },
  },
  Google: listedAs('google.com', '1001'),
  Apple: listedAs('apple.com', '001.abc.002'),
  'a phone number': listedAs('phone', '+15555550100'),
  SAML: listedAs('saml.acme', 'ada@acme.example'),
  'OpenID Connect': listedAs('oidc.acme', 'subject-1'),
  'a custom token': { method: 'custom', identities: {} },
  'a passkey': { method: 'passkey', identities: { email: ['ada@example.com'] } },
  'a method to come': { method: 'telepathy', identities: {} },
};
const LISTED = Object.entries(METHODS).flatMap(([name, { listed, ...rest }]) =>
  listed === undefined ? [] : [{ name, listed, ...rest }],
);
const UNLISTED = Object.entries(METHODS).filter(([, { listed }]) => listed === undefined);

const signInBy = ({ method, identities }: Method) =>
  check('session-cookie', { firebase: { sign_in_provider: method, identities } });

describe('a sign-in by', () => {
  test.each(Object.entries(METHODS))('%s is accepted while the account has the method', async (_name, by) => {
    account = ada({ providerUserInfo: by.listed === undefined ? [] : [by.listed] });
    expect((await signInBy(by)).uid).toBe('user');
  });

  test.each(LISTED)('$name is refused once the account has lost the method', async (by) => {
    account = ada({ providerUserInfo: [{ providerId: 'other.example', rawId: by.listed.rawId }] });
    await expect(signInBy(by)).rejects.toMatchObject(REFUSED);
  });

  test.each(LISTED.filter(({ method }) => method !== 'password'))(
    '$name is refused once another account at the same provider has taken the place',
    async (by) => {
      account = ada({ providerUserInfo: [{ ...by.listed, rawId: 'another-account' }] });
      await expect(signInBy(by)).rejects.toMatchObject(REFUSED);
    },
  );

  test.each(UNLISTED)('%s is accepted whatever else the account has', async (_name, by) => {
    account = ada();
    expect((await signInBy(by)).uid).toBe('user');
  });

  test('no method is accepted until the anonymous account is upgraded', async () => {
    const anonymous = { method: 'anonymous', identities: {} };
    account = ada({ email: undefined, providerUserInfo: [] });
    expect((await signInBy(anonymous)).uid).toBe('user');
    account = ada();
    await expect(signInBy(anonymous)).rejects.toMatchObject(REFUSED);
  });

  test('Google is compared by the name alone in a session of an older version', () => {
    const user = { providerData: [{ providerId: 'google.com', uid: '1002' }] };
    const usesRemoved = (providerUids: string[]) =>
      usesRemovedMethod({ signInMethod: 'google.com', providerUids }, user);
    expect([usesRemoved([]), usesRemoved(['1001'])]).toEqual([false, true]);
  });
});
