import { invalidArgument } from '../../errors.ts';
import { isNumeric } from '../../model/value.ts';
import { asArray, asInteger, asNumeric, strict, ONE_OR_MORE } from './define.ts';
import type { FunctionDefinition, Functions } from './define.ts';

// https://firebase.google.com/docs/firestore/pipelines/functions/arithmetic-functions

type Numeric = bigint | number;

/** Throws INVALID_ARGUMENT outside of int64. */
function int64(value: bigint): bigint {
  if (BigInt.asIntN(64, value) === value) return value;
  throw invalidArgument('integer overflow');
}

interface Operation {
  readonly integers: (left: bigint, right: bigint) => bigint;
  readonly doubles: (left: number, right: number) => number;
}

/** Two integers give an integer, else the result is a double. */
const calculate = ({ integers, doubles }: Operation, left: Numeric, right: Numeric): Numeric =>
  typeof left === 'bigint' && typeof right === 'bigint'
    ? int64(integers(left, right))
    : doubles(Number(left), Number(right));

const binary = (operation: Operation, most: number): FunctionDefinition =>
  strict([2, most], (values) =>
    values.map(asNumeric).reduce((left, right) => calculate(operation, left, right)),
  );

function nonZero(divisor: bigint): bigint {
  if (divisor !== 0n) return divisor;
  throw invalidArgument('division by zero');
}

const ADD: Operation = { integers: (left, right) => left + right, doubles: (left, right) => left + right };

/** A function of one number whose result is a double. `accepts` is its domain. */
const real = (
  calculated: (value: number) => number,
  accepts: (value: number) => boolean = () => true,
): FunctionDefinition =>
  strict([1, 1], ([value]) => {
    const number = Number(asNumeric(value));
    if (!accepts(number)) throw invalidArgument(`The function is not defined for ${number}.`);
    return calculated(number);
  });

/** Rounds to a number of decimal places. An integer stays one. */
const rounding = (calculated: (value: number) => number, most: 1 | 2): FunctionDefinition =>
  strict([1, most], ([value, decimals = 0n]) => {
    const number = asNumeric(value);
    const places = asInteger(decimals);
    if (typeof number === 'bigint') {
      return places >= 0 ? number : BigInt(shifted(Number(number), places, calculated));
    }
    return Number.isFinite(number) ? shifted(number, places, calculated) : number;
  });

/** Shifts the decimal point in the text, because a product with a power of ten is not exact. */
function shifted(number: number, places: number, calculated: (value: number) => number): number {
  const [mantissa = '0', exponent = '0'] = number.toExponential().split('e');
  const [result = '0', power = '0'] = calculated(Number(`${mantissa}e${Number(exponent) + places}`))
    .toExponential()
    .split('e');
  return Number(`${result}e${Number(power) - places}`);
}

/** A half is rounded away from zero. */
const roundHalfAway = (value: number): number => Math.sign(value) * Math.round(Math.abs(value));

export const ARITHMETIC: Functions = {
  add: binary(ADD, Infinity),
  subtract: binary({ integers: (left, right) => left - right, doubles: (left, right) => left - right }, 2),
  multiply: binary(
    { integers: (left, right) => left * right, doubles: (left, right) => left * right },
    Infinity,
  ),
  divide: binary(
    { integers: (left, right) => left / nonZero(right), doubles: (left, right) => left / right },
    2,
  ),
  mod: binary(
    { integers: (left, right) => left % nonZero(right), doubles: (left, right) => left % right },
    2,
  ),
  pow: strict([2, 2], ([base, exponent]) => Number(asNumeric(base)) ** Number(asNumeric(exponent))),
  abs: strict([1, 1], ([value]) => {
    const number = asNumeric(value);
    if (typeof number === 'number') return Math.abs(number);
    return number < 0n ? int64(-number) : number;
  }),
  ceil: rounding(Math.ceil, 1),
  floor: rounding(Math.floor, 1),
  round: rounding(roundHalfAway, 2),
  trunc: rounding(Math.trunc, 2),
  exp: real(Math.exp),
  sqrt: real(Math.sqrt, (value) => !(value < 0)),
  ln: real(Math.log, (value) => !(value <= 0)),
  log10: real(Math.log10, (value) => !(value <= 0)),
  log: strict(
    [2, 2],
    ([value, base]) => Math.log(Number(asNumeric(value))) / Math.log(Number(asNumeric(base))),
  ),
  rand: strict([0, 0], () => Math.random()),
  sum: strict(ONE_OR_MORE, ([values]) =>
    asArray(values)
      .filter(isNumeric)
      .reduce<Numeric>((left, right) => calculate(ADD, left, right), 0n),
  ),
};
