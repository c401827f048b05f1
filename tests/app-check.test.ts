import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import { Agent } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { deleteApp, initializeApp, type App } from 'firebase-admin/app';
import { getAppCheck } from 'firebase-admin/app-check';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { formWith, png } from './support/files.ts';
import { adminAuth, signUp, startSession, type Person } from './support/people.ts';
import { call, errorOf, visit } from './support/requests.ts';
import { useResources } from './support/resources.ts';

const { projectId } = inject('stack');
const ISSUER = 'https://firebaseappcheck.googleapis.com/1234';
const genuine = generateKeyPairSync('rsa', { modulusLength: 2048 });
const forged = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Replaces the server that publishes App Check's public keys. Everything else is real. */
const keys = createServer((_request, response) => {
  const key = { ...genuine.publicKey.export({ format: 'jwk' }), kid: 'key', use: 'sig', alg: 'RS256' };
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ keys: [key] }));
});

let admin: App;
let app: AppUnderTest;
let person: Person;
const resources = useResources();
beforeAll(async () => {
  resources.defer(() => void keys.close());
  await new Promise<void>((resolve) => keys.listen(0, '127.0.0.1', resolve));
  // The first app of the process is the backend's.
  adminAuth();
  admin = initializeApp(
    { projectId, httpAgent: leadingTo((keys.address() as AddressInfo).port) },
    'app-check',
  );
  resources.adopt(admin, deleteApp);
  app = resources.use(
    await serveApp({
      config: { appCheckRequired: true },
      backend: { appCheck: () => Promise.resolve(getAppCheck(admin)) },
    }),
  );
  person = await signUp();
});

/** Connects to a port of this machine, whatever host is asked for. */
function leadingTo(port: number): Agent {
  const agent = new Agent();
  agent.createConnection = () => connect(port, '127.0.0.1');
  return agent;
}

interface TokenOptions {
  key?: KeyObject;
  audience?: string;
  issuer?: string;
  expiresIn?: number;
}

function token(options: TokenOptions = {}): string {
  const { key = genuine.privateKey, audience = projectId, issuer = ISSUER, expiresIn = 3600 } = options;
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    sub: '1:1234:web:abcd',
    aud: ['projects/1234', `projects/${audience}`],
    iss: issuer,
    iat: now,
    exp: now + expiresIn,
  };
  const content = [{ alg: 'RS256', kid: 'key', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), key).toString('base64url')}`;
}

const ask = (headers: Record<string, string>) =>
  call('GET', `${app.url}/api/auth/session`, { headers: { ...person.bearer, ...headers } });

describe('if App Check is required', () => {
  test('a request with a token is accepted, by the API and by the upload', async () => {
    const headers = { ...person.bearer, 'X-Firebase-AppCheck': token() };
    for (const path of ['session', 'teams', 'sessions', 'invitations']) {
      expect((await call('GET', `${app.url}/api/auth/${path}`, { headers })).status, path).toBe(200);
    }
    const body = formWith(png(), 'photo.png');
    expect((await call('POST', `${app.url}/api/upload`, { headers, body })).status).toBe(200);
    const signIn = { headers: { ...headers, Origin: APP_URL }, json: { idToken: person.idToken } };
    expect((await call('POST', `${app.url}/api/auth/session`, signIn)).status).toBe(201);
  });

  test.each([
    ['GET', '/api/auth/session'],
    ['POST', '/api/auth/session'],
    ['DELETE', '/api/auth/user'],
    ['GET', '/api/auth/teams'],
    ['GET', '/api/auth/sessions'],
    ['POST', '/api/upload'],
    ['GET', '/api/uploads'],
  ])('%s %s is refused without a token before anything else is checked', async (method, path) => {
    const answer = await call(method, `${app.url}${path}`);
    expect(await errorOf(answer)).toMatchObject({
      status: 403,
      error: expect.stringContaining('App Check') as string,
    });
  });

  test.each<[string, TokenOptions]>([
    ['that somebody else signed', { key: forged.privateKey }],
    ['of another project', { audience: 'another' }],
    ['of another issuer', { issuer: 'https://evil.example/' }],
    ['that has expired', { expiresIn: -10 }],
  ])('a token %s is refused', async (_what, options) => {
    const answer = await ask({ 'X-Firebase-AppCheck': token(options) });
    expect(await errorOf(answer)).toMatchObject({ status: 403, code: 'app_check_failed' });
  });

  test.each(['nonsense', 'a.b.c', '.'])('%s is not a token', async (text) => {
    expect(await errorOf(await ask({ 'X-Firebase-AppCheck': text }))).toMatchObject({
      status: 403,
      code: 'app_check_failed',
    });
  });

  test('links that a browser navigates to, public routes, the health check and webhooks need no token', async () => {
    const statuses = await Promise.all(
      [
        'api/auth/portal',
        'api/auth/checkout/nothing',
        'api/team/accept-invitation?invitationId=x',
        'api/auth/plans',
        'api/openapi.json',
        'api/health',
      ].map(async (path) => (await visit(`${app.url}/${path}`, person.bearer)).status),
    );
    expect(statuses).toEqual([303, 404, 400, 200, 200, 200]);
    expect((await call('POST', `${app.url}/api/webhooks/stripe`, { body: '{}' })).status).toBe(400);
  });

  test('answers 503 when the public keys cannot be fetched', async () => {
    const cutOff = new Agent();
    cutOff.createConnection = () => connect(1, '127.0.0.1');
    const offline = initializeApp({ projectId, httpAgent: cutOff }, 'offline');
    await using served = await serveApp({
      config: { appCheckRequired: true },
      backend: { appCheck: () => Promise.resolve(getAppCheck(offline)) },
    });
    const headers = { ...person.bearer, 'X-Firebase-AppCheck': token() };
    expect(await errorOf(await call('GET', `${served.url}/api/auth/session`, { headers }))).toMatchObject({
      status: 503,
      code: 'app_check_unavailable',
    });
    await deleteApp(offline);
  });
});

test('a token is ignored if App Check is not required', async () => {
  await using open = await serveApp();
  const session = await startSession(open.url, person);
  const headers = { ...session, 'X-Firebase-AppCheck': 'nonsense' };
  expect((await call('GET', `${open.url}/api/auth/session`, { headers })).status).toBe(200);
});
