import { bool, float, int } from '../value.ts';
import { expectType, numberOf } from './arguments.ts';
import { checkedInt } from './convert.ts';
import type { FunctionTable } from './table.ts';

/**
 * https://firebase.google.com/docs/reference/rules/rules.math. `isInfinite` is documented there, but the official
 * runtime does not find it, so neither does this one.
 */
export const mathFunctions: FunctionTable = {
  abs: (value) => {
    const number = expectType(value, 'int', 'float');
    if (number.type === 'float') return float(Math.abs(number.value));
    return checkedInt(number.value < 0n ? -number.value : number.value);
  },
  ceil: (value) => float(Math.ceil(numberOf(value))),
  floor: (value) => float(Math.floor(numberOf(value))),
  // Halves go up: -1.5 gives -1.
  round: (value) => {
    const number = expectType(value, 'int', 'float');
    return number.type === 'int' ? number : int(rounded(number.value));
  },
  sqrt: (value) => float(Math.sqrt(numberOf(value))),
  pow: (base, exponent) => float(numberOf(base) ** numberOf(exponent)),
  isNaN: (value) => bool(Number.isNaN(numberOf(value))),
};

/** Saturates at the ends of 64 bits and takes NaN for zero, as Java's rounding does. */
function rounded(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  if (value >= 2 ** 63) return 2n ** 63n - 1n;
  return value <= -(2 ** 63) ? -(2n ** 63n) : BigInt(Math.round(value));
}
