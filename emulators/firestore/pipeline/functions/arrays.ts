import type { Value } from '../../model/value.ts';
import type { Result } from '../row.ts';
import { isEqual } from './comparison.ts';
import { asArray, asInteger, asLength, eager, ONE_OR_MORE, strict } from './define.ts';
import type { FunctionDefinition, Functions } from './define.ts';

// https://firebase.google.com/docs/firestore/pipelines/functions/array-functions

/** The positions of a value in an array; null for an array that is null or absent. */
const positions = (pick: (found: readonly bigint[], args: readonly Result[]) => Result): FunctionDefinition =>
  eager([2, 3], (args) => {
    const [values, wanted] = args;
    if (values === undefined || values === null) return null;
    const found = asArray(values).flatMap((value, index) => (isEqual(value, wanted) ? [BigInt(index)] : []));
    return pick(found, args);
  });

/** The first or the last elements of an array. */
const part = (slice: (values: readonly Value[], count: number) => readonly Value[]): FunctionDefinition =>
  strict([2, 2], ([values, count]) => slice(asArray(values), asInteger(count)));

export const ARRAYS: Functions = {
  array: eager([0, Infinity], (values) => values.map((value) => value ?? null)),
  array_concat: strict(ONE_OR_MORE, (values) => values.flatMap((value) => asArray(value))),
  array_get: strict([2, 2], ([values, index]) => asArray(values).at(asInteger(index))),
  array_first: strict([1, 1], ([values]) => asArray(values)[0]),
  array_last: strict([1, 1], ([values]) => asArray(values).at(-1)),
  array_first_n: part((values, count) => values.slice(0, count)),
  array_last_n: part((values, count) => (count === 0 ? [] : values.slice(-count))),
  array_slice: strict([2, 3], ([values, offset, length]) => {
    const all = asArray(values);
    const start = asInteger(offset);
    const from = start < 0 ? Math.max(0, all.length + start) : start;
    return all.slice(from, length === undefined ? undefined : from + asLength(length));
  }),
  array_length: strict([1, 1], ([values]) => BigInt(asArray(values).length)),
  array_reverse: strict([1, 1], ([values]) => asArray(values).toReversed()),
  array_index_of: positions((found, [, , which]) => (which === 'last' ? found.at(-1) : found[0]) ?? -1n),
  array_index_of_all: positions((found) => found),
};
