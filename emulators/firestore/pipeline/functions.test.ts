import { Timestamp } from '@google-cloud/firestore';
import type { Pipelines } from '@google-cloud/firestore';
import { array, constant, field, FunctionExpression, map } from '@google-cloud/firestore/pipelines';
import { beforeAll, describe, expect, test } from 'vitest';
import { startFirestoreServer } from '../server.ts';
import { connect } from '../testing.ts';
import { evaluator } from './testing.ts';
import type { Evaluate } from './testing.ts';

// https://firebase.google.com/docs/firestore/pipelines/functions

let evaluate: Evaluate;

beforeAll(async () => {
  const server = await startFirestoreServer();
  const firestore = connect(server);
  evaluate = await evaluator(firestore);
  return async () => {
    await firestore.terminate();
    await server.close();
  };
});

type Argument = Pipelines.Expression | string | number | boolean | null | Uint8Array | Date;

/** A call of a function by its name in the protocol. Arguments that are no expressions are constants. */
const call = (name: string, ...args: Argument[]): Pipelines.Expression =>
  new FunctionExpression(
    name,
    args.map((arg) => (isExpression(arg) ? arg : constant(arg as string))),
  );

const isExpression = (arg: Argument): arg is Pipelines.Expression =>
  typeof arg === 'object' && arg !== null && 'as' in arg;

const f = (name: string): Pipelines.Expression => field(name);
const absent = f('absent');
const at = (iso: string): Timestamp => Timestamp.fromDate(new Date(iso));
const bytes = (...values: number[]): Uint8Array => Buffer.from(values);

const CASES: Record<string, [title: string, Pipelines.Expression, expected: unknown][]> = {
  comparison: [
    ['an integer equals a double', call('equal', 1, constant(1.0)), true],
    ['null equals null', call('equal', f('none'), null), true],
    ['NaN equals NaN', call('equal', f('nan'), NaN), true],
    ['the absent value equals nothing', call('equal', absent, null), false],
    ['different types have no order', call('less_than', 1, 'a'), false],
    ['NaN has no order', call('less_than', f('nan'), 1), false],
    ['null is not less than null', call('less_than', f('none'), null), false],
    ['null is at most null', call('less_than_or_equal', f('none'), null), true],
    ['strings by code points', call('greater_than', '\u{10000}', '\uFFFF'), true],
    ['equal to any', call('equal_any', 2, array([1, 2])), true],
    ['the absent value is not equal to any', call('not_equal_any', absent, array([1, 2])), true],
    ['an array with null', call('array_contains', f('list'), null), true],
    ['any of several', call('array_contains_any', f('list'), array(['x', 'b'])), true],
    ['all of several', call('array_contains_all', f('list'), array(['x', 'b'])), false],
    ['a value that is no array contains nothing', call('array_contains', f('text'), 'G'), false],
    ['no array', call('array_contains', absent, 'G'), null],
    ['the largest of several, without null', call('maximum', 1, null, 3, absent), 3],
    ['the smallest element', call('minimum', f('list')), 'a'],
    ['the two largest elements', call('maximum_n', array([1, 3, 2]), 2), [3, 2]],
  ],
  logic: [
    ['false decides AND', call('and', f('none'), false), false],
    ['false decides AND beside an error', call('and', call('divide', 1, 0), false), false],
    ['AND with an absent value is null', call('and', true, absent), null],
    ['true decides OR', call('or', f('none'), true), true],
    ['OR with null is null', call('or', false, f('none')), null],
    ['NOR', call('nor', false, false), true],
    ['XOR of an odd number', call('xor', true, true, true), true],
    ['NOT of null', call('not', f('none')), null],
    ['a condition that is null counts as false', call('conditional', f('none'), 1, 2), 2],
    ['the first condition that holds', call('switch_on', false, 1, true, 2, 3), 2],
    ['the last value without a condition', call('switch_on', false, 1, 3), 3],
    ['a null field exists', call('exists', f('none')), true],
    ['an absent field', call('is_absent', absent), true],
    ['a default for an absent field', call('if_absent', absent, 'd'), 'd'],
    ['no default for null', call('if_absent', f('none'), 'd'), null],
    ['a default for null', call('if_null', f('none'), 'd'), 'd'],
    ['the first that is not null', call('coalesce', absent, f('none'), 'd'), 'd'],
    ['an error', call('is_error', call('divide', 1, 0)), true],
    ['a value in place of an error', call('if_error', call('divide', 1, 0), 'e'), 'e'],
    ['no error', call('if_error', call('divide', 4, 2), 'e'), 2],
  ],
  arithmetic: [
    ['integers', call('add', 1, 2, 3), 6],
    ['an integer and a double', call('multiply', 2, 1.5), 3],
    ['integers divide without a rest', call('divide', 7, 2), 3],
    ['a double divided by zero', call('divide', 1.5, 0), Infinity],
    ['a rest with the sign of the first', call('mod', -7, 3), -1],
    ['null makes null', call('subtract', f('none'), 1), null],
    ['an absent value makes null', call('add', absent, 1), null],
    ['a half is rounded away from zero', call('round', -2.5), -3],
    ['places', call('round', 1.005, 2), 1.01],
    ['tens', call('round', 155, -1), 160],
    ['cut off', call('trunc', -1.29, 1), -1.2],
    ['up', call('ceil', 1.2), 2],
    ['down', call('floor', -1.2), -2],
    ['an absolute value', call('abs', -3), 3],
    ['a power', call('pow', 2, 10), 1024],
    ['a root', call('sqrt', 9), 3],
    ['the sum of the numbers in an array', call('sum', f('numbers')), 3.5],
  ],
  strings: [
    ['characters', call('char_length', f('text')), 5],
    ['bytes', call('byte_length', f('text')), 7],
    ['strings together', call('string_concat', f('text'), '!'), 'Grüße!'],
    ['arrays together', call('concat', array([1]), array([2])), [1, 2]],
    ['bytes together', call('concat', bytes(1), bytes(2)), bytes(1, 2)],
    ['the start', call('starts_with', f('text'), 'Gr'), true],
    ['the end', call('ends_with', f('text'), 'Gr'), false],
    ['a part', call('string_contains', f('text'), 'üß'), true],
    ['LIKE', call('like', f('text'), 'G_ü%'), true],
    ['LIKE with a quoted sign', call('like', '100%', '100\\%'), true],
    ['a regular expression in the text', call('regex_contains', f('text'), 'r.ß'), true],
    ['a regular expression for all the text', call('regex_match', f('text'), 'r.ß'), false],
    ['the first match', call('regex_find', 'a1b22', '[0-9]+'), '1'],
    ['no match', call('regex_find', 'ab', '[0-9]+'), null],
    ['every match', call('regex_find_all', 'a1b22', '[0-9]+'), ['1', '22']],
    ['lower case', call('to_lower', 'ÄB'), 'äb'],
    ['upper case', call('to_upper', 'äb'), 'ÄB'],
    ['without spaces', call('trim', ' a '), 'a'],
    ['without signs at the start', call('ltrim', '"a"', '"'), 'a"'],
    ['without bytes at the end', call('rtrim', bytes(0, 1, 0), bytes(0)), bytes(0, 1)],
    ['a part from the end', call('substring', f('text'), -2), 'ße'],
    ['a part of bytes', call('substring', bytes(1, 2, 3), 1, 1), bytes(2)],
    ['reversed', call('string_reverse', f('text')), 'eßürG'],
    ['repeated', call('string_repeat', 'ab', 2), 'abab'],
    ['replaced everywhere', call('string_replace_all', 'aXbX', 'X', '-'), 'a-b-'],
    ['replaced once', call('string_replace_one', 'aXbX', 'X', '-'), 'a-bX'],
    ['a position', call('string_index_of', f('text'), 'ß'), 3],
    ['no position', call('string_index_of', f('text'), 'x'), -1],
    ['split', call('split', 'a,b,', ','), ['a', 'b', '']],
    ['split into characters', call('split', 'aü', ''), ['a', 'ü']],
    ['joined without null', call('join', f('list'), '-'), 'b-a-a'],
    ['joined with a text for null', call('join', f('list'), '-', '?'), 'b-a-?-a'],
  ],
  arrays: [
    ['an element', call('array_get', f('list'), 1), 'a'],
    ['an element from the end', call('array_get', f('list'), -4), 'b'],
    ['no element', call('array_get', f('list'), 9), undefined],
    ['the first of none', call('array_first', array([])), undefined],
    ['the last', call('array_last', f('list')), 'a'],
    ['the last two', call('array_last_n', f('list'), 2), [null, 'a']],
    ['the last none', call('array_last_n', f('list'), 0), []],
    ['a slice', call('array_slice', f('list'), 1, 2), ['a', null]],
    ['a slice from the end', call('array_slice', f('list'), -1), ['a']],
    ['reversed', call('array_reverse', f('list')), ['a', null, 'a', 'b']],
    ['together', call('array_concat', array([1]), array([2])), [1, 2]],
    ['the first position', call('array_index_of', f('list'), 'a', 'first'), 1],
    ['the last position', call('array_index_of', f('list'), 'a', 'last'), 3],
    ['every position', call('array_index_of_all', f('list'), 'a'), [1, 3]],
    ['an array of expressions, with null for an absent one', array([f('map.a'), absent]), [1, null]],
  ],
  maps: [
    ['an entry', call('map_get', f('map'), 'a'), 1],
    ['no entry', call('map_get', f('map'), 'x'), undefined],
    ['set, and removed by an absent value', call('map_set', f('map'), 'x', 1, 'b', absent), { a: 1, x: 1 }],
    ['removed', call('map_remove', f('map'), 'b'), { a: 1 }],
    ['merged', call('map_merge', f('map'), map({ a: 2 })), { a: 2, b: { c: 2 } }],
    ['keys', call('map_keys', f('map')), ['a', 'b']],
    ['values', call('map_values', map({ a: 1 })), [1]],
    ['entries', call('map_entries', map({ a: 1 })), [{ k: 'a', v: 1 }]],
    ['a map of expressions', map({ x: f('map.b.c') }), { x: 2 }],
  ],
  'other values': [
    ['the type of a number', call('type', 1.5), 'float64'],
    ['the type of a timestamp', call('type', f('date')), 'timestamp'],
    ['an integer is a number', call('is_type', 1, 'number'), true],
    ['a string is no map', call('is_type', 'a', 'map'), false],
    ['the length of a map', call('length', f('map')), 2],
    ['the id of the document', call('document_id', f('__name__')), 'one'],
    ['the id of the collection', call('collection_id', f('__name__')), 'c'],
    ['a document without a parent', call('parent', f('__name__')), null],
  ],
  timestamps: [
    ['from seconds', call('unix_seconds_to_timestamp', -1), at('1969-12-31T23:59:59Z')],
    ['to milliseconds', call('timestamp_to_unix_millis', f('date')), Date.UTC(2024, 1, 29, 23, 30, 15, 250)],
    ['later', call('timestamp_add', f('date'), 'day', 1), at('2024-03-01T23:30:15.250Z')],
    ['earlier', call('timestamp_subtract', f('date'), 'minute', 31), at('2024-02-29T22:59:15.250Z')],
    [
      'the whole hours between',
      call('timestamp_diff', f('date'), constant(new Date('2024-02-29T00:00:00Z')), 'hour'),
      23,
    ],
    ['the start of the month', call('timestamp_trunc', f('date'), 'month'), at('2024-02-01T00:00:00Z')],
    ['the start of the week', call('timestamp_trunc', f('date'), 'week'), at('2024-02-25T00:00:00Z')],
    [
      'the start of the day in a time zone',
      call('timestamp_trunc', f('date'), 'day', 'Europe/Berlin'),
      at('2024-02-29T23:00:00Z'),
    ],
  ],
};

describe.each(Object.entries(CASES))('%s:', (_room, cases) => {
  test.each(cases)('%s', async (_title, expression, expected) => {
    expect(await evaluate(expression)).toEqual(expected);
  });
});

const INVALID: [title: string, Pipelines.Expression, message: string][] = [
  ['a division by zero', call('divide', 1, 0), 'division by zero'],
  [
    'a sum beyond int64',
    call('add', constant(Number.MAX_SAFE_INTEGER), 1, f('text')),
    'needs a number, not string',
  ],
  ['an argument of another type', call('char_length', 1), 'needs a string, not int64'],
  ['strings with bytes', call('concat', 'a', bytes(1)), 'cannot be combined'],
  ['a wrong number of arguments', call('not', true, true), 'cannot have 2 arguments'],
  ['a regular expression that is none', call('regex_contains', 'a', '('), 'regular expression'],
  ['a slice of a negative length', call('array_slice', f('list'), 0, -1), 'length must be non-negative'],
  ['conditions of which none holds', call('switch_on', false, 1), 'all switch cases evaluate to false'],
  ['a logarithm of zero', call('ln', 0), 'not defined for 0'],
  [
    'a time zone that does not exist',
    call('timestamp_trunc', f('date'), 'day', 'Nowhere'),
    'not a time zone',
  ],
  ['a time after the year 9999', call('timestamp_add', f('date'), 'day', 1e7), 'must be between'],
];

describe('invalid:', () => {
  test.each(INVALID)('%s', async (_title, expression, message) => {
    await expect(evaluate(expression)).rejects.toMatchObject({
      code: 3,
      details: expect.stringContaining(message) as string,
    });
  });
});

test('a function of the Enterprise edition alone is not implemented', async () => {
  await expect(evaluate(call('document_matches', 'x'))).rejects.toMatchObject({
    code: 12,
    details: expect.stringContaining(
      'The function "document_matches" of a pipeline is not implemented',
    ) as string,
  });
});
