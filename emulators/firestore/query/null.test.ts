import type { Firestore } from '@google-cloud/firestore';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFirestoreServer } from '../server.ts';
import type { FirestoreServer } from '../server.ts';
import { connect, DATABASE } from '../testing.ts';

// Null and NaN equal nothing in a comparison; `IS_NULL` and `IS_NAN` find them. The client libraries' integration tests
// show it for `in`, `array-contains` and `array-contains-any`.

const NULL = { nullValue: null };
const NAN = { doubleValue: 'NaN' };
const Y = { stringValue: 'y' };
const list = (...values: object[]): object => ({ arrayValue: { values } });
const field = (fieldPath: string, op: string, value: object): object => ({
  fieldFilter: { field: { fieldPath }, op, value },
});
const unary = (op: string): object => ({ unaryFilter: { op, field: { fieldPath: 'zip' } } });

const DOCUMENTS = {
  nothing: { zip: null, tags: [null, 'y'] },
  nan: { zip: NaN, tags: [NaN] },
  x: { zip: 'x', tags: ['x'] },
  y: { zip: 'y', tags: ['y'] },
};

const CASES: [title: string, where: object, ids: string[]][] = [
  ['in [null]', field('zip', 'IN', list(NULL)), []],
  ['in [NaN]', field('zip', 'IN', list(NAN)), []],
  ['in [y, null, NaN]', field('zip', 'IN', list(Y, NULL, NAN)), ['y']],
  ['array-contains null', field('tags', 'ARRAY_CONTAINS', NULL), []],
  ['array-contains NaN', field('tags', 'ARRAY_CONTAINS', NAN), []],
  ['array-contains-any [null, NaN]', field('tags', 'ARRAY_CONTAINS_ANY', list(NULL, NAN)), []],
  ['array-contains-any [y, null]', field('tags', 'ARRAY_CONTAINS_ANY', list(Y, NULL)), ['nothing', 'y']],
  ['EQUAL null', field('zip', 'EQUAL', NULL), []],
  ['EQUAL NaN', field('zip', 'EQUAL', NAN), []],
  ['NOT_EQUAL null', field('zip', 'NOT_EQUAL', NULL), []],
  ['NOT_EQUAL NaN', field('zip', 'NOT_EQUAL', NAN), []],
  ['LESS_THAN_OR_EQUAL NaN', field('zip', 'LESS_THAN_OR_EQUAL', NAN), []],
  ['NOT_EQUAL y', field('zip', 'NOT_EQUAL', Y), ['nan', 'x']],
  ['not-in [null]', field('zip', 'NOT_IN', list(NULL)), []],
  ['not-in [y, null]', field('zip', 'NOT_IN', list(Y, NULL)), []],
  ['not-in [NaN]', field('zip', 'NOT_IN', list(NAN)), ['x', 'y']],
  ['IS_NULL', unary('IS_NULL'), ['nothing']],
  ['IS_NAN', unary('IS_NAN'), ['nan']],
  ['IS_NOT_NULL', unary('IS_NOT_NULL'), ['nan', 'x', 'y']],
  ['IS_NOT_NAN', unary('IS_NOT_NAN'), ['x', 'y']],
];

let server: FirestoreServer;
let firestore: Firestore;

/** Beyond 256 documents a query reads an index. */
const FILLER = 300;

beforeAll(async () => {
  server = await startFirestoreServer();
  firestore = connect(server);
  const batch = firestore.batch();
  for (const collection of ['few', 'many']) {
    for (const [id, data] of Object.entries(DOCUMENTS)) batch.set(firestore.doc(`${collection}/${id}`), data);
  }
  for (let n = 0; n < FILLER; n++) batch.set(firestore.collection('many').doc(), {});
  await batch.commit();
});

afterAll(async () => {
  await firestore.terminate();
  await server.close();
});

describe.each(['few', 'many'])('among %s documents', (collectionId) => {
  test.each(CASES)('%s', async (_title, where, ids) => {
    const response = await fetch(`http://${server.host}:${server.port}/v1/${DATABASE}/documents:runQuery`, {
      method: 'POST',
      headers: { authorization: 'Bearer owner' },
      body: JSON.stringify({ structuredQuery: { from: [{ collectionId }], where } }),
    });
    const answers = (await response.json()) as { document?: { name: string } }[];
    const found = answers.flatMap(({ document }) => (document ? [document.name.split('/').at(-1)] : []));
    expect(found.sort()).toEqual(ids);
  });
});
