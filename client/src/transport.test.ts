import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BACKSTOP_MS } from '@hearth/testing/backstop';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  createHearthClient,
  everyItem,
  HearthError,
  type ClientOptions,
  type HearthClient,
} from './index.ts';

interface Answer {
  status: number;
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
  /** Whether the connection ends after the text, whatever was announced. */
  isCut?: boolean;
}

/** A client of a server that gives these answers one after the other, and the requests that the server received. */
async function clientOf(answers: Answer[], options: ClientOptions = {}) {
  const asked: { line: string; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer((request, response) => {
    asked.push({ line: `${request.method ?? ''} ${request.url ?? ''}`, headers: request.headers });
    const { status, headers, json, text, isCut } = answers[asked.length - 1] ?? { status: 500 };
    const type = json === undefined ? {} : { 'Content-Type': 'application/json; charset=utf-8' };
    response.writeHead(status, { ...type, ...headers });
    if (isCut === true) response.write(text, () => response.destroy());
    else response.end(json === undefined ? text : JSON.stringify(json));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { hearth: createHearthClient({ baseUrl, ...options }), asked };
}

const session = { user: { uid: 'u' }, teams: [], plan: 'free' };

const errorOf = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

test('path parameters are encoded, and undefined query parameters are left out', async () => {
  const { hearth, asked } = await clientOf([{ status: 200, json: { members: [], nextCursor: null } }]);
  await hearth.teams.members('a/../b', { limit: 2 });
  expect(asked[0]?.line).toBe('GET /api/auth/teams/a%2F..%2Fb/members?limit=2');
});

test('an ID token and an App Check token are sent with each request', async () => {
  const { hearth, asked } = await clientOf([{ status: 200, json: session }], {
    idToken: () => Promise.resolve('id'),
    appCheckToken: () => Promise.resolve('app'),
  });
  await hearth.account.session();
  expect(asked[0]?.headers).toMatchObject({ authorization: 'Bearer id', 'x-firebase-appcheck': 'app' });
});

test('without a token the cookie authenticates, and no Authorization is sent', async () => {
  const { hearth, asked } = await clientOf(
    [{ status: 401, json: { error: 'Sign in.', code: 'unauthenticated' } }],
    {
      idToken: () => undefined,
    },
  );
  expect(await hearth.account.session()).toBeUndefined();
  expect(asked[0]?.headers.authorization).toBeUndefined();
});

test('a refusal is thrown with its status, code, sentence and request id', async () => {
  const { hearth } = await clientOf([
    {
      status: 429,
      headers: { 'X-Request-Id': 'abc', 'Retry-After': '7' },
      json: { error: 'Too many.', code: 'too_many_requests' },
    },
  ]);
  expect(await errorOf(hearth.invitations.send('t', 'a@example.com', 'member'))).toMatchObject({
    constructor: HearthError,
    message: 'Too many.',
    status: 429,
    code: 'too_many_requests',
    requestId: 'abc',
    retryAfter: 7,
  });
});

test('a refusal of fields has the problem of each', async () => {
  const fields = { email: 'is not an e-mail address' };
  const json = { error: 'email: is not an e-mail address', code: 'invalid_request', fields };
  const { hearth } = await clientOf([{ status: 400, json }]);
  const error = await errorOf(hearth.invitations.send('t', 'x', 'member'));
  expect(error).toMatchObject({ code: 'invalid_request', fields });
});

test('an answer that does not come from the API is an error without its text', async () => {
  const { hearth } = await clientOf([{ status: 502, text: '<h1>nginx</h1>' }]);
  expect(await errorOf(hearth.teams.list())).toMatchObject({
    status: 502,
    code: 'unknown',
    message: 'Something went wrong on our side. Please try again later.',
  });
});

test.each<[name: string, call: (hearth: HearthClient) => Promise<unknown>]>([
  ['session', (hearth) => hearth.account.session()],
  ['list of teams', (hearth) => hearth.teams.list()],
  ['removal', (hearth) => hearth.teams.removeMember('t', 'u')],
  ['upload', (hearth) => hearth.uploads.send(new File(['a'], 'a.txt'))],
])('a page with status 200 is no %s but an error', async (_name, call) => {
  const headers = { 'Content-Type': 'text/html' };
  const { hearth } = await clientOf([{ status: 200, headers, text: '<h1>Sign in to the Wi-Fi</h1>' }]);
  const error = await errorOf(call(hearth));
  expect(error).toBeInstanceOf(HearthError);
  expect(error).toMatchObject({ status: 200, code: 'unknown' });
});

const busy: Answer = { status: 503, headers: { 'Retry-After': '0' }, json: { error: 'Busy.', code: 'busy' } };

test('a request that reads or deletes is repeated after 503', async () => {
  const { hearth, asked } = await clientOf([busy, busy, { status: 200, json: session }]);
  expect(await hearth.account.session()).toEqual(session);
  expect(asked).toHaveLength(3);
});

test('a request that keeps failing is given up', async () => {
  const { hearth, asked } = await clientOf([busy, busy, busy], { retries: 1 });
  expect(await errorOf(hearth.teams.removeMember('t', 'u'))).toMatchObject({ status: 503, code: 'busy' });
  expect(asked).toHaveLength(2);
});

/** An ID token as Firebase writes it, with a name outside of ASCII. */
function tokenOf(uid: string, claims: object = {}): string {
  const payload = JSON.stringify({ sub: uid, name: 'Zoë ÿ?>', ...claims });
  return `e30.${Buffer.from(payload).toString('base64url')}.signature`;
}

/** Gives one token after the other. */
const tokens = (...given: (string | undefined)[]) => {
  const left = [...given];
  return { idToken: () => Promise.resolve(left.shift()) };
};

test.each([
  ['of another user', [tokenOf('ann'), tokenOf('bob')]],
  [
    'of the user whom an operator impersonated',
    [tokenOf('op', { impersonation: { uid: 'ann' } }), tokenOf('op')],
  ],
  ['of somebody who has signed in meanwhile', [undefined, tokenOf('bob')]],
  ['that is missing', [tokenOf('ann'), undefined]],
  ['that cannot be read', ['a', 'b']],
])('a deletion is not repeated with a token %s', async (_name, given) => {
  const { hearth, asked } = await clientOf([busy, { status: 204 }], tokens(...given));
  const error = await errorOf(hearth.account.delete());
  expect(error).toMatchObject({ constructor: HearthError, status: 0, code: 'user_changed' });
  expect(asked).toHaveLength(1);
});

test('a deletion is repeated with a renewed token of the same user', async () => {
  const renewed = tokens(tokenOf('ann', { iat: 1 }), tokenOf('ann', { iat: 2 }));
  const { hearth, asked } = await clientOf([busy, { status: 204 }], renewed);
  await hearth.account.delete();
  expect(asked.map(({ headers }) => headers.authorization)).toEqual(
    [1, 2].map((iat) => `Bearer ${tokenOf('ann', { iat })}`),
  );
});

test('a visitor who signs in while a public list is repeated gets the list, but no answer to another user', async () => {
  const signingIn = tokens(undefined, tokenOf('ann'), tokenOf('bob'));
  const { hearth, asked } = await clientOf([busy, busy], signingIn);
  expect(await errorOf(hearth.billing.plans())).toMatchObject({ code: 'user_changed' });
  expect(asked).toHaveLength(2);
});

test('the deletion of a team ends if somebody else signs in between two requests', async () => {
  const deleting: Answer = { status: 202, json: { status: 'deleting' } };
  const { hearth, asked } = await clientOf(
    [deleting, { status: 204 }],
    tokens(tokenOf('ann'), tokenOf('bob')),
  );
  expect(await errorOf(hearth.teams.delete('t'))).toMatchObject({ code: 'user_changed' });
  expect(asked).toHaveLength(1);
});

test.each(['delete', 'endSession'] as const)(
  'the account of a cookie is not deleted or signed out by a retry, because the cookie may be of another user: %s',
  async (name) => {
    const { hearth, asked } = await clientOf([busy, { status: 204 }]);
    expect(await errorOf(hearth.account[name]())).toMatchObject({ status: 503 });
    expect(asked).toHaveLength(1);
  },
);

test('a request that creates something is never sent twice', async () => {
  const { hearth, asked } = await clientOf([busy, { status: 201, json: {} }]);
  expect(await errorOf(hearth.teams.create({ name: 'Acme' }))).toMatchObject({ status: 503 });
  expect(asked).toHaveLength(1);
});

test('a call ends with its signal, while it waits to be sent again as well', async () => {
  const slow: Answer = { ...busy, headers: { 'Retry-After': '60' } };
  const { hearth, asked } = await clientOf([slow]);
  const controller = new AbortController();
  const call = errorOf(hearth.account.session({ signal: controller.signal }));
  await expect.poll(() => asked.length, { timeout: BACKSTOP_MS }).toBe(1);
  controller.abort(new Error('left'));
  expect(await call).toMatchObject({ message: 'left' });
  expect(await errorOf(hearth.teams.list({ signal: controller.signal }))).toMatchObject({ message: 'left' });
});

test('a missing answer is reported as unreachable', async () => {
  const hearth = createHearthClient({ baseUrl: 'http://127.0.0.1:1' });
  expect(await errorOf(hearth.teams.list())).toMatchObject({ status: 0, code: 'unreachable' });
});

test.each([
  ['an ID token', 'idToken', 'auth/network-request-failed'],
  ['an App Check token', 'appCheckToken', 'appCheck/fetch-network-error'],
])('%s that cannot be renewed without a network is reported as unreachable', async (_name, token, code) => {
  const failure = Object.assign(new Error('Firebase: Error'), { code });
  const { hearth, asked } = await clientOf([], { [token]: () => Promise.reject(failure) });
  expect(await errorOf(hearth.teams.list())).toMatchObject({ code: 'unreachable', cause: failure });
  expect(asked).toEqual([]);
});

test('any other error of a token is passed on', async () => {
  const failure = Object.assign(new Error('Firebase: Error'), { code: 'auth/user-disabled' });
  const { hearth } = await clientOf([], { idToken: () => Promise.reject(failure) });
  expect(await errorOf(hearth.teams.list())).toBe(failure);
});

test('a call that is aborted does not wait for its token', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const { hearth, asked } = await clientOf([], { idToken: () => new Promise(() => {}) });
  const list = errorOf(hearth.teams.list({ signal }));
  const upload = errorOf(hearth.uploads.send(new File(['a'], 'a.txt'), { signal }));
  controller.abort(new Error('left'));
  expect(await Promise.all([list, upload])).toMatchObject([{ message: 'left' }, { message: 'left' }]);
  expect(asked).toEqual([]);
});

test('an incomplete answer is treated as no answer', async () => {
  const half = '{"user":{"uid":';
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(half.length + 10) };
  const { hearth } = await clientOf([{ status: 200, headers, text: half, isCut: true }]);
  expect(await errorOf(hearth.account.session())).toMatchObject({ status: 0, code: 'unreachable' });
});

test('every item of a list comes, page by page', async () => {
  const page = (ids: string[], nextCursor: string | null): Answer => ({
    status: 200,
    json: { teams: ids.map((id) => ({ id })), nextCursor },
  });
  const { hearth, asked } = await clientOf([page(['a', 'b'], 'next'), page(['c'], null)]);
  const ids: string[] = [];
  for await (const { id } of everyItem((options) => hearth.teams.list(options))) ids.push(id);
  expect(ids).toEqual(['a', 'b', 'c']);
  expect(asked.map(({ line }) => line)).toEqual(['GET /api/auth/teams', 'GET /api/auth/teams?cursor=next']);
});

test('a team is deleted until it is gone', async () => {
  const { hearth, asked } = await clientOf([{ status: 202, json: { status: 'deleting' } }, { status: 204 }]);
  await hearth.teams.delete('t');
  expect(asked).toHaveLength(2);
});

test('a team is gone if the backend has finished the deletion between two requests', async () => {
  const gone = { status: 404, json: { error: 'There is no such team.', code: 'team_not_found' } };
  const { hearth } = await clientOf([{ status: 202, json: { status: 'deleting' } }, gone, gone]);
  await hearth.teams.delete('t');
  await expect(hearth.teams.delete('t')).rejects.toMatchObject({ code: 'team_not_found' });
});

test('pages to open have URLs of the backend', () => {
  const { billing, invitations } = createHearthClient({ baseUrl: 'https://app.example.com' });
  expect([billing.checkoutUrl('pro'), billing.portalUrl(), invitations.acceptUrl('a&b')]).toEqual([
    'https://app.example.com/api/auth/checkout/pro',
    'https://app.example.com/api/auth/portal',
    'https://app.example.com/api/team/accept-invitation?invitationId=a%26b',
  ]);
});

test('URLs that a page creates have its origin, so that they can be shared', () => {
  vi.stubGlobal('location', { origin: 'https://app.example.com' });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(createHearthClient().invitations.acceptUrl('a')).toBe(
    'https://app.example.com/api/team/accept-invitation?invitationId=a',
  );
});
