import { expect, test } from 'vitest';
import { createHearthClient, HearthError } from '../index.ts';
import { Answers } from './answers.ts';

const client = createHearthClient({ baseUrl: 'http://localhost' });

/** An answer whose requests wait until the test resolves them. */
function controlled(answers: Answers, key = 'key') {
  const requests: {
    resolve: (data: string) => void;
    reject: (error: unknown) => void;
    signal: AbortSignal;
  }[] = [];
  const shared = answers.ofUser(
    key,
    (signal) =>
      new Promise<string>((resolve, reject) => {
        requests.push({ resolve, reject, signal });
      }),
  );
  return { requests, shared };
}

/** Waits until the answer changes. */
const changed = (shared: { subscribe: (listener: () => void) => () => void }) =>
  new Promise<void>((resolve) => {
    const end = shared.subscribe(() => {
      end();
      resolve();
    });
  });

/** Ends after all promises that can settle. */
const allPromises = () => new Promise((resolve) => setImmediate(resolve));

const ignore = () => undefined;

test('components that subscribe at the same time, and in StrictMode twice, share one request', async () => {
  const { requests, shared } = controlled(new Answers(client, { waitsForUser: false }));
  expect(shared.get().status).toBe('loading');
  shared.subscribe(ignore)();
  shared.subscribe(ignore);
  const done = changed(shared);
  expect(requests).toHaveLength(1);
  requests[0]?.resolve('data');
  await done;
  expect(shared.get()).toEqual({ status: 'ready', data: 'data', error: undefined });
});

test('requests wait until the user is known, and data of a user is requested only while somebody is signed in', async () => {
  const answers = new Answers(client, { waitsForUser: true });
  const { requests, shared } = controlled(answers);
  shared.subscribe(ignore);
  await shared.reload();
  expect([requests.length, shared.get().status]).toEqual([0, 'loading']);

  answers.userChanged(null);
  await changed(shared);
  expect(requests).toHaveLength(0);
  expect(shared.get()).toMatchObject({ status: 'failed', error: { code: 'unauthenticated' } });
});

test('another user never sees an answer to the previous user, even if it arrives late', async () => {
  const answers = new Answers(client, { waitsForUser: true });
  const { requests, shared } = controlled(answers);
  answers.userChanged('ada');
  shared.subscribe(ignore);
  answers.userChanged('bob');
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  requests[0]?.resolve('of Ada');
  await allPromises();
  expect(shared.get().status).toBe('loading');
  const done = changed(shared);
  requests[1]?.resolve('of Bob');
  await done;
  expect(shared.get().data).toBe('of Bob');

  answers.userChanged('bob');
  expect(requests).toHaveLength(2);
  answers.userChanged('carol');
  expect(shared.get().data).toBeUndefined();
});

test('a failed reload keeps the last answer, and the next one removes the error', async () => {
  const { requests, shared } = controlled(new Answers(client, { waitsForUser: false }));
  shared.subscribe(ignore);
  requests[0]?.resolve('old');
  await changed(shared);
  const failing = shared.reload();
  requests[1]?.reject(new Error('offline'));
  await failing;
  expect(shared.get()).toMatchObject({ status: 'failed', data: 'old', error: { message: 'offline' } });
  const working = shared.reload();
  requests[2]?.resolve('new');
  await working;
  expect(shared.get()).toEqual({ status: 'ready', data: 'new', error: undefined });
});

test('an answer that no component used meanwhile is shown, and requested again', async () => {
  const { requests, shared } = controlled(new Answers(client, { waitsForUser: false }));
  const first = changed(shared);
  requests[0]?.resolve('old');
  await first;
  shared.subscribe(ignore);
  expect([shared.get().data, requests.length]).toEqual(['old', 2]);
});

/** The answers behind a cookie, with those of a user that are shown: the data of Ada, and the session. */
async function behindTheCookie() {
  const answers = new Answers(client, { waitsForUser: false });
  const data = controlled(answers);
  const uids: (string | null)[] = [];
  const session = answers.session(
    (uid: string) => uid,
    () => {
      const uid = uids.shift();
      return uid === undefined ? Promise.reject(new Error('offline')) : Promise.resolve(uid);
    },
  );
  uids.push('ada');
  data.shared.subscribe(ignore);
  session.subscribe(ignore);
  data.requests[0]?.resolve('of Ada');
  await allPromises();
  expect([session.get().data, data.shared.get().data]).toEqual(['ada', 'of Ada']);
  return { answers, data, session, uids };
}

const unauthenticated = () => new HearthError('Sign in first.', { status: 401, code: 'unauthenticated' });

test.each(['bob', null])(
  'behind the cookie an answer for another user discards the data of the previous user: %s',
  async (uid) => {
    const { data, session, uids } = await behindTheCookie();
    uids.push(uid);
    await session.reload();
    expect(session.get()).toEqual({ status: 'ready', data: uid, error: undefined });
    expect([data.shared.get().status, data.requests.length]).toEqual(['loading', 2]);
  },
);

test('behind the cookie an answer for the same user keeps the data, and a failed request does too', async () => {
  const { data, session, uids } = await behindTheCookie();
  uids.push('ada');
  await session.reload();
  await session.reload();
  expect(session.get()).toMatchObject({ status: 'failed', data: 'ada' });
  expect([data.shared.get().data, data.requests.length]).toEqual(['of Ada', 1]);
});

test('behind the cookie a session that was ended here leaves no data, and causes no request', async () => {
  const { answers, data, session } = await behindTheCookie();
  answers.sessionEnded();
  await allPromises();
  expect(session.get()).toEqual({ status: 'ready', data: null, error: undefined });
  expect(data.shared.get()).toMatchObject({ status: 'failed', data: undefined });
  expect(data.requests).toHaveLength(1);
});

test('behind the cookie somebody who signs in elsewhere is found after the session was ended here', async () => {
  const { answers, data, session, uids } = await behindTheCookie();
  answers.sessionEnded();
  await allPromises();
  uids.push(null);
  await session.reload();
  expect([session.get().data, data.requests.length]).toEqual([null, 1]);
  uids.push('bob');
  await session.reload();
  expect(session.get().data).toBe('bob');
  expect([data.shared.get().status, data.requests.length]).toEqual(['loading', 2]);
  data.requests[1]?.resolve('of Bob');
  await allPromises();
  expect(data.shared.get().data).toBe('of Bob');
});

test('with ID tokens the session of nobody is known without a request', async () => {
  const answers = new Answers(client, { waitsForUser: true });
  let requests = 0;
  const session = answers.session(
    (uid: string) => uid,
    () => Promise.resolve(`user ${++requests}`),
  );
  answers.userChanged(null);
  await session.reload();
  expect([session.get().data, requests]).toEqual([null, 0]);
  answers.userChanged('ada');
  await session.reload();
  expect([session.get().data, requests]).toEqual(['user 1', 1]);
});

test('an answer that nobody is signed in keeps no data, and asks once who is signed in', async () => {
  const { answers, data, session, uids } = await behindTheCookie();
  const other = controlled(answers, 'other');
  other.shared.subscribe(ignore);
  other.requests[0]?.resolve('of Ada, too');
  await allPromises();
  uids.push(null);
  const reloading = data.shared.reload();
  data.requests[1]?.reject(unauthenticated());
  await reloading;
  await allPromises();
  expect([session.get().data, other.shared.get().data]).toEqual([null, undefined]);
  for (const { requests } of [data, other]) requests.at(-1)?.reject(unauthenticated());
  await allPromises();
  expect(data.shared.get()).toMatchObject({ status: 'failed', data: undefined });
  expect([data.requests.length, other.requests.length, session.get().status]).toEqual([3, 2, 'ready']);
});

test('with ID tokens an answer that nobody is signed in keeps no data', async () => {
  const answers = new Answers(client, { waitsForUser: true });
  const { requests, shared } = controlled(answers);
  answers.userChanged('ada');
  shared.subscribe(ignore);
  requests[0]?.resolve('of Ada');
  await changed(shared);
  const reloading = shared.reload();
  requests.at(-1)?.reject(unauthenticated());
  await reloading;
  expect(shared.get()).toMatchObject({ status: 'failed', data: undefined });
});

test('with ID tokens a user who signs in again after a refusal gets new answers, once', async () => {
  const answers = new Answers(client, { waitsForUser: true });
  const found: (string | null)[] = ['ada', null, 'ada', 'ada'];
  const session = answers.session(
    (uid: string) => uid,
    () => Promise.resolve(found.shift() ?? null),
  );
  session.subscribe(ignore);
  answers.userChanged('ada');
  await allPromises();
  await session.reload();
  expect(session.get().data).toBeNull();
  answers.userChanged('ada');
  await allPromises();
  expect(session.get().data).toBe('ada');
  answers.userChanged('ada');
  await allPromises();
  expect(found).toEqual(['ada']);
});

test('with ID tokens a new token after an answer 401 loads the data again', async () => {
  const answers = new Answers(client, { waitsForUser: true });
  const { requests, shared } = controlled(answers);
  answers.userChanged('ada');
  shared.subscribe(ignore);
  requests[0]?.reject(unauthenticated());
  await allPromises();
  answers.userChanged('ada');
  requests[1]?.resolve('of Ada');
  await allPromises();
  expect([shared.get().data, requests.length]).toEqual(['of Ada', 2]);
});

test('with ID tokens a late refusal of the former token does not count after the same user signs in again', async () => {
  const answers = new Answers(client, { waitsForUser: true });
  const { requests, shared } = controlled(answers);
  const sessions: ((uid: string | null) => void)[] = [];
  const session = answers.session(
    (uid: string) => uid,
    () => new Promise<string | null>((resolve) => sessions.push(resolve)),
  );
  answers.userChanged('ada');
  shared.subscribe(ignore);
  session.subscribe(ignore);
  answers.userChanged('ada');
  requests[0]?.reject(unauthenticated());
  sessions[0]?.(null);
  await allPromises();
  expect([shared.get().status, session.get().status]).toEqual(['loading', 'loading']);
  requests[1]?.resolve('of Ada');
  sessions[1]?.('ada');
  await allPromises();
  expect([shared.get().data, session.get().data]).toEqual(['of Ada', 'ada']);
  const reloading = shared.reload();
  answers.userChanged('ada');
  for (const index of [2, 3]) {
    requests[index]?.reject(unauthenticated());
    await allPromises();
  }
  await reloading;
  expect([shared.get().status, requests.length], 'refused twice').toEqual(['failed', 4]);
});
