import { invalidArgument } from '../errors.ts';
import { parseDocumentName } from '../model/paths.ts';
import { Timestamp } from '../model/timestamp.ts';
import { GeoPoint, isArray, Reference } from '../model/value.ts';
import type { MapValue, Value } from '../model/value.ts';
import type { WireTimestamp, WireValue } from './messages.ts';

/** Reads a Value message. Throws INVALID_ARGUMENT where no value type is set. */
export function decodeValue(wire: WireValue): Value {
  if (wire.stringValue !== undefined) return wire.stringValue;
  if (wire.integerValue !== undefined) return BigInt(wire.integerValue);
  if (wire.doubleValue !== undefined) return wire.doubleValue;
  if (wire.booleanValue !== undefined) return wire.booleanValue;
  if (wire.nullValue !== undefined) return null;
  if (wire.mapValue !== undefined) return decodeFields(wire.mapValue.fields);
  if (wire.arrayValue !== undefined) return (wire.arrayValue.values ?? []).map(decodeValue);
  return decodeScalarObject(wire);
}

function decodeScalarObject(wire: WireValue): Value {
  if (wire.timestampValue !== undefined) return decodeTimestamp(wire.timestampValue).truncatedToMicros();
  if (wire.bytesValue !== undefined) return wire.bytesValue;
  if (wire.referenceValue !== undefined) return decodeReference(wire.referenceValue);
  if (wire.geoPointValue !== undefined) return decodeGeoPoint(wire.geoPointValue);
  throw invalidArgument('Cannot convert firestore.v1.Value with type unset.');
}

/** A reference names a document, which may be in another database and need not exist. */
function decodeReference(name: string): Reference {
  parseDocumentName(name);
  return new Reference(name);
}

function decodeGeoPoint({ latitude = 0, longitude = 0 }: NonNullable<WireValue['geoPointValue']>): GeoPoint {
  assertDegrees('latitude', latitude, 90);
  assertDegrees('longitude', longitude, 180);
  return new GeoPoint(latitude, longitude);
}

function assertDegrees(name: string, degrees: number, limit: number): void {
  if (Math.abs(degrees) <= limit) return;
  throw invalidArgument(`Geo point ${name} '${degrees}' outside permitted range -${limit}.0 to ${limit}.0.`);
}

export const decodeFields = (fields: Record<string, WireValue> | undefined): MapValue =>
  new Map(Object.entries(fields ?? {}).map(([name, value]) => [name, decodeValue(value)]));

export function encodeValue(value: Value): WireValue {
  switch (typeof value) {
    case 'string':
      return { stringValue: value };
    case 'bigint':
      return { integerValue: value.toString() };
    case 'number':
      return { doubleValue: value };
    case 'boolean':
      return { booleanValue: value };
    default:
      return value === null ? { nullValue: 'NULL_VALUE' } : encodeObject(value);
  }
}

function encodeObject(value: Exclude<Value, null | string | bigint | number | boolean>): WireValue {
  if (value instanceof Timestamp) return { timestampValue: encodeTimestamp(value) };
  if (value instanceof Reference) return { referenceValue: value.name };
  if (value instanceof GeoPoint) {
    return { geoPointValue: { latitude: value.latitude, longitude: value.longitude } };
  }
  if (value instanceof Uint8Array) return { bytesValue: value };
  if (isArray(value)) return { arrayValue: { values: value.map(encodeValue) } };
  return { mapValue: { fields: encodeFields(value) } };
}

export function encodeFields(fields: MapValue): Record<string, WireValue> {
  const encoded: Record<string, WireValue> = {};
  for (const [name, value] of fields) {
    Object.defineProperty(encoded, name, { value: encodeValue(value), enumerable: true });
  }
  return encoded;
}

/** Seconds of 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z: the range of google.protobuf.Timestamp. */
const FIRST_SECOND = -62_135_596_800;
const LAST_SECOND = 253_402_300_799;

/** Reads a Timestamp message. Throws INVALID_ARGUMENT outside the years 1 to 9999. */
export function decodeTimestamp(wire: WireTimestamp): Timestamp {
  return assertTimestamp(new Timestamp(Number(wire.seconds ?? 0), wire.nanos ?? 0));
}

/** Throws INVALID_ARGUMENT outside the years 1 to 9999. */
export function assertTimestamp(timestamp: Timestamp): Timestamp {
  const { seconds, nanos } = timestamp;
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND || nanos < 0 || nanos > 999_999_999) {
    throw invalidArgument(
      'A timestamp must be between 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999999999Z.',
    );
  }
  return timestamp;
}

export const encodeTimestamp = ({ seconds, nanos }: Timestamp): WireTimestamp => ({ seconds, nanos });

export const encodeMicros = (micros: number): WireTimestamp => encodeTimestamp(Timestamp.fromMicros(micros));
