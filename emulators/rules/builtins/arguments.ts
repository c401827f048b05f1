import { canonicalKey } from '../equality.ts';
import { nullValue, undetermined, unsupported, type EvaluationError } from '../errors.ts';
import type { MapValue, Value } from '../value.ts';

type Of<T extends Value['type']> = Extract<Value, { type: T }>;

/** The error for a value of a type that an operation does not take. */
export function wrongType(value: Value, expected: string): EvaluationError {
  if (value.type === 'null') return nullValue();
  if (value.type === 'unknown' || value.type === 'partialMap') return undetermined(`this ${expected}`);
  return unsupported(value.type, expected);
}

/** The value, narrowed to a type; throws an EvaluationError for any other. */
export function expectType<T extends Value['type']>(value: Value, ...types: readonly T[]): Of<T> {
  if (!isOneOf(value, types)) throw wrongType(value, types.join(' or '));
  return value;
}

function isOneOf<T extends Value['type']>(value: Value, types: readonly T[]): value is Of<T> {
  return types.some((type) => type === value.type);
}

export const textOf = (value: Value): string => expectType(value, 'string').value;
export const integerOf = (value: Value): bigint => expectType(value, 'int').value;
export const numberOf = (value: Value): number => Number(expectType(value, 'int', 'float').value);
export const mapOf = (value: Value): MapValue => expectType(value, 'map');

/** The code points of a text, each a character of its own. */
export const characters = (text: string): readonly string[] => Array.from(text);

/** The distinct items of a list or set by their canonical key. */
export function itemsOf(value: Value): ReadonlyMap<string, Value> {
  const collection = expectType(value, 'list', 'set');
  return collection.type === 'set' ? collection.items : byKey(collection.items);
}

export function byKey(items: Iterable<Value>): Map<string, Value> {
  return new Map([...items].map((item) => [canonicalKey(item), item]));
}
