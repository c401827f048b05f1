import { EvaluationError } from '../errors.ts';
import { float, int, path, string, type PathValue, type Value } from '../value.ts';
import { textOf, wrongType } from './arguments.ts';

const INTEGER = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const MIN_INT = -(2n ** 63n);
const MAX_INT = 2n ** 63n - 1n;

/** `int(value)`: from a float toward zero, from a string of digits. */
export function toInt(value: Value): Value {
  switch (value.type) {
    case 'int':
      return value;
    case 'float':
      return checkedInt(saturate(value.value));
    case 'string':
      if (!INTEGER.test(value.value)) throw new EvaluationError(`Not an integer: ${value.value}.`);
      return checkedInt(BigInt(value.value.replace(/^\+/, '')));
    default:
      throw wrongType(value, 'int, float or string');
  }
}

/** An int of 64 bits; throws an EvaluationError beyond. */
export function checkedInt(value: bigint): Value {
  if (value < MIN_INT || value > MAX_INT) throw new EvaluationError('Integer overflow.');
  return int(value);
}

function saturate(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  if (value >= Number(MAX_INT)) return MAX_INT;
  return value <= Number(MIN_INT) ? MIN_INT : BigInt(Math.trunc(value));
}

/** `float(value)` */
export function toFloat(value: Value): Value {
  switch (value.type) {
    case 'float':
      return value;
    case 'int':
      return float(Number(value.value));
    case 'string':
      if (!DECIMAL.test(value.value)) throw new EvaluationError(`Not a number: ${value.value}.`);
      return float(Number(value.value));
    default:
      throw wrongType(value, 'int, float or string');
  }
}

/** The text that `string(value)` and `list.join` give. */
export function toText(value: Value): string {
  switch (value.type) {
    case 'null':
      return 'null';
    case 'bool':
    case 'int':
      return String(value.value);
    case 'string':
      return value.value;
    case 'float':
      return floatText(value.value);
    case 'path':
      return `/${value.segments.join('/')}`;
    default:
      throw wrongType(value, 'bool, int, float, string, path or null');
  }
}

/** As Java writes a double: always with a fraction, and with an exponent outside 0.001 to 10,000,000. */
function floatText(value: number): string {
  const magnitude = Math.abs(value);
  if (!Number.isFinite(value) || value === 0) return value === 0 ? '0.0' : String(value);
  if (magnitude >= 1e-3 && magnitude < 1e7) return Number.isInteger(value) ? `${value}.0` : String(value);
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
}

export const toStringValue = (value: Value): Value => string(toText(value));

/** `path('/users/ada')`; a segment `{name}` is a capture for `bind`. */
export function toPath(value: Value): PathValue {
  if (value.type === 'path') return value;
  const text = textOf(value);
  if (text.includes('$(')) throw new EvaluationError(`Not a path: ${text}.`);
  return path(text.split('/').filter((segment) => segment !== ''));
}
