import { invalidArgument, StatusError } from '../../errors.ts';
import type { Expression, Result, Row } from '../row.ts';
import { asBoolean, eager, lazy, ONE_OR_MORE, strict } from './define.ts';
import type { FunctionDefinition, Functions } from './define.ts';

// https://firebase.google.com/docs/firestore/pipelines/functions/logical-functions
// https://firebase.google.com/docs/firestore/pipelines/functions/debugging-functions

/**
 * Decided by the first operand with the deciding value. Otherwise an error of an operand is thrown, and a null or
 * absent operand makes the result null.
 */
function decided(args: readonly Expression[], row: Row, deciding: boolean): boolean | null {
  let failure: StatusError | undefined;
  let isUnknown = false;
  for (const arg of args) {
    const value = attempt(arg, row);
    if (value instanceof StatusError) failure ??= value;
    else if (value === undefined || value === null) isUnknown = true;
    else if (asBoolean(value) === deciding) return deciding;
  }
  if (failure) throw failure;
  return isUnknown ? null : !deciding;
}

/** The result of the expression, or its error. */
function attempt(expression: Expression, row: Row): Result | StatusError {
  try {
    return expression(row);
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
}

/** The first argument, unless it is missing in that sense; then the next one. */
const firstUnless = (isMissing: (value: Result) => boolean): FunctionDefinition['apply'] => {
  return (args, row) => {
    let value: Result;
    for (const arg of args) {
      value = arg(row);
      if (!isMissing(value)) break;
    }
    return value;
  };
};

const isNull = (value: Result): boolean => value === undefined || value === null;

/** Pairs of a condition and a result; a result without a condition ends the list. */
function switchOn(args: readonly Expression[], row: Row): Result {
  for (let index = 0; index + 1 < args.length; index += 2) {
    if (args[index]?.(row) === true) return args[index + 1]?.(row);
  }
  if (args.length % 2 === 1) return args.at(-1)?.(row);
  throw invalidArgument('all switch cases evaluate to false');
}

export const LOGIC: Functions = {
  and: lazy(ONE_OR_MORE, (args, row) => decided(args, row, false)),
  or: lazy(ONE_OR_MORE, (args, row) => decided(args, row, true)),
  nor: lazy(ONE_OR_MORE, (args, row) => {
    const result = decided(args, row, true);
    return result === null ? null : !result;
  }),
  xor: strict(ONE_OR_MORE, (values) => values.map(asBoolean).filter(Boolean).length % 2 === 1),
  not: strict([1, 1], ([value]) => !asBoolean(value)),
  conditional: lazy([3, 3], ([condition, then, otherwise], row) =>
    condition?.(row) === true ? then?.(row) : otherwise?.(row),
  ),
  switch_on: lazy([2, Infinity], switchOn),
  exists: eager([1, 1], ([value]) => value !== undefined),
  is_absent: eager([1, 1], ([value]) => value === undefined),
  if_absent: lazy(
    [2, 2],
    firstUnless((value) => value === undefined),
  ),
  if_null: lazy([2, 2], firstUnless(isNull)),
  coalesce: lazy(ONE_OR_MORE, firstUnless(isNull)),
  is_error: lazy([1, 1], ([value], row) => value !== undefined && attempt(value, row) instanceof StatusError),
  if_error: lazy([2, 2], ([value, otherwise], row) => {
    const result = value && attempt(value, row);
    return result instanceof StatusError ? otherwise?.(row) : result;
  }),
};
