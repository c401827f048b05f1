import { expect, test } from 'vitest';
import { createHearthClient } from '../index.ts';
import { Answers } from './answers.ts';

const client = createHearthClient({ baseUrl: 'http://localhost' });

/** An answer whose requests wait until the test resolves them. */
function controlled(answers: Answers) {
  const requests: {
    resolve: (data: string) => void;
    reject: (error: unknown) => void;
    signal: AbortSignal;
  }[] = [];
  const shared = answers.ofUser(
    'key',
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
