import { Timestamp } from './timestamp.ts';
import { GeoPoint, isArray, isMap, Reference } from './value.ts';
import type { Value } from './value.ts';

const MAX_LENGTH = 100;

/**
 * A short text that equal values share. Different values may share one too, such as long strings with the same
 * beginning, or integers that the same double is nearest to.
 */
export function valueKey(value: Value): string {
  if (typeof value === 'string') return `s${value.slice(0, MAX_LENGTH)}`;
  if (typeof value === 'number' || typeof value === 'bigint') return `n${String(Number(value))}`;
  if (value === null || typeof value === 'boolean') return String(value);
  return objectKey(value).slice(0, MAX_LENGTH);
}

function objectKey(value: Exclude<Value, null | boolean | string | number | bigint>): string {
  if (value instanceof Timestamp) return `t${value.seconds}.${value.nanos}`;
  if (value instanceof Reference) return `r${value.name.slice(-MAX_LENGTH)}`;
  if (value instanceof Uint8Array) return `y${Buffer.from(value.subarray(0, MAX_LENGTH)).toString('latin1')}`;
  // Adding zero makes no difference between 0 and -0.
  if (value instanceof GeoPoint) return `g${value.latitude + 0},${value.longitude + 0}`;
  if (isArray(value)) return `a${value.map(valueKey).join()}`;
  if (isMap(value)) return `m${[...value.keys()].sort().join()}`;
  return '';
}
