import { FieldValue, Firestore } from '@google-cloud/firestore';
import type { Timestamp } from '@google-cloud/firestore';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFirestoreServer } from '../server.ts';
import type { FirestoreServer } from '../server.ts';
import { connect } from '../testing.ts';

const INVALID_ARGUMENT = 3;
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
const FAILED_PRECONDITION = 9;

let server: FirestoreServer;
let firestore: Firestore;

beforeAll(async () => {
  server = await startFirestoreServer();
  firestore = connect(server);
});

afterAll(async () => {
  await firestore.terminate();
  await server.close();
});

const fresh = (): FirebaseFirestore.DocumentReference => firestore.collection('writes').doc();

describe('preconditions', () => {
  test('update of a missing document', async () => {
    const ref = fresh();
    await expect(ref.update({ a: 1 })).rejects.toMatchObject({
      code: NOT_FOUND,
      details: `No document to update: projects/demo-test/databases/(default)/documents/${ref.path}`,
    });
  });

  test('create of an existing document', async () => {
    const ref = fresh();
    await ref.create({});
    await expect(ref.create({})).rejects.toMatchObject({ code: ALREADY_EXISTS });
  });

  test('delete that must find a document', async () => {
    await expect(fresh().delete({ exists: true })).rejects.toMatchObject({ code: NOT_FOUND });
  });

  test('an update time that is no longer the stored one', async () => {
    const ref = fresh();
    const { writeTime } = await ref.set({ n: 1 });
    await ref.update({ n: 2 }, { lastUpdateTime: writeTime });
    await expect(ref.update({ n: 3 }, { lastUpdateTime: writeTime })).rejects.toMatchObject({
      code: FAILED_PRECONDITION,
    });
  });

  test('a batch is applied as a whole or not at all', async () => {
    const [kept, missing] = [fresh(), fresh()];
    const batch = firestore.batch().set(kept, { n: 1 }).update(missing, { n: 1 });
    await expect(batch.commit()).rejects.toMatchObject({ code: NOT_FOUND });
    expect((await kept.get()).exists).toBe(false);
  });
});

describe('updates', () => {
  test('nested and quoted field paths change only the fields that they name', async () => {
    const ref = fresh();
    await ref.set({ a: { b: 1, 'c.d': 2 }, e: 3 });
    await ref.set({ a: { 'c.d': 4 } }, { merge: true });
    await ref.update({ 'a.b': FieldValue.delete(), 'new.deep': true });
    expect((await ref.get()).data()).toEqual({ a: { 'c.d': 4 }, e: 3, new: { deep: true } });
  });

  test('names that JavaScript objects treat specially are kept as data', async () => {
    const ref = fresh();
    await ref.set(JSON.parse('{"constructor": 1, "toString": {"valueOf": 2}}') as object);
    expect(JSON.stringify((await ref.get()).data())).toBe('{"constructor":1,"toString":{"valueOf":2}}');
  });

  test('a write that changes nothing keeps the update time', async () => {
    const ref = fresh();
    await ref.set({ n: 1 });
    const { updateTime } = await ref.get();
    await ref.set({ n: 1 });
    expect((await ref.get()).updateTime).toEqual(updateTime);
    await ref.set({ n: 2 });
    expect((await ref.get()).updateTime).not.toEqual(updateTime);
  });

  test('commit times are strictly increasing and create time stays', async () => {
    const ref = fresh();
    const times: Timestamp[] = [];
    for (let n = 0; n < 5; n++) times.push((await ref.set({ n })).writeTime);
    expect([...times].sort((left, right) => (left.valueOf() < right.valueOf() ? -1 : 1))).toEqual(times);
    expect(new Set(times.map((time) => time.valueOf())).size).toBe(5);
    expect((await ref.get()).createTime).toEqual(times[0]);
  });

  test.each([
    ['a reserved document id', 'writes/__reserved__', {}],
    ['a reserved field name', 'writes/x', { __reserved__: 1 }],
    ['a document over 1 MiB', 'writes/x', { text: 'x'.repeat(1_048_577) }],
    ['a map nested 21 levels deep', 'writes/x', nested(21)],
  ])('%s is refused', async (_name, path, data) => {
    await expect(firestore.doc(path).set(data)).rejects.toMatchObject({ code: INVALID_ARGUMENT });
  });
});

test('a commit of more than 10 MiB is refused as a whole', async () => {
  const batch = firestore.batch();
  const refs = Array.from({ length: 14 }, fresh);
  for (const ref of refs) batch.set(ref, { text: 'x'.repeat(1_000_000) });
  await expect(batch.commit()).rejects.toMatchObject({
    code: INVALID_ARGUMENT,
    details: 'Transaction too big. Decrease transaction size.',
  });
  const [first] = await firestore.getAll(...refs);
  expect(first?.exists).toBe(false);
});

function nested(depth: number): object {
  return depth === 1 ? {} : { m: nested(depth - 1) };
}

describe('transforms', () => {
  const cases: [string, unknown, FieldValue, unknown][] = [
    ['increment of a missing field', undefined, FieldValue.increment(2), 2],
    ['increment of what is no number', 'x', FieldValue.increment(2), 2],
    ['increment of an integer', 1, FieldValue.increment(2), 3],
    ['increment by a double', 1, FieldValue.increment(0.5), 1.5],
    ['arrayUnion', [1, 2], FieldValue.arrayUnion(2, 3), [1, 2, 3]],
    ['arrayUnion with what is no array', 1, FieldValue.arrayUnion(3), [3]],
    ['arrayRemove', [1, 2, 1], FieldValue.arrayRemove(1), [2]],
    ['maximum', 1, FieldValue.maximum(2), 2],
    ['maximum that is smaller', 3, FieldValue.maximum(2), 3],
    ['minimum', 3, FieldValue.minimum(2), 2],
  ];
  test.each(cases)('%s', async (_name, before, transform, after) => {
    const ref = fresh();
    await ref.set(before === undefined ? {} : { value: before });
    await ref.update({ value: transform });
    expect((await ref.get()).data()).toEqual({ value: after });
  });

  test('an integer increment stops at the end of int64', async () => {
    const exact = new Firestore({ projectId: 'demo-test', useBigInt: true });
    const ref = exact.collection('writes').doc();
    await ref.set({ n: 2n ** 63n - 2n });
    await ref.update({ n: FieldValue.increment(5) });
    expect((await ref.get()).get('n')).toBe(2n ** 63n - 1n);
    await exact.terminate();
  });

  test('the server timestamp is the same throughout a commit', async () => {
    const [left, right] = [fresh(), fresh()];
    const time = FieldValue.serverTimestamp();
    await firestore.batch().set(left, { time }).set(right, { nested: { time } }).commit();
    expect((await left.get()).get('time')).toEqual((await right.get()).get('nested.time'));
  });
});

describe('BulkWriter', () => {
  test('writes each document on its own and reports failures one by one', async () => {
    const writer = firestore.bulkWriter();
    writer.onWriteError(() => false);
    const [created, deleted, missing] = [fresh(), fresh(), fresh()];
    await deleted.set({});
    const results = Promise.allSettled([
      writer.create(created, { n: 1 }),
      writer.delete(deleted),
      writer.update(missing, { n: 1 }),
    ]);
    await writer.close();
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect((await firestore.getAll(created, deleted)).map(({ exists }) => exists)).toEqual([true, false]);
  });
});

test('listing shows collections, and missing documents that lead to subcollections', async () => {
  const ref = fresh();
  await ref.collection('letters').doc('missing').collection('below').doc('leaf').set({});
  await ref.collection('letters').doc('present').set({});
  await ref.collection('numbers').doc('gone').set({});
  await ref.collection('numbers').doc('gone').delete();
  expect((await ref.listCollections()).map(({ id }) => id)).toEqual(['letters']);
  expect((await ref.collection('letters').listDocuments()).map(({ id }) => id)).toEqual([
    'missing',
    'present',
  ]);
});
