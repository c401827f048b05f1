import { status } from '@grpc/grpc-js';
import { beforeEach, describe, expect, test } from 'vitest';
import { StatusError } from '../errors.ts';
import { parseQuery } from '../query/parsing/query.ts';
import { runQuery } from '../query/run.ts';
import { Database } from '../storage/database.ts';
import { ManualClock, ROOT } from '../testing.ts';
import type { Write } from '../write/write.ts';
import { PRODUCTION_TIMEOUTS, TransactionCoordinator } from './coordinator.ts';
import type { Transaction } from './transaction.ts';

let clock: ManualClock;
let database: Database;
let transactions: TransactionCoordinator;

beforeEach(() => {
  clock = new ManualClock();
  database = new Database('projects/p/databases/(default)', clock);
  transactions = new TransactionCoordinator(database, clock, PRODUCTION_TIMEOUTS);
});

const set = (path: string, n: bigint): Write => ({
  path,
  kind: 'set',
  fields: new Map([['n', n]]),
  mask: [],
  transforms: [],
  precondition: {},
});

const readDocument = (transaction: Transaction, path: string): Promise<unknown> => {
  const target = { documents: [path], ranges: [] };
  return transactions.read(transaction, target, () => ({
    result: database.get(path)?.fields.get('n'),
    locked: target,
  }));
};

const stateOf = async (promise: Promise<unknown>): Promise<string> => {
  const pending = Symbol('pending');
  const settled = await Promise.race([
    promise.then(() => 'done', String),
    new Promise((resolve) => setImmediate(resolve, pending)),
  ]);
  return settled === pending ? 'pending' : String(settled);
};

describe('waiting', () => {
  test('a write to a read document waits, then fails when the lock timeout is over', async () => {
    const reader = transactions.begin();
    await readDocument(reader, 'a/b');
    const outside = transactions.commitWrites([set('a/b', 1n)]);
    clock.advance(PRODUCTION_TIMEOUTS.lock - 1);
    expect(await stateOf(outside)).toBe('pending');
    clock.advance(1);
    await expect(outside).rejects.toMatchObject({
      code: status.ABORTED,
      message: 'Transaction lock timeout.',
    });
    await transactions.commitWrites([set('a/b', 2n)], reader);
  });

  test('waiting writes are applied in the order in which they came', async () => {
    const reader = transactions.begin();
    await readDocument(reader, 'a/b');
    const first = transactions.commitWrites([set('a/b', 1n)]);
    const second = transactions.commitWrites([set('a/b', 2n)]);
    transactions.rollback(reader);
    expect((await first).commitTime).toBeLessThan((await second).commitTime);
    expect(database.get('a/b')?.fields.get('n')).toBe(2n);
  });

  test('a reader that comes after a waiting writer does not overtake it', async () => {
    const [early, late] = [transactions.begin(), transactions.begin()];
    await readDocument(early, 'a/b');
    const writing = transactions.commitWrites([set('a/b', 1n)]);
    const reading = readDocument(late, 'a/b');
    expect(await stateOf(reading)).toBe('pending');
    transactions.rollback(early);
    await writing;
    expect(await reading).toBe(1n);
  });

  test('retries read one after the other', async () => {
    const lost = transactions.begin();
    transactions.rollback(lost);
    const [first, second] = [transactions.begin(lost.token), transactions.begin(lost.token)];
    await readDocument(first, 'a/b');
    const waiting = readDocument(second, 'a/b');
    expect(await stateOf(waiting)).toBe('pending');
    await transactions.commitWrites([set('a/b', 7n)], first);
    expect(await waiting).toBe(7n);
  });
});

describe('a lock of two readers', () => {
  test('does not delay the elder, and the younger is aborted', async () => {
    const [elder, younger] = [transactions.begin(), transactions.begin()];
    await Promise.all([readDocument(elder, 'a/b'), readDocument(younger, 'a/b')]);
    await transactions.commitWrites([set('a/b', 1n)], elder);
    expect(() => transactions.find(younger.token)).toThrow(
      expect.objectContaining({ code: status.ABORTED }) as Error,
    );
  });

  test('delays the younger', async () => {
    const [elder, younger] = [transactions.begin(), transactions.begin()];
    await Promise.all([readDocument(elder, 'a/b'), readDocument(younger, 'a/b')]);
    const commit = transactions.commitWrites([set('a/b', 1n)], younger);
    expect(await stateOf(commit)).toBe('pending');
    transactions.rollback(elder);
    await commit;
  });
});

describe('deadlocks', () => {
  test('the younger of two upgrades is aborted immediately, whichever commits first', async () => {
    for (const youngerFirst of [true, false]) {
      const [elder, younger] = [transactions.begin(), transactions.begin()];
      await Promise.all([readDocument(elder, 'a/b'), readDocument(younger, 'a/b')]);
      const commit = (transaction: Transaction): Promise<string> =>
        transactions.commitWrites([set('a/b', 1n)], transaction).then(
          () => 'committed',
          (error: unknown) => (error instanceof StatusError ? status[error.code] : String(error)),
        );
      const inOrder = youngerFirst ? [younger, elder] : [elder, younger];
      const outcomes = await Promise.all(inOrder.map(commit));
      expect(outcomes).toEqual(youngerFirst ? ['ABORTED', 'committed'] : ['committed', 'ABORTED']);
    }
  });

  test('a retry keeps the age of the first attempt and so wins', async () => {
    const first = transactions.begin();
    transactions.rollback(first);
    const newcomer = transactions.begin();
    await readDocument(newcomer, 'a/b');
    const retry = transactions.begin(first.token);
    await readDocument(retry, 'a/b');
    const losing = transactions.commitWrites([set('a/b', 1n)], newcomer);
    await transactions.commitWrites([set('a/b', 2n)], retry);
    await expect(losing).rejects.toMatchObject({ code: status.ABORTED });
  });

  test('a circle of three is broken', async () => {
    const paths = ['a/0', 'a/1', 'a/2'];
    const circle = paths.map(() => transactions.begin());
    await Promise.all(circle.map((transaction, index) => readDocument(transaction, paths[index] ?? '')));
    const commits = circle.map((transaction, index) =>
      stateOf(transactions.commitWrites([set(paths[(index + 1) % 3] ?? '', 1n)], transaction)),
    );
    const outcomes = await Promise.all(commits);
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(2);
  });
});

describe('expiry', () => {
  test.each([
    ['idle', [60_000]],
    ['long-running', Array.from({ length: 9 }, () => 30_000)],
  ])('an %s transaction ends', async (_name, pauses) => {
    const transaction = transactions.begin();
    for (const pause of pauses) {
      transactions.find(transaction.token);
      clock.advance(pause);
    }
    expect(() => transactions.find(transaction.token)).toThrow(/has expired/);
    await transactions.commitWrites([set('a/b', 1n)]);
  });
});

test('a document moved out of a queried range conflicts too', async () => {
  await transactions.commitWrites([set('numbers/a', 1n)]);
  const filter = { fieldFilter: { field: { fieldPath: 'n' }, op: 'EQUAL', value: { integerValue: '1' } } };
  const query = parseQuery({ from: [{ collectionId: 'numbers' }], where: filter }, ROOT);
  const transaction = transactions.begin();
  const target = { documents: [], ranges: [{ query, last: undefined }] };
  await transactions.read(transaction, target, () => ({ result: runQuery(database, query), locked: target }));
  expect(await stateOf(transactions.commitWrites([set('numbers/a', 2n)]))).toBe('pending');
});
