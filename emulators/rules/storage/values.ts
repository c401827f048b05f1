import { byKey } from '../builtins/arguments.ts';
import {
  bool,
  bytes,
  duration,
  float,
  int,
  latlng,
  list,
  map,
  NULL,
  path,
  string,
  type MapValue,
  type Value,
} from '../value.ts';
import { asArray, asObject, asString } from './messages.ts';
import { parseTimestamp } from './timestamp-text.ts';

type Reader = (value: unknown) => Value;

/** Readers by the only key of the object. */
type Readers = Readonly<Record<string, Reader>>;

/** The values of the variables that the Firebase CLI sends (`emulator/storage/rules/expressionValue.ts` there). */
const EXPRESSION_READERS: Readers = {
  null_value: () => NULL,
  bool_value: (value) => bool(value === true),
  int_value: (value) => int(BigInt(numeric(value))),
  float_value: (value) => float(Number(value)),
  string_value: (value) => string(asString(value, 'string_value')),
  bytes_value: (value) => bytes(Buffer.from(asString(value, 'bytes_value'), 'base64')),
  timestamp_value: (value) => parseTimestamp(asString(value, 'timestamp_value')),
  duration_value: (value) => {
    const { seconds = 0, nanos = 0 } = asObject(value, 'duration_value');
    return duration(BigInt(numeric(seconds)) * 1_000_000_000n + BigInt(numeric(nanos)));
  },
  latlng_value: (value) => readLatLng(value),
  path_value: (value) =>
    path(asArray(asObject(value, 'path_value')['segments'] ?? [], 'segments').map(segmentText)),
  list_value: (value) => list(valuesOf(value).map(readExpressionValue)),
  set_value: (value) => ({ type: 'set', items: byKey(valuesOf(value).map(readExpressionValue)) }),
  map_value: (value) => readFields(asObject(value, 'map_value')['fields'], readExpressionValue),
};

/**
 * The values of a Firestore document in REST's JSON: https://firebase.google.com/docs/firestore/reference/rest/v1/Value
 */
const DOCUMENT_READERS: Readers = {
  nullValue: () => NULL,
  booleanValue: (value) => bool(value === true),
  integerValue: (value) => int(BigInt(numeric(value))),
  doubleValue: (value) => float(Number(value)),
  stringValue: (value) => string(asString(value, 'stringValue')),
  bytesValue: (value) => bytes(Buffer.from(asString(value, 'bytesValue'), 'base64')),
  timestampValue: (value) => parseTimestamp(asString(value, 'timestampValue')),
  geoPointValue: (value) => readLatLng(value),
  // The part of `projects/…/databases/…` that rules call the path of a document.
  referenceValue: (value) => path(asString(value, 'referenceValue').split('/').slice(2)),
  arrayValue: (value) => list(valuesOf(value).map(readDocumentValue)),
  mapValue: (value) => readDocumentFields(asObject(value, 'mapValue')['fields']),
};

/** Reads a variable of a `verify` request; throws an Error. */
export const readExpressionValue: Reader = (value) => readTagged(value, EXPRESSION_READERS);

/** Reads the fields of a Firestore document as REST gives them; throws an Error. */
export const readDocumentFields = (fields: unknown): MapValue => readFields(fields, readDocumentValue);

const readDocumentValue: Reader = (value) => readTagged(value, DOCUMENT_READERS);

function readTagged(value: unknown, readers: Readers): Value {
  const object = asObject(value, 'value');
  const [tag = ''] = Object.keys(object);
  const read = Object.hasOwn(readers, tag) ? readers[tag] : undefined;
  if (read === undefined) throw new Error(`Unknown kind of value: ${tag}`);
  return read(object[tag]);
}

function readFields(fields: unknown, read: Reader): MapValue {
  return map(
    Object.entries(asObject(fields ?? {}, 'fields')).map(([name, value]) => [name, read(value)] as const),
  );
}

const valuesOf = (value: unknown): unknown[] => asArray(asObject(value, 'list')['values'] ?? [], 'values');

function readLatLng(value: unknown): Value {
  const { latitude = 0, longitude = 0 } = asObject(value, 'coordinates');
  return latlng(Number(latitude), Number(longitude));
}

function segmentText(segment: unknown): string {
  const { simple, bound_value: bound } = asObject(segment, 'segment');
  return asString(simple ?? bound, 'segment');
}

function numeric(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new Error('An integer is expected');
  return BigInt(value).toString();
}
