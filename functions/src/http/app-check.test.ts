import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { Agent } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { deleteApp, initializeApp, type App } from 'firebase-admin/app';
import { getAppCheck } from 'firebase-admin/app-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appCheckVerifier, type VerifyAppCheck } from './app-check.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PROJECT = 'demo-app-check';

function token(): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    sub: '1:1234:web:abcd',
    aud: [`projects/${PROJECT}`],
    iss: 'https://firebaseappcheck.googleapis.com/1234',
    iat: now,
    exp: now + 3600,
  };
  const content = [{ alg: 'RS256', kid: 'key', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), privateKey).toString('base64url')}`;
}

/** Answers a fetch of App Check's public keys. */
type Answer = (send: (status: number, body: object) => void) => void;

const works: Answer = (send) => {
  send(200, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'key', use: 'sig', alg: 'RS256' }] });
};
const fails: Answer = (send) => {
  send(500, {});
};

let fetches: number;
let answer: Answer;
/** The monotonic clock. */
let time: number;
let verify: VerifyAppCheck;
let admin: App;
/** Replaces the server that publishes App Check's public keys. The Admin SDK is real. */
const server = createServer((_request, response) => {
  fetches += 1;
  answer((status, body) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
});
beforeEach(async () => {
  fetches = 0;
  time = 0;
  answer = fails;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const httpAgent = new Agent();
  httpAgent.createConnection = () => connect((server.address() as AddressInfo).port, '127.0.0.1');
  admin = initializeApp({ projectId: PROJECT, httpAgent }, 'app-check');
  verify = appCheckVerifier(
    () => Promise.resolve(getAppCheck(admin)),
    () => time,
  );
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await deleteApp(admin);
});

const UNAVAILABLE = { status: 503, code: 'app_check_unavailable' };

test('after a failed fetch of the public keys, tokens are refused for two seconds without another fetch', async () => {
  await expect(verify(token())).rejects.toMatchObject(UNAVAILABLE);
  answer = works;
  time = 1_999;
  await expect(verify(token())).rejects.toMatchObject(UNAVAILABLE);
  expect(fetches).toBe(1);
  time = 2_000;
  await verify(token());
  await verify(token());
  expect(fetches).toBe(2);
});

test('while one token waits for the public keys after a failure, others are refused immediately', async () => {
  await expect(verify(token())).rejects.toMatchObject(UNAVAILABLE);
  time = 2_000;
  const asked = Promise.withResolvers<Parameters<Answer>[0]>();
  answer = asked.resolve;
  const waiting = verify(token());
  const send = await asked.promise;
  await expect(verify(token())).rejects.toMatchObject(UNAVAILABLE);
  expect(fetches).toBe(2);
  works(send);
  await waiting;
  await verify(token());
  expect(fetches).toBe(2);
});

test('a malformed token does not keep the next token from being verified', async () => {
  await expect(verify(token())).rejects.toMatchObject(UNAVAILABLE);
  time = 2_000;
  await expect(verify('nonsense')).rejects.toMatchObject({ status: 403, code: 'app_check_failed' });
  answer = works;
  await verify(token());
});
