import { expect, test } from 'vitest';
import { ROUTES } from '../functions/src/app.ts';
import { refusalsOf } from '../functions/src/openapi/refusals.ts';
import type { RefusalCode } from '../functions/src/refusals/refusals.ts';
import { readThrownCodes } from './thrown-codes.ts';

/** Codes in the code that a route leads to, which its answer never has. */
const NEVER_ANSWERED: Readonly<Record<string, readonly RefusalCode[]>> = {
  // `removeOwnTeam` handles the refusals of a team.
  deleteUser: ['subscription_running', 'team_not_found', 'forbidden'],
  adminDeleteUser: ['subscription_running', 'team_not_found', 'forbidden'],
  // The redirects have no parameters for these.
  checkout: ['add_on_not_offered', 'add_on_quantity_too_high', 'add_on_not_found'],
  portal: ['return_url_not_allowed'],
  purchase: ['promotion_code_invalid', 'key_reused', 'credits_too_low'],
  // Bought credits are never spent, and the key of a purchase has one amount.
  finishCheckout: ['key_reused', 'credits_too_low'],
  finishClientCheckout: ['key_reused', 'credits_too_low'],
  receiveStripeEvent: ['key_reused', 'credits_too_low'],
  // Only a list of addresses can have one twice. Its answer is 200 with a refusal for the address.
  invite: ['duplicate_email'],
  // Answered as `upload_not_found`.
  getUpload: ['team_not_found', 'forbidden'],
  deleteUpload: ['team_not_found'],
  revokeUpload: ['team_not_found'],
  // They look for accounts by address, which finds none instead of failing.
  adminSearch: ['user_not_found'],
  adminResendMail: ['user_not_found'],
};

const thrown = readThrownCodes();
const codesOf = (id: string): ReadonlySet<RefusalCode> => thrown.get(id) ?? new Set();

test('the code of every route is found', () => {
  expect([...thrown.keys()].sort()).toEqual(ROUTES.map(({ id }) => id).sort());
  expect(codesOf('createTeam')).toContain('team_limit');
  expect(codesOf('listPlans')).not.toContain('team_limit');
});

test('every code that a route declares can be thrown by the code that it leads to', () => {
  const unreachable = ROUTES.flatMap(({ id, refusals = [] }) =>
    refusals.filter((code) => !codesOf(id).has(code)).map((code) => `${id}: ${code}`),
  );
  expect(unreachable).toEqual([]);
});

test('every code that a route leads to is declared, or is known never to be answered', () => {
  const undeclared = ROUTES.map((route) => {
    const declared = new Set(refusalsOf(route));
    return [route.id, [...codesOf(route.id)].filter((code) => !declared.has(code)).sort()] as const;
  });
  const sorted = Object.entries(NEVER_ANSWERED).map(([id, codes]) => [id, [...codes].sort()] as const);
  expect(Object.fromEntries(undeclared.filter(([, codes]) => codes.length > 0))).toEqual(
    Object.fromEntries(sorted),
  );
});
