import { expect, test } from 'vitest';
import { ROUTES } from '../functions/src/app.ts';
import { refusalsOf } from '../functions/src/openapi/refusals.ts';
import type { RefusalCode } from '../functions/src/refusals/refusals.ts';
import { problemsOf } from './docstring-throws.ts';
import { readThrown, type Exceptions } from './thrown-codes.ts';

/** Refusals that the code of a function or route leads to, and which it never throws. */
const NEVER_THROWN: Exceptions = {
  // It handles the refusals of a team.
  removeOwnTeam: ['subscription_running', 'team_not_found', 'forbidden'],
  // An operator needs no membership.
  deleteTeamAsOperator: ['forbidden'],
  // The caller must not learn that the session exists.
  subjectOfCaller: ['team_not_found', 'forbidden'],
  // The redirects have no parameters for these.
  checkout: ['add_on_not_offered', 'add_on_quantity_too_high', 'add_on_not_found'],
  portal: ['return_url_not_allowed'],
  purchase: ['promotion_code_invalid'],
  // Bought credits are never spent, and the key of a purchase has one amount.
  changeCredits: ['key_reused', 'credits_too_low'],
  giveCredits: ['credits_too_low'],
  // Only a list of addresses can have one twice. Then the refusal is in the result of the list.
  invite: ['duplicate_email'],
  inviteInBulk: ['duplicate_email'],
  // It throws `upload_not_found` instead.
  allowedUpload: ['team_not_found'],
  // Every member may read an upload.
  describeUpload: ['forbidden'],
  // The URL of an upload is a valid one.
  changePicture: ['picture_url_invalid'],
  // The cookie is then ignored.
  uidOf: ['unauthenticated'],
  // `withAuthRefusalsForOperator` turns it into `user_not_found`.
  endSessionsOf: ['credentials_invalid'],
  changeAccount: ['credentials_invalid'],
  // They look for accounts by address, which finds none instead of failing.
  findUsersAndTeams: ['user_not_found'],
  uidOfRecipient: ['user_not_found'],
};

const { routes, docstrings, usesOfExceptions } = readThrown(NEVER_THROWN);
const codesOf = (id: string): ReadonlySet<RefusalCode> => routes.get(id) ?? new Set();

test('the code of every route is found', () => {
  expect([...routes.keys()].sort()).toEqual(ROUTES.map(({ id }) => id).sort());
  expect(codesOf('createTeam')).toContain('team_limit');
  expect(codesOf('listPlans')).not.toContain('team_limit');
});

test('every code that a route declares can be thrown by the code that it leads to', () => {
  const unreachable = ROUTES.flatMap(({ id, refusals = [] }) =>
    refusals.filter((code) => !codesOf(id).has(code)).map((code) => `${id}: ${code}`),
  );
  expect(unreachable).toEqual([]);
});

test('every code that a route can throw is declared', () => {
  const undeclared = ROUTES.flatMap((route) => {
    const declared = new Set(refusalsOf(route));
    return [...codesOf(route.id)].filter((code) => !declared.has(code)).map((code) => `${route.id}: ${code}`);
  });
  expect(undeclared).toEqual([]);
});

test('every exception is for one function or route', () => {
  const exceptions = Object.entries(NEVER_THROWN).flatMap(([name, codes]) =>
    codes.map((code) => `${name}: ${code}`),
  );
  expect([...usesOfExceptions.keys()].sort()).toEqual(exceptions.sort());
  const ambiguous = [...usesOfExceptions].filter(([, { size }]) => size > 1);
  expect(ambiguous.map(([exception]) => exception)).toEqual([]);
});

test('every list after `@throws Refusal` is right and complete', () => {
  const problems = docstrings.flatMap((docstring) =>
    problemsOf(docstring).map((problem) => `${docstring.place}: ${problem}`),
  );
  expect(docstrings.length).toBeGreaterThan(100);
  expect(problems).toEqual([]);
});
