import type { Value } from '@hearth/security-rules/value';
import { Timestamp } from '../model/timestamp.ts';
import { formatTimestamp } from '../wire/json-timestamp.ts';
import { encodeTimestamp } from '../wire/value-codec.ts';

/** A value of the rules language as JSON, in the form of `ExpressionValue` in the sources of the Emulator UI. */
export function expressionValue(value: Value): object {
  switch (value.type) {
    case 'null':
      return { nullValue: null };
    case 'bool':
      return { boolValue: value.value };
    case 'int':
      return { intValue: value.value.toString() };
    case 'float':
      return { floatValue: Number.isFinite(value.value) ? value.value : String(value.value) };
    case 'string':
      return { stringValue: value.value };
    case 'bytes':
      return { bytesValue: Buffer.from(value.value).toString('base64') };
    case 'timestamp':
      return { timestampValue: timestampText(value.nanos) };
    case 'duration':
      return { durationValue: `${(Number(value.nanos) / 1e9).toString()}s` };
    case 'latlng':
      return { latlngValue: { latitude: value.latitude, longitude: value.longitude } };
    case 'path':
      return { pathValue: { segments: value.segments.map((simple) => ({ simple })) } };
    default:
      return collectionValue(value);
  }
}

/** Facts about the documents that a query could return are not values. */
function collectionValue(value: Value): object {
  switch (value.type) {
    case 'list':
      return { listValue: { values: value.items.map(expressionValue) } };
    case 'set':
      return { setValue: { values: [...value.items.values()].map(expressionValue) } };
    case 'map':
      return { mapValue: { fields: fieldsOf(value.entries) } };
    case 'partialMap':
      return { mapValue: { fields: fieldsOf(value.known) } };
    default:
      return { undefined: {} };
  }
}

const fieldsOf = (entries: ReadonlyMap<string, Value>): Record<string, object> =>
  Object.fromEntries([...entries].map(([name, value]) => [name, expressionValue(value)]));

/** RFC 3339, from nanoseconds since the Unix epoch. */
export const timestampText = (nanos: bigint): string =>
  formatTimestamp(encodeTimestamp(Timestamp.fromMicros(Number(nanos / 1_000n))));
