import { invalidArgument } from '../../errors.ts';
import { compareValues } from '../../model/compare.ts';
import { valueKey } from '../../model/value-key.ts';
import { isNumeric } from '../../model/value.ts';
import type { Value } from '../../model/value.ts';
import { sum } from '../../query/aggregate.ts';
import type { WireExpression } from '../../wire/messages.ts';
import { compile } from '../expression.ts';
import { notServed } from '../refusal.ts';
import type { Result, Row } from '../row.ts';

// https://firebase.google.com/docs/firestore/pipelines/functions/aggregate-functions

/** Makes one value of the rows of a group. */
export type Accumulator = (rows: readonly Row[]) => Value;

type OfResults = (results: readonly Result[]) => Value;

const present = (results: readonly Result[]): Value[] =>
  results.filter((result) => result !== undefined && result !== null);

/** The values, each once, in the order of their first places. */
export function distinct(values: readonly Value[]): Value[] {
  const found = new Map<string, Value[]>();
  return values.filter((value) => {
    const key = valueKey(value);
    const same = found.get(key) ?? [];
    if (same.some((other) => compareValues(other, value) === 0)) return false;
    found.set(key, [...same, value]);
    return true;
  });
}

function average(results: readonly Result[]): Value {
  const numbers = results.filter(isNumeric);
  return numbers.length === 0 ? null : Number(sum(numbers)) / numbers.length;
}

const extreme =
  (sign: 1 | -1): OfResults =>
  (results) =>
    present(results).reduce<Value>(
      (best, value) => (best === null || sign * compareValues(value, best) > 0 ? value : best),
      null,
    );

const orNull = (results: readonly Result[]): Value[] => results.map((result) => result ?? null);

const ACCUMULATORS: ReadonlyMap<string, OfResults> = new Map<string, OfResults>([
  ['count', (results) => BigInt(present(results).length)],
  ['count_if', (results) => BigInt(results.filter((result) => result === true).length)],
  ['count_distinct', (results) => BigInt(distinct(present(results)).length)],
  ['sum', (results) => sum(results.filter(isNumeric))],
  ['average', average],
  ['minimum', extreme(-1)],
  ['maximum', extreme(1)],
  ['first', (results) => results[0] ?? null],
  ['last', (results) => results.at(-1) ?? null],
  ['array_agg', orNull],
  ['array_agg_distinct', (results) => distinct(orNull(results))],
]);

/** Reads an accumulator. Throws INVALID_ARGUMENT, or UNIMPLEMENTED for one that this server does not know. */
export function compileAccumulator({ functionValue }: WireExpression): Accumulator {
  if (!functionValue) throw invalidArgument('The aggregate stage needs aggregate functions.');
  const { name = '', args = [] } = functionValue;
  const ofResults = ACCUMULATORS.get(name);
  if (!ofResults) throw notServed(`The aggregate function "${name}"`);
  const [argument] = args;
  if (!argument && name === 'count') return (rows) => BigInt(rows.length);
  if (!argument || args.length > 1)
    throw invalidArgument(`The aggregate function "${name}" needs one argument.`);
  const expression = compile(argument);
  return (rows) => ofResults(rows.map(expression));
}
