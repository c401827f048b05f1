import { list, bytes, bool, int, string, type StringValue } from '../value.ts';
import { characters, textOf } from './arguments.ts';
import { matchesAll, replaceEvery, splitBy } from './regex.ts';
import type { MethodTable } from './table.ts';

/** https://firebase.google.com/docs/reference/rules/rules.String */
export const stringMethods: MethodTable<StringValue> = {
  lower: ({ value }) => string(value.toLowerCase()),
  upper: ({ value }) => string(value.toUpperCase()),
  trim: ({ value }) => string(value.trim()),
  size: ({ value }) => int(characters(value).length),
  toUtf8: ({ value }) => bytes(Buffer.from(value, 'utf8')),
  matches: ({ value }, pattern) => bool(matchesAll(textOf(pattern), value)),
  replace: ({ value }, pattern, replacement) =>
    string(replaceEvery(textOf(pattern), value, textOf(replacement))),
  split: ({ value }, pattern) => list(splitBy(textOf(pattern), value).map(string)),
};
