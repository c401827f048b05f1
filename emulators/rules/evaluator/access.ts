import { characters, expectType, integerOf, textOf, wrongType } from '../builtins/arguments.ts';
import { EvaluationError, nullValue, undefinedProperty, undetermined } from '../errors.ts';
import { list, string, type Value } from '../value.ts';

/** `object.name`; throws an EvaluationError when there is none. */
export function property(object: Value, name: string): Value {
  switch (object.type) {
    case 'map':
    case 'partialMap': {
      const value = (object.type === 'map' ? object.entries : object.known).get(name);
      if (value === undefined) throw undefinedProperty(name);
      return value;
    }
    case 'null':
      throw nullValue();
    case 'unknown':
      throw undetermined('this map');
    default:
      throw undefinedProperty(name);
  }
}

/** `object[index]` */
export function element(object: Value, index: Value): Value {
  switch (object.type) {
    case 'map':
    case 'partialMap':
      return property(object, textOf(index));
    case 'list':
      return itemAt(object.items, index);
    case 'string':
      return string(itemAt(characters(object.value), index));
    case 'path':
      return string(itemAt(object.segments, index));
    case 'unknown': {
      const segment = object.segments?.[Number(integerOf(index))];
      if (segment === undefined) throw undetermined('this item');
      return string(segment);
    }
    default:
      throw wrongType(object, 'list, map, path or string');
  }
}

/** `object[from:to]`; `to` is not included. */
export function range(object: Value, from: Value, to: Value): Value {
  switch (object.type) {
    case 'list':
      return list(itemsBetween(object.items, from, to));
    case 'string':
      return string(itemsBetween(characters(object.value), from, to).join(''));
    default:
      throw wrongType(object, 'list or string');
  }
}

function itemAt<T>(items: readonly T[], index: Value): T {
  const item = items[Number(checkedIndex(index, 0n, BigInt(items.length) - 1n))];
  if (item === undefined) throw outOfBounds();
  return item;
}

/** The official runtime wants the first index to be that of an item, and the last one to be at least 1. */
function itemsBetween<T>(items: readonly T[], from: Value, to: Value): readonly T[] {
  const size = BigInt(items.length);
  const start = checkedIndex(from, 0n, size - 1n);
  const end = checkedIndex(to, start > 1n ? start : 1n, size);
  return items.slice(Number(start), Number(end));
}

function checkedIndex(index: Value, minimum: bigint, maximum: bigint): bigint {
  const value = integerOf(index);
  if (value < minimum || value > maximum) throw outOfBounds();
  return value;
}

const outOfBounds = (): EvaluationError => new EvaluationError('Index out of bounds.');

/** The segments of a path that a value gives where it is bound in a path, `$(value)`. */
export function segmentsOf(value: Value): readonly string[] {
  const part = expectType(value, 'string', 'path');
  if (part.type === 'path') return part.segments;
  // A slash inside would reach another document than the one the rule was written for.
  if (part.value === '' || part.value.includes('/')) throw new EvaluationError('Not a segment of a path.');
  return [part.value];
}
