import { Timestamp } from '../model/timestamp.ts';
import { GeoPoint, Reference, vectorElements } from '../model/value.ts';
import type { Result } from './row.ts';

/** The name of a value's type, as the function `type` returns it. */
export function typeName(value: Result): string {
  switch (typeof value) {
    case 'undefined':
      return 'absent';
    case 'string':
    case 'boolean':
      return typeof value;
    case 'bigint':
      return 'int64';
    case 'number':
      return 'float64';
    default:
      return value === null ? 'null' : objectType(value);
  }
}

function objectType(value: object): string {
  if (value instanceof Timestamp) return 'timestamp';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Reference) return 'reference';
  if (value instanceof GeoPoint) return 'geo_point';
  if (Array.isArray(value)) return 'array';
  return value instanceof Map && vectorElements(value) ? 'vector' : 'map';
}
