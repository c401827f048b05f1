import { Timestamp } from './timestamp.ts';
import { GeoPoint, isArray, Reference, vectorElements } from './value.ts';
import type { MapValue, Value } from './value.ts';

/**
 * The type brackets in their order, after https://firebase.google.com/docs/firestore/manage-data/data-types.
 * NaN is its own bracket: it equals itself and is in no numeric range.
 */
const TYPE_ORDER = {
  null: 0,
  boolean: 1,
  nan: 2,
  number: 3,
  timestamp: 4,
  string: 5,
  bytes: 6,
  reference: 7,
  geoPoint: 8,
  array: 9,
  vector: 10,
  map: 11,
};

/** The position of the value's type; an inequality filter matches values of its operand's type only. */
export function typeOrder(value: Value): number {
  switch (typeof value) {
    case 'boolean':
      return TYPE_ORDER.boolean;
    case 'bigint':
      return TYPE_ORDER.number;
    case 'number':
      return Number.isNaN(value) ? TYPE_ORDER.nan : TYPE_ORDER.number;
    case 'string':
      return TYPE_ORDER.string;
    default:
      return value === null ? TYPE_ORDER.null : objectTypeOrder(value);
  }
}

function objectTypeOrder(value: Exclude<Value, null | boolean | bigint | number | string>): number {
  if (value instanceof Timestamp) return TYPE_ORDER.timestamp;
  if (value instanceof Uint8Array) return TYPE_ORDER.bytes;
  if (value instanceof Reference) return TYPE_ORDER.reference;
  if (value instanceof GeoPoint) return TYPE_ORDER.geoPoint;
  if (isArray(value)) return TYPE_ORDER.array;
  return vectorElements(value) ? TYPE_ORDER.vector : TYPE_ORDER.map;
}

/** Total order of values as production sorts them. Zero means equal, also between an int64 and a double. */
export function compareValues(left: Value, right: Value): number {
  if (left === right) return 0;
  const bracket = typeOrder(left) - typeOrder(right);
  if (bracket !== 0) return bracket;
  if (typeof left === 'string' && typeof right === 'string') return compareStrings(left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right);
  return compareObjects(left, right);
}

function isNumber(value: Value): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
}

/** Compares int64 and double by their exact mathematical values: JavaScript's mixed `<` does that. */
function compareNumbers(left: bigint | number, right: bigint | number): number {
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

function compareObjects(left: Value, right: Value): number {
  if (left instanceof Timestamp && right instanceof Timestamp) return left.compare(right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  if (left instanceof Reference && right instanceof Reference) return comparePaths(left.name, right.name);
  if (left instanceof GeoPoint && right instanceof GeoPoint) {
    return left.latitude - right.latitude || left.longitude - right.longitude;
  }
  if (isArray(left) && isArray(right)) return compareArrays(left, right);
  if (left instanceof Map && right instanceof Map) return compareMaps(left, right);
  return 0;
}

function compareArrays(left: readonly Value[], right: readonly Value[]): number {
  for (const [index, element] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareValues(element, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Maps compare entry by entry in key order, key before value; vectors by dimension first. */
function compareMaps(left: MapValue, right: MapValue): number {
  const leftVector = vectorElements(left);
  const rightVector = vectorElements(right);
  if (leftVector && rightVector) {
    return leftVector.length - rightVector.length || compareArrays(leftVector, rightVector);
  }
  const leftEntries = sortedEntries(left);
  const rightEntries = sortedEntries(right);
  for (const [index, [key, value]] of leftEntries.entries()) {
    const other = rightEntries[index];
    if (other === undefined) return 1;
    const order = compareStrings(key, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return leftEntries.length - rightEntries.length;
}

const sortedEntries = (map: MapValue): [string, Value][] =>
  [...map].sort(([left], [right]) => compareStrings(left, right));

/** Orders strings by their UTF-8 bytes, which is by code point; UTF-16 order differs for surrogate pairs. */
export function compareStrings(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return codePointRank(a) - codePointRank(b);
  }
  return left.length - right.length;
}

const isSurrogate = (unit: number): boolean => (unit & 0xf800) === 0xd800;
const codePointRank = (unit: number): number => (isSurrogate(unit) ? unit + 0x10000 : unit);

/** Orders slash-separated paths segment by segment: the separator sorts before every character. */
export function comparePaths(left: string, right: string): number {
  if (left.includes(NUMERIC_ID_MARK) || right.includes(NUMERIC_ID_MARK)) return compareSegments(left, right);
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return pathRank(a) - pathRank(b);
  }
  return left.length - right.length;
}

const SLASH = 0x2f;
const pathRank = (unit: number): number => (unit === SLASH ? -1 : codePointRank(unit));

const NUMERIC_ID_MARK = '__id';
const NUMERIC_ID = /^__id(-?\d+)__$/;

/** Ids such as `__id7__` stand for numbers, as imported from Datastore: they sort first, by number. */
function compareSegments(left: string, right: string): number {
  const rights = right.split('/');
  for (const [index, segment] of left.split('/').entries()) {
    const other = rights[index];
    if (other === undefined) return 1;
    const order = compareIds(segment, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareIds(left: string, right: string): number {
  const leftNumber = NUMERIC_ID.exec(left)?.[1];
  const rightNumber = NUMERIC_ID.exec(right)?.[1];
  if (leftNumber !== undefined && rightNumber !== undefined) {
    return compareNumbers(BigInt(leftNumber), BigInt(rightNumber));
  }
  if (leftNumber !== undefined) return -1;
  return rightNumber === undefined ? compareStrings(left, right) : 1;
}
