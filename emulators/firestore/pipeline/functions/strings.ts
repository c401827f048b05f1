import { findAll, findFirst, matchesAll } from '@hearth/security-rules/builtins/regex';
import { invalidArgument } from '../../errors.ts';
import { isArray } from '../../model/value.ts';
import type { Value } from '../../model/value.ts';
import { asArray, asInteger, asLength, asString, ONE_OR_MORE, strict } from './define.ts';
import type { FunctionDefinition, Functions } from './define.ts';
import { codePoints, sequence } from './sequence.ts';
import type { Sequence } from './sequence.ts';

// https://firebase.google.com/docs/firestore/pipelines/functions/string-functions

/** Runs a regular expression. One that RE2 does not accept is INVALID_ARGUMENT. */
function regex<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw invalidArgument(error instanceof Error ? error.message : String(error));
  }
}

const matching = (matches: (pattern: string, text: string) => Value | undefined): FunctionDefinition =>
  strict([2, 2], ([text, pattern]) => regex(() => matches(asString(pattern), asString(text)) ?? null));

/** The regular expression of a LIKE pattern: `%` is any text, `_` one character, a backslash quotes. */
function likePattern(pattern: string): string {
  const parts = pattern.match(/\\[\s\S]|[\s\S]/gu) ?? [];
  const translated = parts.map((part) => {
    if (part === '%') return '.*';
    return part === '_' ? '.' : quoted(part.startsWith('\\') && part.length > 1 ? part.slice(1) : part);
  });
  return `(?s)${translated.join('')}`;
}

const quoted = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');

/** A test of two strings. */
const test = (holds: (text: string, part: string) => boolean): FunctionDefinition =>
  strict([2, 2], ([text, part]) => holds(asString(text), asString(part)));

/** Cuts a string or bytes at both ends, or at one of them. */
const trimming = (start: boolean, end: boolean): FunctionDefinition =>
  strict([1, 2], ([value, characters]) => {
    const { units, join } = sequence(value);
    const unwanted = characters === undefined ? undefined : new Set(sequence(characters).units);
    const cut = (unit: unknown): boolean =>
      unwanted ? unwanted.has(unit as string & number) : typeof unit === 'string' && /\s/.test(unit);
    let from = 0;
    let to = units.length;
    while (start && from < to && cut(units[from])) from++;
    while (end && to > from && cut(units[to - 1])) to--;
    return join(units.slice(from, to));
  });

/** Where one sequence is in the other, at or after a position; -1 if nowhere. */
function indexIn(whole: Sequence, part: Sequence, from = 0): number {
  for (let index = from; index + part.units.length <= whole.units.length; index++) {
    if (part.units.every((unit, offset) => whole.units[index + offset] === unit)) return index;
  }
  return -1;
}

/** The pieces of a sequence between the delimiters. */
function pieces(whole: Sequence, delimiter: Sequence, most = Infinity): (readonly (string | number)[])[] {
  const found: (readonly (string | number)[])[] = [];
  let start = 0;
  for (let at = indexIn(whole, delimiter); at >= 0 && found.length < most;) {
    found.push(whole.units.slice(start, at));
    start = at + delimiter.units.length;
    at = indexIn(whole, delimiter, start);
  }
  return [...found, whole.units.slice(start)];
}

const replacing = (most: number): FunctionDefinition =>
  strict([3, 3], ([value, search, replacement]) => {
    const whole = sequence(value);
    const wanted = sequence(search, whole);
    if (wanted.units.length === 0) return whole.join(whole.units);
    const between = sequence(replacement, whole).units;
    const parts = pieces(whole, wanted, most);
    return whole.join(parts.flatMap((part, index) => (index === 0 ? part : [...between, ...part])));
  });

function split([value, delimiter = ',']: readonly Value[]): Value {
  const whole = sequence(value);
  const between = sequence(delimiter, whole);
  const parts = between.units.length === 0 ? whole.units.map((unit) => [unit]) : pieces(whole, between);
  return parts.map((part) => whole.join(part));
}

function concat(values: readonly Value[]): Value {
  if (values.every(isArray)) return values.flat();
  const [first, ...rest] = values;
  const whole = sequence(first);
  return whole.join([...whole.units, ...rest.flatMap((value) => sequence(value, whole).units)]);
}

export const STRINGS: Functions = {
  char_length: strict([1, 1], ([text]) => BigInt(codePoints(asString(text)).length)),
  byte_length: strict([1, 1], ([value]) =>
    BigInt(value instanceof Uint8Array ? value.length : Buffer.byteLength(asString(value))),
  ),
  concat: strict(ONE_OR_MORE, concat),
  string_concat: strict(ONE_OR_MORE, (values) => values.map(asString).join('')),
  starts_with: test((text, part) => text.startsWith(part)),
  ends_with: test((text, part) => text.endsWith(part)),
  string_contains: test((text, part) => text.includes(part)),
  like: matching((pattern, text) => matchesAll(likePattern(pattern), text)),
  regex_contains: matching((pattern, text) => findFirst(pattern, text) !== undefined),
  regex_match: matching(matchesAll),
  regex_find: matching(findFirst),
  regex_find_all: matching(findAll),
  to_lower: strict([1, 1], ([text]) => asString(text).toLowerCase()),
  to_upper: strict([1, 1], ([text]) => asString(text).toUpperCase()),
  trim: trimming(true, true),
  ltrim: trimming(true, false),
  rtrim: trimming(false, true),
  substring: strict([2, 3], ([value, position, length]) => {
    const { units, join } = sequence(value);
    const start = asInteger(position);
    const from = start < 0 ? Math.max(0, units.length + start) : start;
    return join(units.slice(from, length === undefined ? undefined : from + asLength(length)));
  }),
  string_reverse: strict([1, 1], ([text]) => codePoints(asString(text)).reverse().join('')),
  reverse: strict([1, 1], ([value]) => {
    if (isArray(value)) return value.toReversed();
    const { units, join } = sequence(value);
    return join(units.toReversed());
  }),
  string_repeat: strict([2, 2], ([value, times]) => {
    const { units, join } = sequence(value);
    return join(Array.from({ length: Math.max(0, asInteger(times)) }, () => units).flat());
  }),
  string_replace_all: replacing(Infinity),
  string_replace_one: replacing(1),
  string_index_of: strict([2, 2], ([value, part]) => {
    const whole = sequence(value);
    return BigInt(indexIn(whole, sequence(part, whole)));
  }),
  split: strict([1, 2], split),
  join: strict([2, 3], ([values, delimiter, forNull]) =>
    asArray(values)
      .flatMap((value) => (value === null ? (forNull ?? []) : value))
      .map((value) => asString(value))
      .join(asString(delimiter)),
  ),
};
