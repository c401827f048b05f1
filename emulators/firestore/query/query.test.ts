import { AggregateField, FieldPath, FieldValue, Filter, GeoPoint, Timestamp } from '@google-cloud/firestore';
import type { DocumentData, Firestore, Query } from '@google-cloud/firestore';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { startFirestoreServer } from '../server.ts';
import type { FirestoreServer } from '../server.ts';
import { connect } from '../testing.ts';

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

const ids = async (query: Query): Promise<string[]> => (await query.get()).docs.map(({ id }) => id);

async function fill(collection: string, documents: Record<string, DocumentData>): Promise<void> {
  const batch = firestore.batch();
  for (const [id, data] of Object.entries(documents))
    batch.set(firestore.collection(collection).doc(id), data);
  await batch.commit();
}

test('values of all types are ordered as in production', async () => {
  const ordered: [string, unknown][] = [
    ['null', null],
    ['false', false],
    ['true', true],
    ['nan', NaN],
    ['-infinity', -Infinity],
    ['minus', -1.5],
    ['zero', 0],
    ['one', 1],
    ['big', 2 ** 53],
    ['date', Timestamp.fromMillis(0)],
    ['later', Timestamp.fromMillis(1)],
    ['empty', ''],
    ['upper', 'Z'],
    ['lower', 'a'],
    ['bmp', '\uffee'],
    ['astral', '😀'],
    ['bytes', Buffer.from([1])],
    ['more bytes', Buffer.from([1, 0])],
    ['reference', firestore.doc('a/a')],
    ['geo point', new GeoPoint(1, 2)],
    ['array', [1]],
    ['longer array', [1, 0]],
    ['short vector', FieldValue.vector([9])],
    ['vector', FieldValue.vector([1, 2])],
    ['map', { a: 1 }],
    ['map with later key', { b: 0 }],
  ];
  await fill('types', Object.fromEntries([...ordered].reverse().map(([id, value]) => [id, { value }])));
  expect(await ids(firestore.collection('types').orderBy('value'))).toEqual(ordered.map(([id]) => id));
});

describe('filters', () => {
  beforeAll(() =>
    fill('items', {
      a: { n: 1, tags: ['x', 'y'], s: 'one' },
      b: { n: 2, tags: ['y'], s: 'two' },
      c: { n: 2.5, tags: [], s: null },
      d: { n: NaN, tags: 'x' },
      e: { n: '3', nested: { deep: { value: true } } },
      f: { other: 1 },
    }),
  );

  const items = (): Query => firestore.collection('items');
  const cases: [string, () => Query, string[]][] = [
    ['==', () => items().where('n', '==', 2), ['b']],
    ['!= leaves out missing fields', () => items().where('n', '!=', 2), ['d', 'a', 'c', 'e']],
    ['!= leaves out null', () => items().where('s', '!=', 'one'), ['b']],
    ['< stays within the type', () => items().where('n', '<', 2.5), ['a', 'b']],
    ['<=', () => items().where('n', '<=', 2.5), ['a', 'b', 'c']],
    ['>', () => items().where('n', '>', 1), ['b', 'c']],
    ['>=', () => items().where('n', '>=', 2), ['b', 'c']],
    ['range', () => items().where('n', '>', 1).where('n', '<', 2.5), ['b']],
    ['array-contains', () => items().where('tags', 'array-contains', 'x'), ['a']],
    ['array-contains-any', () => items().where('tags', 'array-contains-any', ['x', 'y']), ['a', 'b']],
    ['in', () => items().where('n', 'in', [1, '3']), ['a', 'e']],
    ['not-in', () => items().where('n', 'not-in', [1, 2]), ['d', 'c', 'e']],
    ['is null', () => items().where('s', '==', null), ['c']],
    ['is not null', () => items().where('s', '!=', null), ['a', 'b']],
    ['is NaN', () => items().where('n', '==', NaN), ['d']],
    ['nested field', () => items().where('nested.deep.value', '==', true), ['e']],
    ['document id', () => items().where(FieldPath.documentId(), '>=', 'e'), ['e', 'f']],
    ['document id in', () => items().where(FieldPath.documentId(), 'in', ['b', 'zzz']), ['b']],
    [
      'or',
      () => items().where(Filter.or(Filter.where('n', '==', 1), Filter.where('other', '==', 1))),
      ['a', 'f'],
    ],
    [
      'and within or',
      () =>
        items().where(
          Filter.or(
            Filter.and(Filter.where('n', '==', 1), Filter.where('s', '==', 'two')),
            Filter.where('s', '==', 'two'),
          ),
        ),
      ['b'],
    ],
    ['orderBy leaves out documents without the field', () => items().orderBy('other'), ['f']],
    ['several inequalities', () => items().where('n', '>', 1).where('s', '>', 'a'), ['b']],
  ];
  test.each(cases)('%s', async (_name, query, expected) => {
    expect(await ids(query())).toEqual(expected);
  });
});

describe('windows', () => {
  beforeAll(() =>
    fill('grid', {
      a: { x: 1, y: 1 },
      b: { x: 1, y: 2 },
      c: { x: 2, y: 1 },
      d: { x: 2, y: 2 },
      e: { x: 3, y: 1 },
    }),
  );

  const byX = (): Query => firestore.collection('grid').orderBy('x');
  const cases: [string, () => Query, string[]][] = [
    ['ties are ordered by document id', () => byX(), ['a', 'b', 'c', 'd', 'e']],
    [
      'the last direction goes on to the document id',
      () => byX().orderBy('y', 'desc'),
      ['b', 'a', 'd', 'c', 'e'],
    ],
    ['descending', () => firestore.collection('grid').orderBy('x', 'desc'), ['e', 'd', 'c', 'b', 'a']],
    ['limit', () => byX().limit(2), ['a', 'b']],
    ['limitToLast', () => byX().limitToLast(2), ['d', 'e']],
    ['offset', () => byX().offset(1).limit(2), ['b', 'c']],
    ['startAt', () => byX().startAt(2), ['c', 'd', 'e']],
    ['startAfter', () => byX().startAfter(1), ['c', 'd', 'e']],
    ['endAt', () => byX().endAt(2), ['a', 'b', 'c', 'd']],
    ['endBefore', () => byX().endBefore(2), ['a', 'b']],
    ['several cursor values', () => byX().orderBy('y').startAfter(1, 1).endBefore(3, 1), ['b', 'c', 'd']],
    ['limitToLast within cursors', () => byX().endBefore(3).limitToLast(1), ['d']],
  ];
  test.each(cases)('%s', async (_name, query, expected) => {
    expect(await ids(query())).toEqual(expected);
  });

  test('a snapshot as cursor', async () => {
    const snapshot = await firestore.doc('grid/b').get();
    expect(await ids(byX().startAfter(snapshot))).toEqual(['c', 'd', 'e']);
  });

  test('select returns the named fields only', async () => {
    const { docs } = await byX().select('y').limit(1).get();
    expect(docs.map((snapshot) => snapshot.data())).toEqual([{ y: 1 }]);
  });
});

test('a collection group reads every collection of the name, below any parent', async () => {
  const group = `g${String(Date.now())}`;
  await fill(group, { top: { n: 1 } });
  await fill(`teams/t/${group}`, { nested: { n: 2 } });
  await fill(`teams/t/${group}x`, { other: { n: 3 } });
  expect(await ids(firestore.collectionGroup(group).orderBy('n'))).toEqual(['top', 'nested']);
  const partitions: unknown[] = [];
  for await (const partition of firestore.collectionGroup(group).getPartitions(2)) partitions.push(partition);
  expect(partitions).toHaveLength(2);
});

describe('aggregation', () => {
  const aggregate = async (values: Record<string, unknown>): Promise<unknown> => {
    const collection = firestore.collection('sums').doc().collection('values');
    await fill(collection.path, Object.fromEntries(Object.entries(values).map(([id, v]) => [id, { v }])));
    const spec = {
      count: AggregateField.count(),
      sum: AggregateField.sum('v'),
      avg: AggregateField.average('v'),
    };
    return (await collection.aggregate(spec).get()).data();
  };
  test.each([
    ['nothing', {}, { count: 0, sum: 0, avg: null }],
    ['integers', { a: 1, b: 2 }, { count: 2, sum: 3, avg: 1.5 }],
    ['values that are not numbers', { a: 1, b: 'x', c: null }, { count: 3, sum: 1, avg: 1 }],
    ['NaN', { a: 1, b: NaN }, { count: 2, sum: NaN, avg: NaN }],
  ])('has count, sum and average for %s', async (_name, values, expected) => {
    expect(await aggregate(values)).toEqual(expected);
  });

  test('a document without an aggregated field is not counted', async () => {
    await fill('partial', { a: { n: 1 }, b: {} });
    const spec = { count: AggregateField.count(), sum: AggregateField.sum('n') };
    expect((await firestore.collection('partial').aggregate(spec).get()).data()).toEqual({
      count: 1,
      sum: 1,
    });
  });

  test('an integer sum past int64 becomes a double', async () => {
    const batch = firestore.batch();
    for (let index = 0; index < 2; index++) {
      batch.set(firestore.doc(`huge/${String(index)}`), { n: 2n ** 63n - 1n });
    }
    await batch.commit();
    const spec = { sum: AggregateField.sum('n') };
    expect((await firestore.collection('huge').aggregate(spec).get()).data().sum).toBeGreaterThan(1.8e19);
  });
});
