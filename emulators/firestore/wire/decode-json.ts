import protobuf from 'protobufjs';
import { invalidArgument } from '../errors.ts';
import { parseTimestamp } from './json-timestamp.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads the JSON form of a message (https://protobuf.dev/programming-guides/json/) into the form that proto-loader
 * gives. Throws INVALID_ARGUMENT for JSON that does not match the message.
 */
export function decodeJson(type: protobuf.Type, json: unknown): object {
  switch (type.fullName) {
    case '.google.protobuf.Timestamp':
      return parseTimestamp(json);
    case '.google.protobuf.Int32Value':
    case '.google.protobuf.Int64Value':
    case '.google.protobuf.DoubleValue':
      return { value: decodeValue(type.fields['value'], json) };
  }
  const message: Record<string, unknown> = {};
  const chosen = new Set<protobuf.OneOf>();
  for (const [name, value] of Object.entries(objectOf(json, type.name))) {
    const field = fieldNamed(type, name);
    if (!field) throw invalid(`Unknown name "${name}" in ${type.name}: Cannot find field.`);
    const decoded = decodeField(field.resolve(), value);
    if (decoded === undefined) continue;
    if (field.partOf && chosen.has(field.partOf)) {
      throw invalid(`The oneof "${field.partOf.name}" of ${type.name} is already set. Cannot set "${name}".`);
    }
    if (field.partOf) chosen.add(field.partOf);
    message[field.name] = decoded;
  }
  return message;
}

/** The field of a JSON name, which is in camel case, or of its name in the proto, which is in snake case. */
export function fieldNamed(type: protobuf.Type, name: string): protobuf.Field | undefined {
  const { fields } = type;
  return [name, protobuf.util.camelCase(name)]
    .filter((candidate) => Object.hasOwn(fields, candidate))
    .map((candidate) => fields[candidate])[0];
}

function decodeField(field: protobuf.Field, json: unknown): unknown {
  if (json === null && !isNullValue(field)) return undefined;
  if (field.repeated) {
    if (!Array.isArray(json)) throw invalid(`${field.name} must be a list.`);
    return json.map((element) => decodeValue(field, element));
  }
  if (!field.map) return decodeValue(field, json);
  const entries = Object.entries(objectOf(json, field.name));
  return Object.fromEntries(entries.map(([key, value]) => [key, decodeValue(field, value)]));
}

function decodeValue(field: protobuf.Field | undefined, json: unknown): unknown {
  if (!field) return undefined;
  const { resolvedType } = field.resolve();
  if (resolvedType instanceof protobuf.Type) return decodeJson(resolvedType, json);
  if (resolvedType) return isNullValue(field) ? 'NULL_VALUE' : decodeEnum(resolvedType, json);
  const scalar = scalars[field.type];
  const decoded = scalar?.(json);
  if (decoded === undefined) throw invalid(`${field.name} cannot be ${JSON.stringify(json)}.`);
  return decoded;
}

/** Each returns undefined for JSON of another type. */
const scalars: Readonly<Record<string, (json: unknown) => unknown>> = {
  string: (json) => (typeof json === 'string' ? json : undefined),
  bool: (json) => (typeof json === 'boolean' ? json : undefined),
  bytes: (json) => (typeof json === 'string' && isBase64(json) ? Buffer.from(json, 'base64') : undefined),
  int32: (json) => {
    const number = decodeDouble(json);
    return number === undefined || (number | 0) !== number ? undefined : number;
  },
  int64: (json) => {
    const text = typeof json === 'number' ? BigInt(Math.trunc(json)).toString() : json;
    if (typeof text !== 'string' || !/^-?\d+$/.test(text)) return undefined;
    return BigInt.asIntN(64, BigInt(text)) === BigInt(text) ? text : undefined;
  },
  double: decodeDouble,
};

/** The standard or the URL-safe alphabet, with or without padding. One digit alone does not make a byte. */
function isBase64(text: string): boolean {
  const digits = /^([A-Za-z0-9+/]*|[\w-]*)={0,2}$/.exec(text)?.[1];
  return digits !== undefined && digits.length % 4 !== 1;
}

function decodeDouble(json: unknown): number | undefined {
  if (typeof json === 'number') return json;
  if (json === 'NaN') return NaN;
  const number = typeof json === 'string' && json.trim() !== '' ? Number(json) : NaN;
  return Number.isNaN(number) ? undefined : number;
}

function decodeEnum(type: protobuf.Enum, json: unknown): string {
  const name = typeof json === 'number' ? type.valuesById[json] : json;
  if (typeof name === 'string' && Object.hasOwn(type.values, name)) return name;
  throw invalid(`${type.name} has no value ${JSON.stringify(json)}.`);
}

function objectOf(json: unknown, what: string): JsonObject {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw invalid(`${what} must be an object.`);
  }
  return json as JsonObject;
}

const isNullValue = ({ resolvedType }: protobuf.Field): boolean =>
  resolvedType?.fullName === '.google.protobuf.NullValue';

const invalid = (message: string): Error => invalidArgument(`Invalid JSON payload received. ${message}`);
