import { invalidArgument } from '../errors.ts';
import { compareValues } from '../model/compare.ts';
import { parseFieldPath } from '../model/field-path.ts';
import type { FieldPath } from '../model/field-path.ts';
import { Timestamp } from '../model/timestamp.ts';
import { isArray, isNumeric } from '../model/value.ts';
import type { Value } from '../model/value.ts';
import type { WireFieldTransform } from '../wire/messages.ts';
import { decodeValue } from '../wire/value-codec.ts';
import { assertFieldName } from './limits.ts';

/** A change of one field that depends on its value at commit time, or on that time. */
export type FieldTransform = { readonly field: FieldPath } & (
  | { readonly kind: 'serverTimestamp' }
  | { readonly kind: 'increment' | 'maximum' | 'minimum'; readonly operand: bigint | number }
  | { readonly kind: 'union' | 'remove'; readonly elements: readonly Value[] }
);

/** Reads a FieldTransform message. Throws INVALID_ARGUMENT. */
export function parseTransform(wire: WireFieldTransform): FieldTransform {
  const field = parseFieldPath(wire.fieldPath ?? '');
  for (const name of field) assertFieldName(name);
  if (wire.setToServerValue === 'REQUEST_TIME') return { field, kind: 'serverTimestamp' };
  for (const kind of ['increment', 'maximum', 'minimum'] as const) {
    const operand = wire[kind];
    if (operand !== undefined) return { field, kind, operand: numericOperand(decodeValue(operand), kind) };
  }
  const { appendMissingElements: union, removeAllFromArray: remove } = wire;
  if (union) return { field, kind: 'union', elements: (union.values ?? []).map(decodeValue) };
  if (remove) return { field, kind: 'remove', elements: (remove.values ?? []).map(decodeValue) };
  throw invalidArgument(`The field transform of "${wire.fieldPath ?? ''}" names no transformation.`);
}

function numericOperand(value: Value, kind: string): bigint | number {
  if (!isNumeric(value)) throw invalidArgument(`The operand of "${kind}" must be an integer or a double.`);
  return value;
}

/** The field's new value, from its current one. */
export function applyTransform(transform: FieldTransform, current: Value | undefined, time: number): Value {
  switch (transform.kind) {
    case 'serverTimestamp':
      // Production's request time has millisecond precision.
      return Timestamp.fromMicros(time - (time % 1_000));
    case 'increment':
      return isNumeric(current) ? add(current, transform.operand) : transform.operand;
    case 'maximum':
    case 'minimum':
      return extreme(transform.kind, transform.operand, current);
    case 'union':
      return union(isArray(current) ? current : [], transform.elements);
    case 'remove':
      return (isArray(current) ? current : []).filter((value) => !includes(transform.elements, value));
  }
}

/** The result in the answer: the value, or null for array transforms. */
export const transformResult = (transform: FieldTransform, value: Value): Value =>
  transform.kind === 'union' || transform.kind === 'remove' ? null : value;

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** Integers saturate at the ends of int64; with a double the sum is one. */
function add(left: bigint | number, right: bigint | number): bigint | number {
  if (typeof left !== 'bigint' || typeof right !== 'bigint') return Number(left) + Number(right);
  const sum = left + right;
  if (sum > INT64_MAX) return INT64_MAX;
  return sum < INT64_MIN ? INT64_MIN : sum;
}

/** Equal numbers keep the stored one; NaN wins. */
function extreme(kind: 'maximum' | 'minimum', operand: bigint | number, current: Value | undefined): Value {
  if (!isNumeric(current) || Number.isNaN(operand)) return operand;
  if (Number.isNaN(current) || compareValues(operand, current) === 0) return current;
  return (kind === 'maximum') === operand > current ? operand : current;
}

function union(current: readonly Value[], elements: readonly Value[]): readonly Value[] {
  const result = [...current];
  for (const element of elements) if (!includes(result, element)) result.push(element);
  return result;
}

const includes = (values: readonly Value[], wanted: Value): boolean =>
  values.some((value) => compareValues(value, wanted) === 0);
