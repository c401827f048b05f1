import type { Timestamp } from './timestamp.ts';

/** A document reference held in a field: the full resource name, `projects/P/databases/D/documents/…`. */
export class Reference {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export class GeoPoint {
  readonly latitude: number;
  readonly longitude: number;

  constructor(latitude: number, longitude: number) {
    this.latitude = latitude;
    this.longitude = longitude;
  }
}

export type MapValue = ReadonlyMap<string, Value>;

/**
 * A field value in memory. An int64 is a bigint, so that it stays exact and distinct from a double (number).
 * Values are immutable: documents, snapshots and indexes share them.
 */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Timestamp
  | Reference
  | GeoPoint
  | readonly Value[]
  | MapValue;

export const isArray = (value: Value | undefined): value is readonly Value[] => Array.isArray(value);
export const isMap = (value: Value | undefined): value is MapValue => value instanceof Map;
export const isNumeric = (value: Value | undefined): value is bigint | number =>
  typeof value === 'bigint' || typeof value === 'number';

/** Client libraries encode an embedding as a map marked with this reserved key. */
export const vectorElements = (map: MapValue): readonly Value[] | undefined => {
  if (map.get('__type__') !== '__vector__') return undefined;
  const elements = map.get('value');
  return isArray(elements) ? elements : undefined;
};
