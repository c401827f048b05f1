import { invalidArgument } from '../../errors.ts';
import { Timestamp } from '../../model/timestamp.ts';
import { isArray, isMap, isNumeric } from '../../model/value.ts';
import type { MapValue, Value } from '../../model/value.ts';
import type { Expression, Result, Row } from '../row.ts';
import { typeName } from '../type-name.ts';

/** A function of pipeline expressions. */
export interface FunctionDefinition {
  /** The least and the largest number of arguments. */
  readonly arity: readonly [least: number, most: number];
  readonly apply: (args: readonly Expression[], row: Row) => Result;
}

export type Functions = Readonly<Record<string, FunctionDefinition>>;

/** The number of arguments of a function that takes any number from one. */
export const ONE_OR_MORE = [1, Infinity] as const;

/** A function of present values. It is null if an argument is null or absent. */
export const strict = (
  arity: FunctionDefinition['arity'],
  apply: (args: readonly Value[], row: Row) => Result,
): FunctionDefinition => ({
  arity,
  apply: (args, row) => {
    const values: Value[] = [];
    for (const arg of args) {
      const value = arg(row);
      if (value === undefined || value === null) return null;
      values.push(value);
    }
    return apply(values, row);
  },
});

/** A function of values that may be null or absent. */
export const eager = (
  arity: FunctionDefinition['arity'],
  apply: (args: readonly Result[], row: Row) => Result,
): FunctionDefinition => ({
  arity,
  apply: (args, row) =>
    apply(
      args.map((arg) => arg(row)),
      row,
    ),
});

/** A function that decides itself which arguments it evaluates. */
export const lazy = (
  arity: FunctionDefinition['arity'],
  apply: FunctionDefinition['apply'],
): FunctionDefinition => ({
  arity,
  apply,
});

function mismatch(wanted: string, value: Result): Error {
  return invalidArgument(`A function of the pipeline needs ${wanted}, not ${typeName(value)}.`);
}

export function asString(value: Result): string {
  if (typeof value === 'string') return value;
  throw mismatch('a string', value);
}

export function asBoolean(value: Result): boolean {
  if (typeof value === 'boolean') return value;
  throw mismatch('a boolean', value);
}

export function asNumeric(value: Result): bigint | number {
  if (isNumeric(value)) return value;
  throw mismatch('a number', value);
}

/** An int64 as a number, such as a position. */
export function asInteger(value: Result): number {
  if (typeof value === 'bigint') return Number(value);
  throw mismatch('an integer', value);
}

/** A number of elements or characters. */
export function asLength(value: Result): number {
  const length = asInteger(value);
  if (length < 0) throw invalidArgument('length must be non-negative');
  return length;
}

export function asArray(value: Result): readonly Value[] {
  if (isArray(value)) return value;
  throw mismatch('an array', value);
}

export function asMap(value: Result): MapValue {
  if (isMap(value)) return value;
  throw mismatch('a map', value);
}

export function asTimestamp(value: Result): Timestamp {
  if (value instanceof Timestamp) return value;
  throw mismatch('a timestamp', value);
}
