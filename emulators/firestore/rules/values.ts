import {
  bool,
  bytes,
  float,
  int,
  latlng,
  list,
  map,
  NULL,
  path,
  string,
  timestamp,
} from '@hearth/security-rules/value';
import type * as Rules from '@hearth/security-rules/value';
import { Timestamp } from '../model/timestamp.ts';
import { GeoPoint, isArray, Reference } from '../model/value.ts';
import type { MapValue, Value } from '../model/value.ts';

/** A stored value as rules see it: a reference as the path of its document, from `databases` on. */
export function rulesValue(value: Value): Rules.Value {
  switch (typeof value) {
    case 'string':
      return string(value);
    case 'bigint':
      return int(value);
    case 'number':
      return float(value);
    case 'boolean':
      return bool(value);
    default:
      return value === null ? NULL : objectValue(value);
  }
}

function objectValue(value: Exclude<Value, null | string | bigint | number | boolean>): Rules.Value {
  if (value instanceof Timestamp) return timestamp(nanosOf(value));
  if (value instanceof Reference) return path(rulesSegments(value.name));
  if (value instanceof GeoPoint) return latlng(value.latitude, value.longitude);
  if (value instanceof Uint8Array) return bytes(value);
  return isArray(value) ? list(value.map(rulesValue)) : rulesMap(value);
}

export const rulesMap = (fields: MapValue): Rules.MapValue =>
  map([...fields].map(([name, value]) => [name, rulesValue(value)] as const));

const nanosOf = ({ seconds, nanos }: Timestamp): bigint => BigInt(seconds) * 1_000_000_000n + BigInt(nanos);

/** The segments of a resource name below its project, as rules match them: `databases`, the database, `documents`, … */
export const rulesSegments = (name: string): string[] => name.split('/').slice(2);

/** A value that was parsed from JSON, such as a claim of a token. */
export function jsonValue(value: unknown): Rules.Value {
  if (typeof value === 'string') return string(value);
  if (typeof value === 'boolean') return bool(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? int(value) : float(value);
  if (Array.isArray(value)) return list(value.map(jsonValue));
  return typeof value === 'object' && value !== null ? jsonMap(value) : NULL;
}

export const jsonMap = (object: object): Rules.MapValue =>
  map(Object.entries(object).map(([name, value]) => [name, jsonValue(value)] as const));
