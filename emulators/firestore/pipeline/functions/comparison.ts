import { compareValues, typeOrder } from '../../model/compare.ts';
import { isArray } from '../../model/value.ts';
import type { Value } from '../../model/value.ts';
import type { Result } from '../row.ts';
import { asArray, eager, ONE_OR_MORE } from './define.ts';
import type { FunctionDefinition, Functions } from './define.ts';

// https://firebase.google.com/docs/firestore/pipelines/functions/comparison-functions

/** Null equals null and NaN equals NaN; the absent value equals nothing. */
export const isEqual = (left: Result, right: Result): boolean =>
  left !== undefined && right !== undefined && compareValues(left, right) === 0;

const isIncomparable = (value: Result): boolean =>
  value === undefined || value === null || Number.isNaN(value);

/** False for values of different types, and for null and NaN. */
const ordered = (accepts: (order: number) => boolean): FunctionDefinition =>
  eager([2, 2], ([left, right]) => {
    if (left === undefined || right === undefined) return false;
    if (isIncomparable(left) || isIncomparable(right)) return accepts(0) && isEqual(left, right);
    return typeOrder(left) === typeOrder(right) && accepts(compareValues(left, right));
  });

export const contains = (values: readonly Value[], wanted: Result): boolean =>
  values.some((value) => isEqual(value, wanted));

/** Whether an array, or null for an absent one, has elements like those wanted. */
const membership = (has: (values: readonly Value[], wanted: Result) => boolean): FunctionDefinition =>
  eager([2, 2], ([values, wanted]) => {
    if (values === undefined || values === null) return null;
    return isArray(values) && has(values, wanted);
  });

/** The largest or the smallest of the values, without null and absent ones. */
const extreme = (sign: 1 | -1): FunctionDefinition =>
  eager(ONE_OR_MORE, (values) => {
    const [only] = values;
    const candidates = values.length === 1 && isArray(only) ? only : values;
    return sortedBy(sign, candidates)[0] ?? null;
  });

/** A given number of the largest or smallest elements of an array. */
const extremes = (sign: 1 | -1): FunctionDefinition =>
  eager([2, 2], ([values, count]) => {
    if (values === undefined || values === null || typeof count !== 'bigint') return null;
    return sortedBy(sign, asArray(values)).slice(0, Number(count));
  });

function sortedBy(sign: 1 | -1, values: readonly Result[]): Value[] {
  const present = values.filter((value) => value !== undefined && value !== null);
  return present.sort((left, right) => sign * compareValues(right, left));
}

export const COMPARISON: Functions = {
  equal: eager([2, 2], ([left, right]) => isEqual(left, right)),
  not_equal: eager([2, 2], ([left, right]) => !isEqual(left, right)),
  less_than: ordered((order) => order < 0),
  less_than_or_equal: ordered((order) => order <= 0),
  greater_than: ordered((order) => order > 0),
  greater_than_or_equal: ordered((order) => order >= 0),
  equal_any: eager([2, 2], ([value, options]) => contains(asArray(options), value)),
  not_equal_any: eager([2, 2], ([value, options]) => !contains(asArray(options), value)),
  array_contains: membership(contains),
  array_contains_any: membership((values, wanted) => asArray(wanted).some((one) => contains(values, one))),
  array_contains_all: membership((values, wanted) => asArray(wanted).every((one) => contains(values, one))),
  maximum: extreme(1),
  minimum: extreme(-1),
  maximum_n: extremes(1),
  minimum_n: extremes(-1),
};
