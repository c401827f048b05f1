import protobuf from 'protobufjs';
import { formatTimestamp } from './json-timestamp.ts';
import { durationJson, structJson } from './struct.ts';

export interface JsonOptions {
  /** Google's client libraries ask for numbers: `$alt=json;enum-encoding=int`. */
  readonly numericEnums: boolean;
}

/** The JSON form of a message that is given in proto-loader's form: https://protobuf.dev/programming-guides/json/ */
export function encodeJson(type: protobuf.Type, message: object, options: JsonOptions): unknown {
  switch (type.fullName) {
    case '.google.protobuf.Timestamp':
      return formatTimestamp(message);
    case '.google.protobuf.Struct':
      return structJson(message as Parameters<typeof structJson>[0]);
    case '.google.protobuf.Duration':
      return durationJson(message);
    case '.google.protobuf.Int32Value':
    case '.google.protobuf.Int64Value':
    case '.google.protobuf.DoubleValue':
      return (message as { value: unknown }).value;
  }
  const json: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(message)) {
    const field = type.fields[name]?.resolve();
    if (field && value !== undefined && !isEmpty(field, value))
      json[name] = encodeField(field, value, options);
  }
  return json;
}

const isEmpty = (field: protobuf.Field, value: unknown): boolean =>
  (field.repeated || field.map) && Object.keys(value as object).length === 0;

function encodeField(field: protobuf.Field, value: unknown, options: JsonOptions): unknown {
  if (field.repeated) return (value as unknown[]).map((element) => encodeValue(field, element, options));
  if (!field.map) return encodeValue(field, value, options);
  const entries = Object.entries(value as object) as [string, unknown][];
  return Object.fromEntries(entries.map(([key, entry]) => [key, encodeValue(field, entry, options)]));
}

function encodeValue({ resolvedType }: protobuf.Field, value: unknown, options: JsonOptions): unknown {
  if (resolvedType instanceof protobuf.Type) return encodeJson(resolvedType, value as object, options);
  if (resolvedType) return encodeEnum(resolvedType, value, options);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (typeof value !== 'number') return value;
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? value : String(value);
}

function encodeEnum(type: protobuf.Enum, value: unknown, { numericEnums }: JsonOptions): unknown {
  if (type.fullName === '.google.protobuf.NullValue') return null;
  return numericEnums && typeof value === 'string' ? type.values[value] : value;
}
