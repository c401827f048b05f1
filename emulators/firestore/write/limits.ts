import { invalidArgument } from '../errors.ts';
import { Timestamp } from '../model/timestamp.ts';
import { GeoPoint, isArray, isMap, Reference, vectorElements } from '../model/value.ts';
import type { MapValue, Value } from '../model/value.ts';

/** https://firebase.google.com/docs/firestore/quotas#writes_and_transactions */
export const MAX_TRANSFORMS = 500;
const MAX_DOCUMENT_BYTES = 1_048_576;
const MAX_COMMIT_BYTES = 10 * 1_048_576;
const MAX_DEPTH = 20;
const MAX_NAME_BYTES = 1_500;
const RESERVED_NAME = /^__.*__$/s;

/** Checks names and nesting of fields to be written. Throws INVALID_ARGUMENT. */
export function assertStorable(fields: MapValue, depth = 1): void {
  if (depth > MAX_DEPTH)
    throw invalidArgument(`Maps and arrays may be nested at most ${MAX_DEPTH} levels deep.`);
  const isVector = vectorElements(fields) !== undefined;
  for (const [name, value] of fields) {
    if (!isVector || !RESERVED_NAME.test(name)) assertFieldName(name);
    assertValue(value, depth);
  }
}

/** Checks the name of a field to be written. Throws INVALID_ARGUMENT. */
export function assertFieldName(name: string): void {
  if (name === '') throw invalidArgument('The property.name is the empty string.');
  if (RESERVED_NAME.test(name)) throw invalidArgument(`field name ${name} is reserved`);
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
    throw invalidArgument(`The property.name is longer than ${MAX_NAME_BYTES} bytes.`);
  }
}

function assertValue(value: Value, depth: number): void {
  if (isMap(value)) assertStorable(value, depth + 1);
  if (!isArray(value)) return;
  if (depth + 1 > MAX_DEPTH) {
    throw invalidArgument(`Maps and arrays may be nested at most ${MAX_DEPTH} levels deep.`);
  }
  for (const element of value) {
    if (isArray(element)) throw invalidArgument('Cannot convert an array value in an array value.');
    assertValue(element, depth + 1);
  }
}

/** The document's size in bytes. Throws INVALID_ARGUMENT when it is over 1 MiB. */
export function checkedDocumentSize(name: string, path: string, fields: MapValue): number {
  const size = nameSize(path) + mapSize(fields) + 32;
  if (size <= MAX_DOCUMENT_BYTES) return size;
  throw invalidArgument(
    `Document '${name}' cannot be written because its size (${size.toLocaleString('en')} bytes) exceeds the maximum ` +
      `allowed size of ${MAX_DOCUMENT_BYTES.toLocaleString('en')} bytes.`,
  );
}

/** Throws INVALID_ARGUMENT when the documents that a commit writes are over 10 MiB together. */
export function assertCommitSize(size: number): void {
  if (size > MAX_COMMIT_BYTES) throw invalidArgument('Transaction too big. Decrease transaction size.');
}

const stringSize = (text: string): number => Buffer.byteLength(text) + 1;
const nameSize = (path: string): number => Buffer.byteLength(path) + 1 + 16;

function mapSize(map: MapValue): number {
  let size = 0;
  for (const [name, value] of map) size += stringSize(name) + valueSize(value);
  return size;
}

/** Bytes as production bills them: https://firebase.google.com/docs/firestore/storage-size */
function valueSize(value: Value): number {
  if (typeof value === 'string') return stringSize(value);
  if (value === null || typeof value === 'boolean') return 1;
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Timestamp) return 8;
  if (value instanceof GeoPoint) return 16;
  if (value instanceof Reference) return nameSize(value.name.replace(/^.*?\/documents\//s, ''));
  if (value instanceof Uint8Array) return value.byteLength;
  if (isArray(value)) return value.reduce<number>((sum, element) => sum + valueSize(element), 0);
  return mapSize(value);
}
