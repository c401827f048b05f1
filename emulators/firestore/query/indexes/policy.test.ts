import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AggregateField, FieldPath, Filter } from '@google-cloud/firestore';
import type { Firestore, Query } from '@google-cloud/firestore';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startFirestoreServer } from '../../server.ts';
import { connect } from '../../testing.ts';

const FAILED_PRECONDITION = 9;
const name = FieldPath.documentId();

const field = (fieldPath: string, order = 'ASCENDING'): object => ({ fieldPath, order });
const composite = (collectionGroup: string, fields: object[], queryScope = 'COLLECTION'): object => ({
  collectionGroup,
  queryScope,
  fields,
});
const INDEXES = {
  indexes: [
    composite('c', [field('a'), field('b')]),
    composite('c', [field('x'), field('b')]),
    composite('c', [field('y', 'DESCENDING'), field('b', 'DESCENDING')]),
    composite('c', [field('b'), field('c')]),
    composite('c', [field('tags', 'none'), field('b')].map(withArray)),
    composite('c', [field('g'), field('b')], 'COLLECTION_GROUP'),
  ],
  fieldOverrides: [
    { collectionGroup: 'c', fieldPath: 'secret', indexes: [] },
    { collectionGroup: 'c', fieldPath: 'expiresAt', ttl: true },
    {
      collectionGroup: 'c',
      fieldPath: 'uid',
      indexes: [{ order: 'ASCENDING', queryScope: 'COLLECTION_GROUP' }],
    },
  ],
};

function withArray(of: object): object {
  const { fieldPath, order } = of as { fieldPath: string; order: string };
  return order === 'none' ? { fieldPath, arrayConfig: 'CONTAINS' } : of;
}

async function serveWith(indexes: object): Promise<{ firestore: Firestore; file: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'indexes-'));
  const file = path.join(folder, 'firestore.indexes.json');
  writeFileSync(file, JSON.stringify(indexes));
  const server = await startFirestoreServer({ indexes: file });
  const firestore = connect(server);
  closers.push(async () => {
    await firestore.terminate();
    await server.close();
    rmSync(folder, { recursive: true });
  });
  return { firestore, file };
}

const closers: (() => Promise<void>)[] = [];
let firestore: Firestore;

beforeAll(async () => {
  ({ firestore } = await serveWith(INDEXES));
  return async () => {
    for (const close of closers) await close();
  };
});

interface Readable {
  get(): Promise<object>;
}

type Ask = (c: Query, group: Query) => Readable;

describe('needs no composite index', () => {
  test.each<[string, Ask]>([
    ['everything', (c) => c],
    ['one equality', (c) => c.where('z', '==', 1)],
    ['one range', (c) => c.where('z', '>', 1).where('z', '<', 3)],
    ['one order, up or down', (c) => c.orderBy('z', 'desc')],
    ['a range and its own order', (c) => c.where('z', '>', 1).orderBy('z', 'desc')],
    ['many equalities', (c) => c.where('z', '==', 1).where('w', '==', 2).where('v', '==', 3)],
    ['equalities and array-contains', (c) => c.where('z', '==', 1).where('tags', 'array-contains', 2)],
    ['an equality in descending order of names', (c) => c.where('z', '==', 1).orderBy(name, 'desc')],
    ['an equality and order by the same field', (c) => c.where('z', '==', 1).orderBy('z')],
    ['in', (c) => c.where('z', 'in', [1, 2]).where('w', '==', 1)],
    ['or of equalities', (c) => c.where(Filter.or(Filter.where('z', '==', 1), Filter.where('w', '==', 2)))],
    ['a range of names', (c) => c.where(name, '>', 'x')],
    ['an equality and a range of names', (c) => c.where('z', '==', 1).where(name, '>', 'x')],
    ['a count of equalities', (c) => c.where('z', '==', 1).where('w', '==', 2).count()],
    ['a sum', (c) => c.aggregate({ sum: AggregateField.sum('z') })],
    ['a field with a TTL policy only', (c) => c.orderBy('expiresAt')],
    ['a whole collection group', (_, group) => group],
  ])('%s', async (_name, ask) => {
    await expect(query(ask).get()).resolves.toBeDefined();
  });
});

describe('is served by an index of the file', () => {
  test.each<[string, Ask]>([
    ['equality and order', (c) => c.where('a', '==', 1).orderBy('b')],
    ['equality and range', (c) => c.where('a', '==', 1).where('b', '>', 1)],
    ['two indexes merged', (c) => c.where('a', '==', 1).where('x', '==', 1).orderBy('b')],
    ['two indexes merged, in', (c) => c.where('a', '==', 1).where('x', 'in', [1, 2]).orderBy('b')],
    ['an equality field of the other direction', (c) => c.where('y', '==', 1).orderBy('b', 'desc')],
    ['two orders', (c) => c.orderBy('b').orderBy('c')],
    ['two ranges', (c) => c.where('b', '>', 1).where('c', '>', 1)],
    ['array-contains and order', (c) => c.where('tags', 'array-contains', 1).orderBy('b')],
    ['array-contains-any and order', (c) => c.where('tags', 'array-contains-any', [1, 2]).orderBy('b')],
    ['a sum over what is filtered', (c) => c.where('a', '==', 1).aggregate({ sum: AggregateField.sum('b') })],
    ['a group', (_, group) => group.where('g', '==', 1).orderBy('b')],
    ['a group by one field', (_, group) => group.where('uid', '==', 1)],
  ])('%s', async (_name, ask) => {
    await expect(query(ask).get()).resolves.toBeDefined();
  });
});

describe('is refused as production does', () => {
  const needs = (fields: [string, string][], queryScope = 'COLLECTION'): string =>
    JSON.stringify({
      collectionGroup: 'c',
      queryScope,
      fields: fields.map(([fieldPath, mode]) =>
        mode === 'CONTAINS' ? { fieldPath, arrayConfig: mode } : { fieldPath, order: mode },
      ),
    });
  const [ASC, DESC] = ['ASCENDING', 'DESCENDING'];
  test.each<[string, Ask, string]>([
    [
      'equality and order',
      (c) => c.where('z', '==', 1).orderBy('b'),
      needs([
        ['z', ASC],
        ['b', ASC],
      ]),
    ],
    [
      'the other direction',
      (c) => c.where('a', '==', 1).orderBy('b', 'desc'),
      needs([
        ['a', ASC],
        ['b', DESC],
      ]),
    ],
    [
      'two orders',
      (c) => c.orderBy('c').orderBy('b'),
      needs([
        ['c', ASC],
        ['b', ASC],
      ]),
    ],
    [
      'a name in the other direction',
      (c) => c.orderBy('z').orderBy(name, 'desc'),
      needs([
        ['z', ASC],
        ['__name__', DESC],
      ]),
    ],
    [
      'names down',
      (c) => c.orderBy(name, 'desc'),
      'COLLECTION_DESC index for collection c and field __name__',
    ],
    [
      'inequalities',
      (c) => c.where('c', '>', 1).where('b', '!=', 1).where('z', '<', 1),
      needs([
        ['b', ASC],
        ['c', ASC],
        ['z', ASC],
      ]),
    ],
    [
      'array-contains and another order',
      (c) => c.where('tags', 'array-contains', 1).orderBy('z'),
      needs([
        ['tags', 'CONTAINS'],
        ['z', ASC],
      ]),
    ],
    [
      'one of two alternatives',
      (c) => c.where(Filter.or(Filter.where('a', '==', 1), Filter.where('z', '==', 1))).orderBy('b'),
      needs([
        ['z', ASC],
        ['b', ASC],
      ]),
    ],
    [
      'a sum',
      (c) => c.where('z', '==', 1).aggregate({ sum: AggregateField.sum('b') }),
      needs([
        ['z', ASC],
        ['b', ASC],
      ]),
    ],
    [
      'an exempted field',
      (c) => c.where('secret', '==', 1),
      'COLLECTION_ASC index for collection c and field secret',
    ],
    [
      'a field within an exempted map',
      (c) => c.orderBy('secret.word', 'desc'),
      'COLLECTION_DESC index for collection c and field secret.word',
    ],
    [
      'a group by one field',
      (_, group) => group.where('z', '==', 1),
      'COLLECTION_GROUP_ASC index for collection c and field z',
    ],
    [
      'a group by an array',
      (_, group) => group.where('z', 'array-contains', 1),
      'COLLECTION_GROUP_CONTAINS index for collection c and field z',
    ],
    [
      'a group, with a collection index alone',
      (_, group) => group.where('a', '==', 1).orderBy('b'),
      needs(
        [
          ['a', ASC],
          ['b', ASC],
        ],
        'COLLECTION_GROUP',
      ),
    ],
  ])('%s', async (_name, ask, index) => {
    await expect(query(ask).get()).rejects.toMatchObject({
      code: FAILED_PRECONDITION,
      details: expect.stringMatching(
        /^The query requires an? .*index.*\. You can create it here: /,
      ) as string,
      message: expect.stringContaining(index) as string,
    });
  });

  test('a listener too', async () => {
    const refused = new Promise((resolve) => {
      const stop = firestore
        .collection('c')
        .where('z', '==', 1)
        .orderBy('b')
        .onSnapshot(() => undefined, resolve);
      onTestFinished(stop);
    });
    expect(await refused).toMatchObject({
      message: expect.stringMatching('The query requires an index.') as string,
    });
  });
});

test('an index that was added to the file can be used immediately', async () => {
  const { firestore: other, file } = await serveWith({});
  const ask = other.collection('c').where('a', '==', 1).orderBy('b');
  await expect(ask.get()).rejects.toMatchObject({ code: FAILED_PRECONDITION });
  writeFileSync(file, JSON.stringify(INDEXES));
  utimesSync(file, new Date(), new Date(Date.now() + 5_000));
  await expect(ask.get()).resolves.toMatchObject({ empty: true });
});

test('an invalid index file prevents the start', async () => {
  await expect(startFirestoreServer({ indexes: import.meta.filename })).rejects.toThrow(
    'is no valid index file',
  );
});

const query = (ask: Ask): Readable => ask(firestore.collection('c'), firestore.collectionGroup('c'));
