import type { Firestore } from 'firebase-admin/firestore';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDb, type Db } from './db.ts';
import { closedPort, firestoreAt, silentServer } from './testing/unreachable.ts';
import type { WaitLimits } from './waits.ts';

/** Longer than any test: a call that waits for this limit fails its test. */
const NEVER = 3_600_000;

const SOON = 50;

const NO_ANSWER = { refusalName: 'database_unavailable', code: 'busy', status: 503 };

describe.each([
  ['accepts connections and never answers', silentServer],
  ['refuses connections', closedPort],
])('if Firestore %s', (_how, start) => {
  let firestore: Firestore;
  let stop: () => void;

  beforeAll(async () => {
    const server = await start();
    firestore = firestoreAt(server.port);
    stop = () => {
      server[Symbol.dispose]();
    };
  });

  afterAll(() => {
    stop();
  });

  const dbWith = (limits: Partial<WaitLimits>) =>
    createDb({
      loadClient: () => Promise.resolve(firestore),
      auditDays: 1,
      waitLimits: { request: NEVER, rateLimit: NEVER, call: NEVER, ...limits },
    });

  test.each<[string, (db: Db) => Promise<unknown>]>([
    ['reading a document', (db) => db.trials.get('a')],
    ['reading documents', (db) => db.trials.getAll(['a', 'b'])],
    ['a query', (db) => db.trials.where('customerId', '==', 'a').findIntact()],
    ['a count', (db) => db.trials.count()],
    ['a sum', (db) => db.storageUsage.sum('bytes')],
    ['a snapshot', (db) => db.snapshot((reads) => reads.trials.get('a'))],
    ['a transaction', (db) => db.run((tx) => tx.trials.get('a'))],
    ['a purge', (db) => db.purge(db.trials.where('customerId', '==', 'a'), 10)],
  ])('%s is refused after the limit', async (_what, call) => {
    await expect(call(dbWith({ call: SOON }))).rejects.toMatchObject(NO_ANSWER);
  });

  test.each<[string, (db: Db) => Promise<unknown>]>([
    ['a direct write', (db) => db.storageUsage.set('a', { bytes: 1 })],
    ['a commit', (db) => db.run((tx) => Promise.resolve(tx.storageUsage.set('a', { bytes: 1 })))],
  ])('the answer to %s says that it may have been done', async (_what, call) => {
    await expect(call(dbWith({ call: SOON }))).rejects.toMatchObject({
      refusalName: 'outcome_unknown',
      code: 'busy',
      status: 503,
    });
  });

  test('the calls of one request share its limit, after which nothing is sent', async () => {
    const db = dbWith({ request: SOON });
    await db.limitWaits('request', async () => {
      await expect(db.trials.get('a')).rejects.toMatchObject(NO_ANSWER);
      await expect(db.storageUsage.set('a', { bytes: 1 })).rejects.toMatchObject(NO_ANSWER);
    });
  });

  test('a rate limit gives up before its request, which continues', async () => {
    const db = dbWith({ rateLimit: SOON });
    await db.limitWaits('request', async () => {
      await expect(db.limitWaits('rateLimit', () => db.trials.get('a'))).rejects.toMatchObject(NO_ANSWER);
      await expect(db.run(() => Promise.resolve('continues'))).resolves.toBe('continues');
    });
  });

  test('a rate limit waits no longer than its request', async () => {
    const db = dbWith({ request: SOON });
    const get = () => db.limitWaits('rateLimit', () => db.trials.get('a'));
    await expect(db.limitWaits('request', get)).rejects.toMatchObject(NO_ANSWER);
  });
});
