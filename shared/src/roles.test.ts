import { expect, test } from 'vitest';
import { ACTIONS, can, isAtLeast, ROLES } from './roles.ts';

/** One line for each row: its name, and a column for each role. */
const matrix = <Row extends string>(
  rows: readonly Row[],
  allows: (role: (typeof ROLES)[number], row: Row) => boolean,
) => rows.map((row) => [row, ...ROLES.map((role) => (allows(role, row) ? 'yes' : '-'))].join(' '));

test('each role is allowed its actions', () => {
  // Columns: owner, admin, member.
  expect(matrix(ACTIONS, can)).toEqual([
    'team:read yes yes yes',
    'team:update yes yes -',
    'team:transfer yes - -',
    'team:delete yes - -',
    'transfer:reply yes yes yes',
    'member:list yes yes yes',
    'member:update yes yes -',
    'member:remove yes yes -',
    'member:leave yes yes yes',
    'invitation:list yes yes -',
    'invitation:create yes yes -',
    'invitation:resend yes yes -',
    'invitation:cancel yes yes -',
    'upload:read yes yes yes',
    'upload:create yes yes yes',
    'upload:delete yes yes -',
    'usage:report yes yes yes',
    'audit:read yes yes -',
    'billing:manage yes yes -',
  ]);
});

test('a member may give, change and remove roles up to their own', () => {
  expect(matrix(ROLES, isAtLeast)).toEqual(['owner yes - -', 'admin yes yes -', 'member yes yes yes']);
});
