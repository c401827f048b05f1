/**
 * The values of the rules language. A caller converts its own data (Firestore documents, Storage metadata) into these;
 * the engine never sees another representation.
 *
 * Source of the types: https://firebase.google.com/docs/reference/rules
 */

export interface NullValue {
  readonly type: 'null';
}
export interface BoolValue {
  readonly type: 'bool';
  readonly value: boolean;
}
/** A signed 64-bit integer. */
export interface IntValue {
  readonly type: 'int';
  readonly value: bigint;
}
export interface FloatValue {
  readonly type: 'float';
  readonly value: number;
}
export interface StringValue {
  readonly type: 'string';
  readonly value: string;
}
export interface BytesValue {
  readonly type: 'bytes';
  readonly value: Uint8Array;
}
/** Nanoseconds since 1970-01-01T00:00:00Z. */
export interface TimestampValue {
  readonly type: 'timestamp';
  readonly nanos: bigint;
}
/** A length of time in nanoseconds. */
export interface DurationValue {
  readonly type: 'duration';
  readonly nanos: bigint;
}
/** Degrees. */
export interface LatLngValue {
  readonly type: 'latlng';
  readonly latitude: number;
  readonly longitude: number;
}
/** Segments without slashes; a segment in braces is a capture that `bind` fills. */
export interface PathValue {
  readonly type: 'path';
  readonly segments: readonly string[];
}
export interface ListValue {
  readonly type: 'list';
  readonly items: readonly Value[];
}
export interface MapValue {
  readonly type: 'map';
  readonly entries: ReadonlyMap<string, Value>;
}
/** Items under their canonical key, so that each is in it once. */
export interface SetValue {
  readonly type: 'set';
  readonly items: ReadonlyMap<string, Value>;
}
/** The result of `a.diff(b)`; `before` is b. */
export interface MapDiffValue {
  readonly type: 'mapDiff';
  readonly after: MapValue;
  readonly before: MapValue;
}

/** A condition that a query's filter puts on a field. */
export interface Bound {
  readonly op: '==' | '!=' | '<' | '<=' | '>' | '>=';
  readonly value: Value;
}
/**
 * A value that differs between the documents a query could return. A result that does not follow from its facts is an
 * evaluation error, so a rule that depends on it denies.
 */
export interface UnknownValue {
  readonly type: 'unknown';
  /** The types it may have, by the names that `is` uses; empty: any. */
  readonly types: readonly string[];
  readonly bounds: readonly Bound[];
  /** Items known to be in the list that this is. */
  readonly contains: readonly Value[];
  /** For a path: its segments, `undefined` where they are not known. */
  readonly segments?: readonly (string | undefined)[];
}
/** A map of which only some entries are known: the data of the documents that a query could return. */
export interface PartialMapValue {
  readonly type: 'partialMap';
  readonly known: ReadonlyMap<string, Value>;
}

export type Value =
  | NullValue
  | BoolValue
  | IntValue
  | FloatValue
  | StringValue
  | BytesValue
  | TimestampValue
  | DurationValue
  | LatLngValue
  | PathValue
  | ListValue
  | MapValue
  | SetValue
  | MapDiffValue
  | UnknownValue
  | PartialMapValue;

export const NULL: NullValue = { type: 'null' };
const TRUE: BoolValue = { type: 'bool', value: true };
const FALSE: BoolValue = { type: 'bool', value: false };

export const bool = (value: boolean): BoolValue => (value ? TRUE : FALSE);
export const int = (value: bigint | number): IntValue => ({ type: 'int', value: BigInt(value) });
export const float = (value: number): FloatValue => ({ type: 'float', value });
export const string = (value: string): StringValue => ({ type: 'string', value });
export const bytes = (value: Uint8Array): BytesValue => ({ type: 'bytes', value });
export const timestamp = (nanos: bigint): TimestampValue => ({ type: 'timestamp', nanos });
export const duration = (nanos: bigint): DurationValue => ({ type: 'duration', nanos });
export const path = (segments: readonly string[]): PathValue => ({ type: 'path', segments });
export const list = (items: readonly Value[]): ListValue => ({ type: 'list', items });
export const latlng = (latitude: number, longitude: number): LatLngValue => ({
  type: 'latlng',
  latitude,
  longitude,
});

/** A map from an object or from entries, e.g. `map({ uid: string('ada') })`. */
export function map(entries: Readonly<Record<string, Value>> | Iterable<readonly [string, Value]>): MapValue {
  const pairs = Symbol.iterator in entries ? entries : Object.entries(entries);
  return { type: 'map', entries: new Map(pairs) };
}

/** A value of which only these facts are known. */
export function unknown(facts: Partial<Omit<UnknownValue, 'type'>> = {}): UnknownValue {
  return { type: 'unknown', types: [], bounds: [], contains: [], ...facts };
}
