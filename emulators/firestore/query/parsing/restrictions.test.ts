import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFirestoreServer } from '../../server.ts';
import type { FirestoreServer } from '../../server.ts';
import { DATABASE } from '../../testing.ts';
import type { WireFilter, WireOrder } from '../../wire/messages.ts';

// The restrictions of queries, from the comments in google/firestore/v1/query.proto and from
// https://firebase.google.com/docs/firestore/query-data/queries#query_limitations
// https://firebase.google.com/docs/firestore/query-data/multiple-range-fields#limitations
// https://firebase.google.com/docs/firestore/query-data/aggregation-queries#limitations

const name = (document: string): object => ({ referenceValue: `${DATABASE}/documents/${document}` });
const int = (value: number): object => ({ integerValue: String(value) });
const list = (...values: object[]): object => ({ arrayValue: { values } });
const filter = (fieldPath: string, op: string, value: object): WireFilter => ({
  fieldFilter: { field: { fieldPath }, op, value },
});
const unary = (fieldPath: string, op: string): WireFilter => ({ unaryFilter: { op, field: { fieldPath } } });
const and = (...filters: WireFilter[]): WireFilter => ({ compositeFilter: { op: 'AND', filters } });
const or = (...filters: WireFilter[]): WireFilter => ({ compositeFilter: { op: 'OR', filters } });
const orderBy = (...fields: string[]): { orderBy: WireOrder[] } => ({
  orderBy: fields.map((fieldPath) => ({ field: { fieldPath }, direction: 'ASCENDING' })),
});
const numbers = (count: number): object[] => Array.from({ length: count }, (_, index) => int(index));

const ONE_NEGATION = "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed";
const NOT_IN = "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'.";
const AFTER_KEY = 'order by clause cannot contain more fields after the key';
const NAME_EQUALITY = 'Equality on key is not allowed if there are other inequality fields';
const ARRAY_CONTAINS = "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.";
const NOT_IN_A = filter('a', 'NOT_IN', list(int(1)));

/** Each is INVALID_ARGUMENT, with a message that has this text. */
const REFUSED: [title: string, query: object, message: string][] = [
  ['two not-in', { where: and(NOT_IN_A, filter('b', 'NOT_IN', list(int(1)))) }, ONE_NEGATION],
  [
    'two !=',
    { where: and(filter('a', 'NOT_EQUAL', int(1)), filter('b', 'NOT_EQUAL', int(1))) },
    ONE_NEGATION,
  ],
  ['!= with not-in', { where: and(filter('b', 'NOT_EQUAL', int(1)), NOT_IN_A) }, ONE_NEGATION],
  [
    'is not null with !=',
    { where: and(unary('a', 'IS_NOT_NULL'), filter('b', 'NOT_EQUAL', int(1))) },
    ONE_NEGATION,
  ],
  ['is not NaN with not-in', { where: and(unary('b', 'IS_NOT_NAN'), NOT_IN_A) }, ONE_NEGATION],
  ['in with not-in', { where: and(filter('b', 'IN', list(int(1))), NOT_IN_A) }, NOT_IN],
  [
    'array-contains-any with not-in',
    { where: and(filter('b', 'ARRAY_CONTAINS_ANY', list(int(1))), NOT_IN_A) },
    NOT_IN,
  ],
  ['or with not-in', { where: or(filter('b', 'EQUAL', int(1)), NOT_IN_A) }, NOT_IN],
  [
    'not-in with 11 values',
    { where: filter('a', 'NOT_IN', list(...numbers(11))) },
    "'NOT_IN' supports up to 10",
  ],
  ['in with 31 values', { where: filter('a', 'IN', list(...numbers(31))) }, "'IN' supports up to 30"],
  ['in with no value', { where: filter('a', 'IN', list()) }, "'IN' requires an non-empty ArrayValue."],
  ['in with a number', { where: filter('a', 'IN', int(1)) }, "'IN' requires an ArrayValue."],
  [
    'more than 30 disjunctions',
    { where: and(filter('a', 'IN', list(...numbers(6))), filter('b', 'IN', list(...numbers(6)))) },
    'Too many disjunctions',
  ],
  [
    'two array-contains in a disjunction',
    { where: and(filter('a', 'ARRAY_CONTAINS', int(1)), filter('b', 'ARRAY_CONTAINS', int(1))) },
    ARRAY_CONTAINS,
  ],
  [
    'array-contains with array-contains-any',
    { where: and(filter('a', 'ARRAY_CONTAINS', int(1)), filter('a', 'ARRAY_CONTAINS_ANY', list(int(1)))) },
    ARRAY_CONTAINS,
  ],
  [
    '!= with an order by name first',
    { where: filter('a', 'NOT_EQUAL', int(1)), ...orderBy('__name__') },
    AFTER_KEY,
  ],
  [
    'a range with an order by name first',
    { where: filter('a', 'LESS_THAN', int(1)), ...orderBy('__name__') },
    AFTER_KEY,
  ],
  ['an order after the name', orderBy('__name__', 'a'), AFTER_KEY],
  ['an order twice', orderBy('a', 'b', 'a'), 'order by clause cannot contain duplicate fields a'],
  [
    'a range with an equality on the name',
    { where: and(filter('a', 'LESS_THAN', int(1)), filter('__name__', 'EQUAL', name('c/1'))) },
    NAME_EQUALITY,
  ],
  [
    '!= with several names',
    { where: and(filter('a', 'NOT_EQUAL', int(1)), filter('__name__', 'IN', list(name('c/1')))) },
    NAME_EQUALITY,
  ],
  [
    'a name that is a text',
    { where: filter('__name__', 'EQUAL', { stringValue: '1' }) },
    '__key__ filter value must be a Key',
  ],
  ['a name that is a collection', { where: filter('__name__', 'EQUAL', name('c')) }, 'lacks "/" at index'],
  [
    'array-contains on the name',
    { where: filter('__name__', 'ARRAY_CONTAINS', name('c/1')) },
    '__key__ is reserved',
  ],
  [
    'a name in another database',
    { where: filter('__name__', 'EQUAL', { referenceValue: 'projects/p/databases/d/documents/c/1' }) },
    `The request was for database '${DATABASE}' but was attempting to access database 'projects/p/databases/d'`,
  ],
  [
    '11 fields with an inequality',
    { where: and(...numbers(11).map((value, index) => filter(`f${String(index)}`, 'LESS_THAN', value))) },
    'The query contains 11 distinct inequality fields',
  ],
  [
    'more than 100 filters and orders',
    {
      where: and(
        filter('a', 'IN', list(...numbers(30))),
        ...['b', 'c', 'd'].map((field) => filter(field, 'EQUAL', int(1))),
      ),
    },
    'more than 100 filters + sort orders + ancestor total. Currently there are 120 filters, 0 sort orders',
  ],
  ['an empty OR', { where: or() }, 'Composite filter must have at least one sub-filter.'],
  [
    'a composite filter without operator',
    { where: { compositeFilter: { filters: [NOT_IN_A] } } },
    'Unsupported CompositeFilter',
  ],
  [
    'a field filter without operator',
    { where: filter('a', 'OPERATOR_UNSPECIFIED', int(1)) },
    'Unknown FieldFilter operator.',
  ],
  [
    'a collection id with a slash',
    { from: [{ collectionId: 'a/b' }] },
    'Collection id "a/b" is invalid because it contains "/".',
  ],
  [
    'two collections',
    { from: [{ collectionId: 'c' }, { collectionId: 'd' }] },
    'cannot have more than one collection selector',
  ],
  ['a filter on all collections', { from: [], where: filter('a', 'EQUAL', int(1)) }, 'kind is required'],
  ['an order on all collections', { from: [], ...orderBy('a') }, 'kind is required'],
  ['a negative limit', { limit: -1 }, 'limit is negative'],
  ['a negative offset', { offset: -1 }, 'offset is negative'],
  ['a cursor for an implied order', { startAt: { values: [name('c/1')] } }, 'Cursor has too many values.'],
  [
    'a cursor by name that is a text',
    { ...orderBy('__name__'), startAt: { values: [{ stringValue: 'x' }] } },
    'Cursor __key__ value is not a document reference.',
  ],
  ['an empty field path', { where: filter('', 'EQUAL', int(1)) }, 'property path'],
  [
    'a timestamp in the year 0',
    { where: filter('a', 'EQUAL', { timestampValue: '0000-12-31T00:00:00Z' }) },
    '0001-01-01',
  ],
  ['a vector search for no vector', { findNearest: { limit: 1, distanceMeasure: 'COSINE' } }, 'vector'],
];

/** Each query resembles a refused one, and is answered. */
const ANSWERED: [title: string, query: object][] = [
  ['an empty AND', { where: and() }],
  ['an OR of one not-in', { where: or(NOT_IN_A) }],
  [
    'array-contains in each disjunction',
    { where: or(filter('a', 'ARRAY_CONTAINS', int(1)), filter('b', 'ARRAY_CONTAINS', int(1))) },
  ],
  [
    'a range of names with an equality on the name',
    {
      where: and(filter('__name__', 'GREATER_THAN', name('c/0')), filter('__name__', 'EQUAL', name('c/1'))),
    },
  ],
  [
    '!= with in on another field',
    { where: and(filter('a', 'NOT_EQUAL', int(1)), filter('b', 'IN', list(int(1)))) },
  ],
  ['an order with the name last', orderBy('a', '__name__')],
  [
    'a reference to another database as a value',
    { where: filter('a', 'EQUAL', { referenceValue: 'projects/p/databases/d/documents/c/1' }) },
  ],
  ['all collections', { from: [] }],
  [
    'timestamps in the years 1 and 9999',
    {
      where: filter(
        'a',
        'IN',
        list({ timestampValue: '0001-01-01T00:00:00Z' }, { timestampValue: '9999-12-31T23:59:59Z' }),
      ),
    },
  ],
];

const folder = mkdtempSync(path.join(tmpdir(), 'restrictions-'));
const indexes = path.join(folder, 'firestore.indexes.json');
const fields = (...paths: string[]): object[] =>
  paths.map((fieldPath) => ({ fieldPath, order: 'ASCENDING' }));
writeFileSync(indexes, JSON.stringify({ indexes: [{ collectionGroup: 'c', fields: fields('b', 'a') }] }));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe.each([
  ['without --indexes', {}],
  ['with --indexes', { indexes }],
])('%s', (_title, options) => {
  let server: FirestoreServer;
  beforeAll(async () => {
    server = await startFirestoreServer(options);
  });
  afterAll(() => server.close());

  async function post(method: string, body: object): Promise<unknown> {
    const response = await fetch(`http://${server.host}:${server.port}/v1/${DATABASE}/documents:${method}`, {
      method: 'POST',
      headers: { authorization: 'Bearer owner' },
      body: JSON.stringify(body),
    });
    return response.json();
  }
  const run = (query: object): Promise<unknown> =>
    post('runQuery', { structuredQuery: { from: [{ collectionId: 'c' }], ...query } });
  const refusal = (message: string): unknown[] => [
    {
      error: { code: 400, status: 'INVALID_ARGUMENT', message: expect.stringContaining(message) as unknown },
    },
  ];

  test.each(REFUSED)('%s is refused', async (_name, query, message) => {
    expect(await run(query)).toEqual(refusal(message));
  });

  test.each(ANSWERED)('%s is answered', async (_name, query) => {
    expect(await run(query)).toEqual([{ readTime: expect.any(String) as unknown }]);
  });

  test('a request without a structured query is refused', async () => {
    expect(await post('runQuery', {})).toEqual(refusal('only structured queries are supported'));
  });

  test.each([
    ['a sum of the name', [{ sum: { field: { fieldPath: '__name__' } } }], 'the property: __key__'],
    ['an average of the name', [{ avg: { field: { fieldPath: '__name__' } } }], 'the property: __key__'],
    ['no aggregation', [], 'Aggregations can not be empty.'],
    [
      'an alias twice',
      [
        { count: {}, alias: 'x' },
        { count: {}, alias: 'x' },
      ],
      'contain duplicate alias: x.',
    ],
    ['six aggregations', numbers(6).map(() => ({ count: {} })), 'The maximum number of aggregations'],
    ['a count up to 0', [{ count: { upTo: '0' } }], 'up_to'],
  ])('%s is refused', async (_name, aggregations, message) => {
    const structuredAggregationQuery = { structuredQuery: { from: [{ collectionId: 'c' }] }, aggregations };
    expect(await post('runAggregationQuery', { structuredAggregationQuery })).toEqual(refusal(message));
  });
});
