import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StatusError } from '../errors.ts';
import type { Value } from '../model/value.ts';
import { Database } from '../storage/database.ts';
import { ManualClock, ROOT } from '../testing.ts';
import type { WireFilter, WireStructuredQuery } from '../wire/messages.ts';
import { encodeValue } from '../wire/value-codec.ts';
import { parseQuery } from './parsing/query.ts';
import { planScans } from './plan.ts';
import type { Query } from './query.ts';
import { runQuery } from './run.ts';

const scalar = fc.oneof(fc.constantFrom<Value>(null, NaN, 1.5, -0, 0n, 'a', 'b'), fc.bigInt(0n, 3n));
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }));
const fields = fc.dictionary(fc.constantFrom('a', 'b', 'c'), value);
const id = fc.nat({ max: 20 }).map((n) => `d${String(n)}`);

const fieldPath = fc.constantFrom('a', 'b', 'c');
const fieldFilter = fc.oneof(
  fc.record({
    op: fc.constantFrom('EQUAL', 'LESS_THAN', 'GREATER_THAN_OR_EQUAL', 'ARRAY_CONTAINS', 'NOT_EQUAL'),
    value,
  }),
  fc.record({
    op: fc.constantFrom('IN', 'ARRAY_CONTAINS_ANY', 'NOT_IN'),
    value: fc.array(scalar, { minLength: 1, maxLength: 3 }),
  }),
);
const field: fc.Arbitrary<WireFilter> = fc.tuple(fieldPath, fieldFilter).map(([path, filter]) => ({
  fieldFilter: { field: { fieldPath: path }, op: filter.op, value: encodeValue(filter.value) },
}));
const composite = (parts: fc.Arbitrary<WireFilter>): fc.Arbitrary<WireFilter> =>
  fc
    .record({ op: fc.constantFrom('AND', 'OR'), filters: fc.array(parts, { minLength: 1, maxLength: 3 }) })
    .map((compositeFilter) => ({ compositeFilter }));
const order = fc.record({
  field: fieldPath.map((path) => ({ fieldPath: path })),
  direction: fc.constantFrom('ASCENDING', 'DESCENDING'),
});
const query: fc.Arbitrary<WireStructuredQuery> = fc
  .record({
    where: fc.option(fc.oneof(field, composite(fc.oneof(field, composite(field)))), { nil: undefined }),
    orderBy: fc.uniqueArray(order, { maxLength: 2, selector: ({ field: { fieldPath: path } }) => path }),
    cursor: fc.option(fc.record({ value, before: fc.boolean() }), { nil: undefined }),
    allDescendants: fc.boolean(),
    offset: fc.nat({ max: 2 }),
    limit: fc.option(fc.nat({ max: 5 }), { nil: undefined }),
  })
  .map(({ where, cursor, allDescendants, limit, ...rest }) => ({
    ...rest,
    from: [{ collectionId: 'c', allDescendants }],
    ...(where && { where }),
    ...(cursor && { startAt: { values: [encodeValue(cursor.value)], before: cursor.before } }),
    ...(limit !== undefined && { limit: { value: limit } }),
  }));

test('an index gives the same result as reading every document, also after changes', () => {
  const change = fc.tuple(id, fc.option(fields, { nil: undefined }));
  const steps = fc.array(fc.array(change, { maxLength: 10 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(query, { minLength: 1, maxLength: 3 }), steps, (queries, commits) => {
      const database = withFiller(300);
      for (const changes of commits) {
        commit(database, changes);
        const scannedTime = database.readTime();
        // A state that is not the current one is read without indexes.
        commit(database, [['elsewhere', undefined]], 'other');
        for (const wire of queries) {
          const parsed = parseSupported(wire);
          if (!parsed) continue;
          expect(pathsOf(database, parsed)).toEqual(pathsOf(database, parsed, scannedTime));
        }
      }
    }),
    { numRuns: 150 },
  );
});

test('an equality and a range are answered without reading other documents', () => {
  const database = withFiller(0);
  const many = Array.from({ length: 1_000 }, (_, n): [string, Record<string, Value>] => [
    `d${String(n)}`,
    { a: BigInt(n % 2), b: BigInt(n) },
  ]);
  commit(database, many);
  const compare = (fieldPath: string, op: string, operand: bigint): WireFilter => ({
    fieldFilter: { field: { fieldPath }, op, value: encodeValue(operand) },
  });
  const filters = [
    compare('a', 'EQUAL', 1n),
    compare('b', 'GREATER_THAN', 990n),
    compare('b', 'LESS_THAN', 997n),
  ];
  const where = { compositeFilter: { op: 'AND', filters } };
  const scans = planScans(database, parseQuery({ from: [{ collectionId: 'c' }], where }, ROOT));
  const candidates = scans?.flatMap((scan) => [...scan]);
  expect(candidates?.map(({ path }) => path)).toEqual(['c/d991', 'c/d993', 'c/d995']);
});

/** Undefined for a query that production would refuse. */
function parseSupported(wire: WireStructuredQuery): Query | undefined {
  try {
    return parseQuery(wire, ROOT);
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

const pathsOf = (database: Database, parsed: Query, readTime?: number): string[] =>
  runQuery(database, parsed, readTime).documents.map(({ path }) => path);

/** Enough documents for an index to be worth it. */
function withFiller(count: number): Database {
  const database = new Database('projects/p/databases/(default)', new ManualClock());
  commit(
    database,
    Array.from({ length: count }, (_, n) => [`filler${String(n)}`, {}]),
  );
  return database;
}

function commit(
  database: Database,
  documents: readonly (readonly [string, Record<string, Value> | undefined])[],
  collection = 'c',
): void {
  const time = database.nextCommitTime();
  const changes = [...new Map(documents)].map(([id, data]) => {
    const path = `${collection}/${id}`;
    const after = data && { path, fields: new Map(Object.entries(data)), createTime: time, updateTime: time };
    return { path, before: database.get(path), after };
  });
  database.apply(changes, time);
}
