import { FieldValue } from '@google-cloud/firestore';
import type { CollectionReference, Firestore, Timestamp, Transaction } from '@google-cloud/firestore';
import { describe, expect, test } from 'vitest';
import { ManualClock, serveForTest, signal } from '../testing.ts';

async function increment(firestore: Firestore, path: string): Promise<void> {
  const ref = firestore.doc(path);
  await firestore.runTransaction(async (transaction) => {
    const snapshot = await transaction.get(ref);
    transaction.set(ref, { count: ((snapshot.get('count') as number | undefined) ?? 0) + 1 });
  });
}

describe('contention', () => {
  test('50 parallel increments of one document are all committed', async () => {
    const { firestore } = await serveForTest();
    await Promise.all(Array.from({ length: 50 }, () => increment(firestore, 'counters/one')));
    expect((await firestore.doc('counters/one').get()).get('count')).toBe(50);
  });

  test('parallel transactions over the same documents in opposite orders all land', async () => {
    const { firestore } = await serveForTest();
    const refs = [firestore.doc('pair/a'), firestore.doc('pair/b')];
    const bump = (order: typeof refs): Promise<void> =>
      firestore.runTransaction(async (transaction) => {
        for (const ref of order) await transaction.get(ref);
        for (const ref of order) transaction.set(ref, { count: FieldValue.increment(1) }, { merge: true });
      });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => bump(index % 2 === 0 ? refs : [...refs].reverse())),
    );
    const counts = (await firestore.getAll(...refs)).map((snapshot) => snapshot.get('count') as number);
    expect(counts).toEqual([20, 20]);
  });

  test('when two transactions read and write one document, only the younger one is retried', async () => {
    const { firestore } = await serveForTest();
    const ref = firestore.doc('a/b');
    await ref.set({ log: [] });
    const bothRead = { first: signal(), second: signal() };
    const attempts = { first: 0, second: 0 };
    const run = (own: 'first' | 'second', other: 'first' | 'second'): Promise<void> =>
      firestore.runTransaction(async (transaction) => {
        attempts[own]++;
        if (own === 'second') await bothRead.first.given;
        const log = (await transaction.get(ref)).get('log') as string[];
        bothRead[own].give();
        await bothRead[other].given;
        transaction.set(ref, { log: [...log, own] });
      });
    await Promise.all([run('first', 'second'), run('second', 'first')]);
    expect(attempts).toEqual({ first: 1, second: 2 });
    expect((await ref.get()).get('log')).toEqual(['first', 'second']);
  });

  test('a write from outside to a document that a transaction has read waits for its end', async () => {
    const { firestore } = await serveForTest();
    const ref = firestore.doc('a/b');
    const order: string[] = [];
    let outside: Promise<unknown> = Promise.resolve();
    await firestore.runTransaction(async (transaction) => {
      await transaction.get(ref);
      outside = ref.set({ by: 'outside' }).then(() => order.push('outside'));
      transaction.set(ref, { by: 'transaction' });
    });
    order.push('transaction');
    await outside;
    expect((await ref.get()).get('by')).toBe('outside');
    expect(order).toContain('transaction');
  });

  const lockingReads: [
    string,
    (transaction: Transaction, numbers: CollectionReference) => Promise<unknown>,
  ][] = [
    ['a filter', (transaction, numbers) => transaction.get(numbers.where('n', '<', 2))],
    ['an order with a limit', (transaction, numbers) => transaction.get(numbers.orderBy('n').limit(1))],
    ['an aggregation', (transaction, numbers) => transaction.get(numbers.where('n', '<', 2).count())],
  ];
  test.each(lockingReads)(
    'a document that would enter a range read by %s waits, and a document outside of it does not',
    async (_name, read) => {
      const { firestore } = await serveForTest();
      const numbers = firestore.collection('numbers');
      await numbers.doc('a').set({ n: 1 });
      let entered = false;
      let entering: Promise<unknown> = Promise.resolve();
      await firestore.runTransaction(async (transaction) => {
        await read(transaction, numbers);
        entering = numbers
          .doc('phantom')
          .create({ n: 0 })
          .then(() => (entered = true));
        await numbers.doc('beyond').set({ n: 3 });
        expect(entered).toBe(false);
      });
      await entering;
      expect(entered).toBe(true);
    },
  );
});

describe('read-only transactions', () => {
  test('see one snapshot and do not delay writers', async () => {
    const { firestore } = await serveForTest();
    const ref = firestore.doc('a/b');
    await ref.set({ version: 1 });
    const versions = await firestore.runTransaction(
      async (transaction) => {
        const before = await transaction.get(ref);
        await ref.set({ version: 2 });
        const after = await transaction.get(ref);
        return [before, after].map((snapshot) => snapshot.get('version') as number);
      },
      { readOnly: true },
    );
    expect(versions).toEqual([1, 1]);
  });

  test('read at an old time, from before a document existed and after it was deleted', async () => {
    const { firestore } = await serveForTest();
    const ref = firestore.doc('a/b');
    const other = await firestore.doc('a/other').set({});
    const created = await ref.set({ n: 1 });
    await ref.set({ n: 2 });
    await ref.delete();
    const readAt = (readTime: Timestamp): Promise<unknown> =>
      firestore.runTransaction(
        async (transaction) => {
          const document = await transaction.get(ref);
          const query = await transaction.get(firestore.collection('a'));
          return { n: document.get('n') as unknown, ids: query.docs.map(({ id }) => id) };
        },
        { readOnly: true, readTime },
      );
    expect(await readAt(other.writeTime)).toEqual({ n: undefined, ids: ['other'] });
    expect(await readAt(created.writeTime)).toEqual({ n: 1, ids: ['b', 'other'] });
  });

  test('query a large collection at their read time, and not by an index of its current documents', async () => {
    const { firestore } = await serveForTest();
    const collection = firestore.collection('large');
    const batch = firestore.batch();
    for (let n = 0; n < 300; n++) batch.set(collection.doc(`d${String(n)}`), { n });
    const [written] = await batch.commit();
    if (written === undefined) throw new Error('Nothing was written.');
    const { writeTime: readTime } = written;
    const wanted = collection.where('n', '==', 7);
    // The query of the present makes the index.
    expect((await wanted.get()).size).toBe(1);
    await collection.doc('d7').update({ n: 8 });
    const idsIn = async (transaction: Transaction) =>
      (await transaction.get(wanted)).docs.map(({ id }) => id);
    expect(await firestore.runTransaction(idsIn, { readOnly: true, readTime })).toEqual(['d7']);

    const before = await firestore.runTransaction(
      async (transaction) => {
        const first = await transaction.get(collection.where('n', '==', 8));
        await collection.doc('d8').delete();
        const second = await transaction.get(collection.where('n', '==', 8));
        return [first.size, second.size];
      },
      { readOnly: true },
    );
    expect(before).toEqual([2, 2]);
    expect((await wanted.get()).size).toBe(0);
  });

  test('a read time older than an hour is refused', async () => {
    const clock = new ManualClock();
    const { firestore } = await serveForTest({ clock });
    const { writeTime } = await firestore.doc('a/b').set({});
    clock.advance(3_600_001);
    const stale = firestore.runTransaction((transaction) => transaction.get(firestore.doc('a/b')), {
      readOnly: true,
      readTime: writeTime,
    });
    await expect(stale).rejects.toMatchObject({ code: 9 });
  });
});

describe('expiry', () => {
  test('a transaction idle for a minute releases its locks and cannot commit', async () => {
    const clock = new ManualClock();
    const { firestore } = await serveForTest({ clock });
    const ref = firestore.doc('a/b');
    let attempts = 0;
    await firestore.runTransaction(async (transaction) => {
      attempts++;
      await transaction.get(ref);
      if (attempts === 1) {
        clock.advance(60_001);
        await ref.set({ by: 'outside' });
      }
      transaction.set(ref, { by: 'transaction' });
    });
    expect(attempts).toBe(2);
  });

  test('a failed update function rolls back and releases its locks', async () => {
    const { firestore } = await serveForTest();
    const ref = firestore.doc('a/b');
    const failing = firestore.runTransaction(async (transaction) => {
      await transaction.get(ref);
      transaction.set(ref, { n: 1 });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await ref.set({ n: 2 });
    expect((await ref.get()).get('n')).toBe(2);
  });
});
