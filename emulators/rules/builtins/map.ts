import { canonicalKey } from '../equality.ts';
import { undetermined } from '../errors.ts';
import {
  int,
  list,
  string,
  type MapDiffValue,
  type MapValue,
  type PartialMapValue,
  type SetValue,
  type Value,
} from '../value.ts';
import { byKey, mapOf, textOf, wrongType } from './arguments.ts';
import type { MethodTable } from './table.ts';

/** https://firebase.google.com/docs/reference/rules/rules.Map; keys and values come in the order of the keys. */
export const mapMethods: MethodTable<MapValue> = {
  size: ({ entries }) => int(entries.size),
  keys: ({ entries }) => list(sorted(entries).map(([key]) => string(key))),
  values: ({ entries }) => list(sorted(entries).map(([, value]) => value)),
  get: (self, key, fallback) => getNested(self, keysOf(key), fallback),
  diff: (self, other) => ({ type: 'mapDiff', after: self, before: mapOf(other) }),
};

/** Only the facts that are true for every document that a query could return. */
export const partialMapMethods: MethodTable<PartialMapValue> = {
  get: (self, key, fallback) => getNested(self, keysOf(key), fallback),
};

/** https://firebase.google.com/docs/reference/rules/rules.MapDiff */
export const mapDiffMethods: MethodTable<MapDiffValue> = {
  addedKeys: (diff) => keySet(diff, (after, before) => before === undefined && after !== undefined),
  removedKeys: (diff) => keySet(diff, (after) => after === undefined),
  changedKeys: (diff) =>
    keySet(diff, (after, before) => after !== undefined && before !== undefined && !same(after, before)),
  unchangedKeys: (diff) =>
    keySet(diff, (after, before) => after !== undefined && before !== undefined && same(after, before)),
  affectedKeys: (diff) =>
    keySet(diff, (after, before) => after === undefined || before === undefined || !same(after, before)),
};

function getNested(self: MapValue | PartialMapValue, keys: readonly string[], fallback: Value): Value {
  let current: Value = self;
  for (const key of keys) {
    if (current.type === 'partialMap') {
      const value = current.known.get(key);
      if (value === undefined) throw undetermined(`whether the field ${key} exists`);
      current = value;
    } else {
      const value: Value | undefined = current.type === 'map' ? current.entries.get(key) : undefined;
      if (current.type === 'unknown') throw wrongType(current, 'map');
      if (value === undefined) return fallback;
      current = value;
    }
  }
  return current;
}

function keysOf(key: Value): string[] {
  return key.type === 'list' ? key.items.map(textOf) : [textOf(key)];
}

function keySet(
  { after, before }: MapDiffValue,
  wanted: (after: Value | undefined, before: Value | undefined) => boolean,
): SetValue {
  const keys = new Set([...after.entries.keys(), ...before.entries.keys()]);
  const chosen = [...keys].filter((key) => wanted(after.entries.get(key), before.entries.get(key)));
  return { type: 'set', items: byKey(chosen.map(string)) };
}

function same(left: Value, right: Value): boolean {
  return canonicalKey(left) === canonicalKey(right);
}

function sorted(entries: ReadonlyMap<string, Value>): [string, Value][] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}
