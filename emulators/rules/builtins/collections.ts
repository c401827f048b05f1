import { canonicalKey } from '../equality.ts';
import { bool, int, list, string, type ListValue, type SetValue, type Value } from '../value.ts';
import { byKey, expectType, itemsOf, textOf } from './arguments.ts';
import { toText } from './convert.ts';
import type { MethodTable } from './table.ts';

const hasAll = (self: Value, other: Value): Value => {
  const own = itemsOf(self);
  return bool([...itemsOf(other).keys()].every((key) => own.has(key)));
};
const hasAny = (self: Value, other: Value): Value => {
  const own = itemsOf(self);
  return bool([...itemsOf(other).keys()].some((key) => own.has(key)));
};
const hasOnly = (self: Value, other: Value): Value => {
  const allowed = itemsOf(other);
  return bool([...itemsOf(self).keys()].every((key) => allowed.has(key)));
};

/** https://firebase.google.com/docs/reference/rules/rules.List */
export const listMethods: MethodTable<ListValue> = {
  size: ({ items }) => int(items.length),
  concat: ({ items }, other) => list([...items, ...expectType(other, 'list').items]),
  hasAll: (self, other) => hasAll(self, other),
  hasAny: (self, other) => hasAny(self, other),
  hasOnly: (self, other) => hasOnly(self, other),
  join: ({ items }, separator) => string(items.map(toText).join(textOf(separator))),
  removeAll: ({ items }, other) => {
    const removed = itemsOf(other);
    return list(items.filter((item) => !removed.has(canonicalKey(item))));
  },
  toSet: ({ items }) => ({ type: 'set', items: byKey(items) }),
};

/** https://firebase.google.com/docs/reference/rules/rules.Set */
export const setMethods: MethodTable<SetValue> = {
  size: ({ items }) => int(items.size),
  hasAll: (self, other) => hasAll(self, other),
  hasAny: (self, other) => hasAny(self, other),
  hasOnly: (self, other) => hasOnly(self, other),
  difference: ({ items }, other) => {
    const removed = expectType(other, 'set').items;
    return keep(items, (key) => !removed.has(key));
  },
  intersection: ({ items }, other) => {
    const common = expectType(other, 'set').items;
    return keep(items, (key) => common.has(key));
  },
  union: ({ items }, other) => ({
    type: 'set',
    items: new Map([...items, ...expectType(other, 'set').items]),
  }),
};

function keep(items: SetValue['items'], wanted: (key: string) => boolean): SetValue {
  return { type: 'set', items: new Map([...items].filter(([key]) => wanted(key))) };
}
