import ts from 'typescript';
import { expect, test } from 'vitest';
import type { RefusalName } from '../functions/src/refusals/refusals.ts';
import { documentedIn, problemsOf, type Docstring } from './docstring-throws.ts';

test('lists are found at functions and at fields of interfaces', () => {
  const source = [
    '/**',
    ' * Joins.',
    ' *',
    ' * @returns `no_seat`, or undefined',
    ' * @throws Refusal `team_not_found`,',
    ' *   `forbidden`',
    ' * @throws Refusal `unauthenticated`',
    ' * @throws Error for a mistake',
    ' */',
    'export function join() {}',
    'interface Fields {',
    '  /** @throws Refusal `busy` for a while */',
    '  lock: () => void;',
    '}',
    '/** @throws Error */',
    'function other() {}',
  ].join('\n');
  const file = ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest, true);
  expect(documentedIn(file).map(({ name, text, returns }) => ({ name, text, returns }))).toEqual([
    {
      name: 'join',
      text: '`team_not_found`, `forbidden`; `unauthenticated`',
      returns: '`no_seat`, or undefined',
    },
    { name: 'lock', text: '`busy` for a while', returns: '' },
  ]);
});

const THROWN: ReadonlySet<RefusalName> = new Set(['team_not_found', 'role_above_own', 'busy'] as const);

function docstring(text: string, rest: Partial<Docstring> = {}): Docstring {
  const thrownByCalls = new Map([['authorize', new Set(['role_above_own'] as const)]]);
  return { place: 'a.ts join', text, returns: '', thrown: THROWN, thrownByCalls, isOfRoute: false, ...rest };
}

test.each<[string, string[]]>([
  ['`team_not_found`, `role_above_own`', []],
  ['`team_not_found`, `forbidden`', ['forbidden is never thrown', 'role_above_own is missing']],
  ['`team_not_found` without a team; as `authorize`, for a team', []],
  ['`team_not_found`, `role_above_own`; `busy` while another sync runs', []],
  ['`team_not_found`', ['role_above_own is missing']],
  ['as `authorize`', ['team_not_found is missing']],
  ['that is an outage', ['team_not_found is missing', 'role_above_own is missing']],
  ['`team_not_found`, `role_above_own`, `no_seat`', ['no_seat is never thrown']],
  ['`team_not_found`, `role_above_own`, `invite_above_own`', ['invite_above_own is never thrown']],
  ['`team_not_found`, `role_above_own`, `no_chair`', ['no_chair is not a refusal']],
  ['`team_not_found`, `role_above_own`; as `leave`', ['leave is not called']],
  ['`team_not_found`, `role_above_own`, `busy`', ['busy has no words about it']],
  ['404 `team_not_found`, `role_above_own`', ['a status is no refusal']],
  ['as its route declares', ['no route leads here']],
])('the problems of the list "%s" are %j', (text, problems) => {
  expect(problemsOf(docstring(text))).toEqual(problems);
});

test('a list may refer to the route, and leaves refusals that are returned to @returns', () => {
  expect(problemsOf(docstring('as its route declares', { isOfRoute: true }))).toEqual([]);
  expect(problemsOf(docstring('`team_not_found`', { returns: '`role_above_own`, or the member' }))).toEqual(
    [],
  );
});
