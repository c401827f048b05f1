import { compareValues } from './compare.ts';
import { isArray, isMap } from './value.ts';
import type { MapValue, Value } from './value.ts';

/** Stricter than comparing equal: 1 and 1.0, or 0.0 and -0.0, are stored differently. */
export function identicalValues(left: Value, right: Value): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object') return false;
  if (isArray(left) && isArray(right)) {
    return left.length === right.length && left.every((value, index) => identical(value, right[index]));
  }
  if (isMap(left) && isMap(right)) return identicalMaps(left, right);
  return compareValues(left, right) === 0;
}

export function identicalMaps(left: MapValue, right: MapValue): boolean {
  if (left.size !== right.size) return false;
  for (const [name, value] of left) if (!identical(value, right.get(name))) return false;
  return true;
}

const identical = (left: Value, right: Value | undefined): boolean =>
  right !== undefined && identicalValues(left, right);
