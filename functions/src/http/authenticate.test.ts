import { Agent } from 'node:https';
import { connect } from 'node:net';
import { deleteApp, initializeApp } from 'firebase-admin/app';
import { getAuth, type Auth } from 'firebase-admin/auth';
import { afterAll, expect, test, vi } from 'vitest';
import { verify } from './authenticate.ts';

const PROJECT = 'demo-authenticate';

/** Tokens as in production: their signatures are checked with Google's public keys, which are out of reach. */
vi.stubEnv('FIREBASE_AUTH_EMULATOR_HOST', undefined);
const offline = new Agent();
offline.createConnection = () => connect(1, '127.0.0.1');
const app = initializeApp({ projectId: PROJECT, httpAgent: offline }, PROJECT);
const auth: Auth = getAuth(app);
afterAll(async () => {
  vi.unstubAllEnvs();
  await deleteApp(app);
});

function tokenOf(claims: object): string {
  const now = Math.floor(Date.now() / 1000);
  const parts = [
    { alg: 'RS256', kid: 'key', typ: 'JWT' },
    { sub: 'user', iat: now - 10, auth_time: now - 10, exp: now + 3600, ...claims },
  ];
  const content = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${content}.c2lnbmF0dXJl`;
}

const ID_TOKEN = tokenOf({ aud: PROJECT, iss: `https://securetoken.google.com/${PROJECT}` });
const COOKIE = tokenOf({ aud: PROJECT, iss: `https://session.firebase.google.com/${PROJECT}` });

test.each<[what: string, decode: () => ReturnType<Auth['verifyIdToken']>]>([
  ['an ID token', () => auth.verifyIdToken(ID_TOKEN)],
  ['a session cookie', () => auth.verifySessionCookie(COOKIE)],
])(
  '%s that cannot be checked because the public keys are out of reach is not called bad',
  async (_, decode) => {
    await expect(verify(auth, decode)).rejects.toMatchObject({ status: 503, code: 'auth_unavailable' });
  },
);

test.each<[what: string, decode: () => ReturnType<Auth['verifyIdToken']>]>([
  ['no token at all', () => auth.verifyIdToken('nonsense')],
  ['an ID token of another project', () => auth.verifyIdToken(tokenOf({ aud: 'other', iss: 'x' }))],
  ['a cookie in the place of an ID token', () => auth.verifyIdToken(COOKIE)],
  ['a session cookie that is none', () => auth.verifySessionCookie('a.b.c')],
])('%s is refused', async (_, decode) => {
  await expect(verify(auth, decode)).rejects.toMatchObject({ status: 401, code: 'unauthenticated' });
});
