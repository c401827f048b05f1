import { FieldValue } from '@google-cloud/firestore';
import type { Firestore, VectorQueryOptions } from '@google-cloud/firestore';
import { beforeEach, expect, test } from 'vitest';
import { serveForTest } from '../testing.ts';

let firestore: Firestore;

beforeEach(async () => {
  ({ firestore } = await serveForTest());
  const vectors = { near: [1, 1], far: [4, 5], opposite: [-1, -1], other: [1, 1, 1] };
  for (const [id, vector] of Object.entries(vectors)) {
    await firestore.doc(`items/${id}`).set({ at: FieldValue.vector(vector), kind: id === 'far' ? 'b' : 'a' });
  }
  await firestore.doc('items/none').set({ at: [1, 1], kind: 'a' });
});

const find = async (options: Partial<VectorQueryOptions>, kind?: string): Promise<[string, unknown][]> => {
  const items = firestore.collection('items');
  const { docs } = await (kind === undefined ? items : items.where('kind', '==', kind))
    .findNearest({
      vectorField: 'at',
      queryVector: [1, 2],
      limit: 10,
      distanceMeasure: 'EUCLIDEAN',
      distanceResultField: 'distance',
      ...options,
    })
    .get();
  return docs.map((document) => [document.id, document.get('distance')]);
};

test.each<[string, Partial<VectorQueryOptions>, [string, number][]]>([
  [
    'Euclidean distance',
    {},
    [
      ['near', 1],
      ['opposite', Math.hypot(2, 3)],
      ['far', Math.hypot(3, 3)],
    ],
  ],
  ['a limit', { limit: 1 }, [['near', 1]]],
  [
    'a threshold',
    { distanceThreshold: 4 },
    [
      ['near', 1],
      ['opposite', Math.hypot(2, 3)],
    ],
  ],
  [
    'dot product',
    { distanceMeasure: 'DOT_PRODUCT' },
    [
      ['far', 14],
      ['near', 3],
      ['opposite', -3],
    ],
  ],
  [
    'a threshold of dot product',
    { distanceMeasure: 'DOT_PRODUCT', distanceThreshold: 3 },
    [
      ['far', 14],
      ['near', 3],
    ],
  ],
])('the nearest by %s', async (_name, options, expected) => {
  expect(await find(options)).toEqual(expected);
});

test('the nearest by cosine', async () => {
  const found = await find({ distanceMeasure: 'COSINE' });
  expect(found.map(([id]) => id)).toEqual(['far', 'near', 'opposite']);
  expect(found[2]?.[1]).toBeCloseTo(1 + 3 / Math.sqrt(10));
});

test('the nearest among the matches of a filter', async () => {
  expect((await find({}, 'b')).map(([id]) => id)).toEqual(['far']);
});
