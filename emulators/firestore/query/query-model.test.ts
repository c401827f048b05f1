import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareValues, typeOrder } from '../model/compare.ts';
import type { Value } from '../model/value.ts';
import { Database } from '../storage/database.ts';
import { ManualClock, ROOT } from '../testing.ts';
import type { WireStructuredQuery } from '../wire/messages.ts';
import { encodeValue } from '../wire/value-codec.ts';
import { parseQuery } from './parsing/query.ts';
import { runQuery } from './run.ts';

const value = fc.oneof(
  fc.constantFrom<Value>(null, true, NaN, 1.5, 'a', 'b'),
  fc.bigInt({ min: 0n, max: 4n }),
);
const fields = fc.record({ a: value, b: value }, { requiredKeys: [] });
const documents = fc.dictionary(fc.constantFrom('d1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7'), fields);
const query = fc.record({
  op: fc.constantFrom('LESS_THAN', 'LESS_THAN_OR_EQUAL', 'GREATER_THAN', 'GREATER_THAN_OR_EQUAL', 'EQUAL'),
  operand: value,
  descending: fc.boolean(),
  offset: fc.nat({ max: 2 }),
  limit: fc.nat({ max: 5 }),
});

type Fields = { a?: Value; b?: Value };

const HOLDS: Readonly<Record<string, (order: number) => boolean>> = {
  LESS_THAN: (order) => order < 0,
  LESS_THAN_OR_EQUAL: (order) => order <= 0,
  GREATER_THAN: (order) => order > 0,
  GREATER_THAN_OR_EQUAL: (order) => order >= 0,
  EQUAL: (order) => order === 0,
};

test('a query gives the same result as filtering and sorting every document', () => {
  fc.assert(
    fc.property(documents, query, (data, { op, operand, descending, offset, limit }) => {
      const expected = Object.entries(data as Record<string, Fields>)
        .filter(([, { a, b }]) => {
          if (a === undefined || b === undefined) return false;
          // Null and NaN are found by unary filters only.
          if (operand === null || Number.isNaN(operand)) return false;
          return typeOrder(a) === typeOrder(operand) && HOLDS[op]?.(compareValues(a, operand));
        })
        .sort(([leftId, left], [rightId, right]) => {
          const order = compareValues(left.b ?? null, right.b ?? null) || implied(op, left, right);
          return (order || (leftId < rightId ? -1 : 1)) * (descending ? -1 : 1);
        })
        .map(([id]) => `c/${id}`)
        .slice(offset, offset + limit);
      const wire: WireStructuredQuery = {
        from: [{ collectionId: 'c' }],
        where: { fieldFilter: { field: { fieldPath: 'a' }, op, value: encodeValue(operand) } },
        orderBy: [{ field: { fieldPath: 'b' }, direction: descending ? 'DESCENDING' : 'ASCENDING' }],
        offset,
        limit: { value: limit },
      };
      const result = runQuery(databaseOf(data), parseQuery(wire, ROOT));
      expect(result.documents.map(({ path }) => path)).toEqual(expected);
    }),
  );
});

/** The field of an inequality orders after the explicit ones. */
const implied = (op: string, left: Fields, right: Fields): number =>
  op === 'EQUAL' ? 0 : compareValues(left.a ?? null, right.a ?? null);

function databaseOf(data: Record<string, Fields>): Database {
  const database = new Database('projects/p/databases/(default)', new ManualClock());
  const time = database.nextCommitTime();
  const changes = Object.entries(data).map(([id, document]) => {
    const path = `c/${id}`;
    const after = { path, fields: new Map(Object.entries(document)), createTime: time, updateTime: time };
    return { path, before: undefined, after };
  });
  database.apply(changes, time);
  return database;
}
