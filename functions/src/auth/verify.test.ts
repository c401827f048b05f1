import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { deleteApp, initializeApp, type App } from 'firebase-admin/app';
import { getAuth, type Auth } from 'firebase-admin/auth';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { usesRemovedMethod } from './sign-in-method.ts';
import { verify } from './verify.ts';

/**
 * The Admin SDK as it works in production: it checks signatures with Google's public keys, and does not check revocation
 * and disabled users by itself, as it does with the Auth emulator. Only the network ends at a server of this test.
 */
const PROJECT = 'demo-authenticate';
vi.stubEnv('FIREBASE_AUTH_EMULATOR_HOST', undefined);

const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PUBLIC_KEY = KEYS.publicKey.export({ type: 'spki', format: 'pem' });
const KEY_PATHS = [
  '/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com',
  '/identitytoolkit/v3/relyingparty/publicKeys',
];
const LOOKUP_PATH = `/v1/projects/${PROJECT}/accounts:lookup`;

/** The user in the answer of Identity Toolkit to `accounts:lookup`; undefined for a deleted user. */
let account: object | undefined;

const google = createServer((request: IncomingMessage, response: ServerResponse) => {
  const answer = (body: object) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
  };
  const { pathname } = new URL(request.url ?? '', 'https://google.test');
  if (KEY_PATHS.includes(pathname)) answer({ key: PUBLIC_KEY });
  else if (pathname === LOOKUP_PATH) answer({ users: account === undefined ? [] : [account] });
  else response.writeHead(404).end();
});

const credential = {
  getAccessToken: () => Promise.resolve({ access_token: 'of the service account', expires_in: 3600 }),
};

/** @param portOf where the network ends */
function startAdmin(name: string, portOf: () => number): { app: App; auth: Auth } {
  const httpAgent = new Agent();
  httpAgent.createConnection = () => connect(portOf(), '127.0.0.1');
  const app = initializeApp({ projectId: PROJECT, credential, httpAgent }, name);
  return { app, auth: getAuth(app) };
}

const online = startAdmin('online', () => (google.address() as AddressInfo).port);
const offline = startAdmin('offline', () => 1);
beforeAll(() => new Promise<void>((resolve) => google.listen(0, '127.0.0.1', resolve)));
afterEach(() => {
  account = undefined;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  google.closeAllConnections();
  google.close();
  await Promise.all([online, offline].map(({ app }) => deleteApp(app)));
});

const ISSUERS = {
  'an ID token': `https://securetoken.google.com/${PROJECT}`,
  'a session cookie': `https://session.firebase.google.com/${PROJECT}`,
};
type Kind = keyof typeof ISSUERS;
const KINDS = Object.keys(ISSUERS) as Kind[];

const SIGNED_IN_AT = Math.floor(Date.now() / 1000) - 10;
const BY_PASSWORD = { sign_in_provider: 'password', identities: { email: ['ada@example.com'] } };

function tokenOf(kind: Kind, claims: object = {}): string {
  const parts = [
    { alg: 'RS256', kid: 'key', typ: 'JWT' },
    {
      sub: 'user',
      aud: PROJECT,
      iss: ISSUERS[kind],
      iat: SIGNED_IN_AT,
      auth_time: SIGNED_IN_AT,
      exp: SIGNED_IN_AT + 3600,
      firebase: BY_PASSWORD,
      ...claims,
    },
  ];
  const content = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), KEYS.privateKey).toString('base64url')}`;
}

const decoderOf = (auth: Auth, kind: Kind, token: string) => () =>
  kind === 'an ID token' ? auth.verifyIdToken(token) : auth.verifySessionCookie(token);

const check = (kind: Kind, claims: object = {}) =>
  verify(online.auth, decoderOf(online.auth, kind, tokenOf(kind, claims)));

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

describe.each(KINDS)('%s', (kind) => {
  test('of an active user is accepted', async () => {
    account = ada();
    expect((await check(kind)).user.email).toBe('ada@example.com');
  });

  test('from the second of a revocation is accepted, because Firebase counts in seconds', async () => {
    account = ada({ validSince: String(SIGNED_IN_AT) });
    expect((await check(kind)).user.uid).toBe('user');
  });

  test.each([
    ['whose account is disabled', ada({ disabled: true })],
    ['whose sessions were revoked after the sign-in', ada({ validSince: String(SIGNED_IN_AT + 1) })],
    ['whose password was removed', ada({ providerUserInfo: [] })],
    ['who is deleted', undefined],
  ])('of a user %s is refused', async (_who, found) => {
    account = found;
    await expect(check(kind)).rejects.toMatchObject(REFUSED);
  });

  test('with another signature is refused', async () => {
    account = ada();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const content = tokenOf(kind).split('.').slice(0, 2).join('.');
    const forged = `${content}.${sign('RSA-SHA256', Buffer.from(content), privateKey).toString('base64url')}`;
    await expect(verify(online.auth, decoderOf(online.auth, kind, forged))).rejects.toMatchObject(REFUSED);
  });

  test('of an ended session is refused', async () => {
    account = ada();
    const decode = decoderOf(online.auth, kind, tokenOf(kind));
    await expect(verify(online.auth, decode, () => Promise.resolve(false))).rejects.toMatchObject(REFUSED);
  });

  test('is not refused as bad when the public keys cannot be fetched', async () => {
    const decode = decoderOf(offline.auth, kind, tokenOf(kind));
    const refusal = { status: 503, code: 'auth_unavailable' };
    await expect(verify(offline.auth, decode)).rejects.toMatchObject(refusal);
  });

  test.each([
    ['that is not a token', 'nonsense'],
    ['that looks like a token', 'a.b.c'],
    ['of another project', tokenOf(kind, { aud: 'other', iss: 'x' })],
    ['of the other kind', tokenOf(KINDS[kind === 'an ID token' ? 1 : 0] ?? kind)],
    ['that has expired', tokenOf(kind, { exp: SIGNED_IN_AT + 1 })],
  ])('%s is refused', async (_what, token) => {
    account = ada();
    await expect(verify(online.auth, decoderOf(online.auth, kind, token))).rejects.toMatchObject(REFUSED);
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
  check('a session cookie', { firebase: { sign_in_provider: method, identities } });

describe('a sign-in by', () => {
  test.each(Object.entries(METHODS))('%s is accepted while the account has the method', async (_name, by) => {
    account = ada({ providerUserInfo: by.listed === undefined ? [] : [by.listed] });
    expect((await signInBy(by)).user.uid).toBe('user');
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
    expect((await signInBy(by)).user.uid).toBe('user');
  });

  test('no method is accepted until the anonymous account is upgraded', async () => {
    const anonymous = { method: 'anonymous', identities: {} };
    account = ada({ email: undefined, providerUserInfo: [] });
    expect((await signInBy(anonymous)).user.uid).toBe('user');
    account = ada();
    await expect(signInBy(anonymous)).rejects.toMatchObject(REFUSED);
  });

  test('Google is compared by the name alone in a session of an older version', async () => {
    account = ada({ providerUserInfo: [{ providerId: 'google.com', rawId: '1002' }] });
    const user = await online.auth.getUser('user');
    expect(usesRemovedMethod({ method: 'google.com', providerUids: [] }, user)).toBe(false);
    expect(usesRemovedMethod({ method: 'google.com', providerUids: ['1001'] }, user)).toBe(true);
  });
});
