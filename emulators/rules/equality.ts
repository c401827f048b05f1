import { EvaluationError, undetermined } from './errors.ts';
import type { Value } from './value.ts';

/**
 * The largest cost of one key, in values and characters. The largest document costs less. A rule that multiplies its
 * values reaches the limit soon.
 */
const MAX_KEY_COST = 2_000_000;

/**
 * A text that two values share exactly when they are equal as items of a list, a set or a map. There an int and a float
 * differ: `{'a': 1} == {'a': 1.0}` is false. Throws an EvaluationError for a value that a query leaves unknown, and a
 * RangeError for a value that is too large.
 */
export function canonicalKey(value: Value): string {
  let cost = 0;
  const keyOf = (part: Value): string => {
    cost += 1 + (part.type === 'string' || part.type === 'bytes' ? part.value.length : 0);
    if (cost > MAX_KEY_COST) throw new RangeError('Value too large to be compared.');
    return isComposite(part) ? compositeKey(part, keyOf) : scalarKey(part);
  };
  return keyOf(value);
}

type Composite = Extract<Value, { type: 'list' | 'map' | 'set' | 'mapDiff' | 'unknown' | 'partialMap' }>;

const COMPOSITE: ReadonlySet<string> = new Set(['list', 'map', 'set', 'mapDiff', 'unknown', 'partialMap']);

const isComposite = (value: Value): value is Composite => COMPOSITE.has(value.type);

function scalarKey(value: Exclude<Value, Composite>): string {
  switch (value.type) {
    case 'null':
      return 'null';
    case 'bool':
    case 'int':
    case 'float':
      return `${value.type}:${String(value.value)}`;
    case 'string':
      return JSON.stringify(value.value);
    case 'bytes':
      return `bytes:${Buffer.from(value.value).toString('hex')}`;
    case 'timestamp':
    case 'duration':
      return `${value.type}:${String(value.nanos)}`;
    case 'latlng':
      return `latlng:${value.latitude},${value.longitude}`;
    case 'path':
      return `path:${JSON.stringify(value.segments)}`;
  }
}

function compositeKey(value: Composite, keyOf: (value: Value) => string): string {
  switch (value.type) {
    case 'list':
      return `[${value.items.map(keyOf).join(',')}]`;
    case 'map': {
      const sorted = [...value.entries].sort(([a], [b]) => (a < b ? -1 : 1));
      return `{${sorted.map(([key, item]) => `${JSON.stringify(key)}:${keyOf(item)}`).join(',')}}`;
    }
    case 'set':
      return `set:{${[...value.items.keys()].sort().join(',')}}`;
    case 'mapDiff':
      throw new EvaluationError('A map diff cannot be compared.');
    case 'unknown':
    case 'partialMap':
      throw undetermined('this value');
  }
}

/** `==` of two known values. Integers and floats compare by value. */
export function equals(left: Value, right: Value): boolean {
  if (isNumber(left) && isNumber(right)) {
    // `==` of JavaScript compares an int and a float exactly; `===` would compare their types.
    return !(left.value < right.value) && !(left.value > right.value) && !isNaNValue(left, right);
  }
  return left.type === right.type && canonicalKey(left) === canonicalKey(right);
}

/** The order of two values, negative, zero or positive; undefined when the language does not order them. */
export function compare(left: Value, right: Value): number | undefined {
  if (isNumber(left) && isNumber(right)) {
    return isNaNValue(left, right) ? NaN : order(left.value, right.value);
  }
  if (left.type !== right.type) return undefined;
  if (left.type === 'string' && right.type === 'string') return compareText(left.value, right.value);
  if (left.type === 'bytes' && right.type === 'bytes') return Buffer.compare(left.value, right.value);
  return isTime(left) && isTime(right) ? order(left.nanos, right.nanos) : undefined;
}

const order = (left: bigint | number, right: bigint | number): number =>
  left < right ? -1 : left > right ? 1 : 0;

function isTime(value: Value): value is Extract<Value, { type: 'timestamp' | 'duration' }> {
  return value.type === 'timestamp' || value.type === 'duration';
}

/** By code points, as Firestore orders strings. */
function compareText(left: string, right: string): number {
  return left === right ? 0 : Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function isNumber(value: Value): value is Extract<Value, { type: 'int' | 'float' }> {
  return value.type === 'int' || value.type === 'float';
}

function isNaNValue(...values: readonly { readonly value: bigint | number }[]): boolean {
  return values.some(({ value }) => typeof value === 'number' && Number.isNaN(value));
}
