import { expect, test } from 'vitest';
import { can, canGrant, ROLES } from './roles.ts';

const matrix = (
  columns: readonly string[],
  allows: (row: (typeof ROLES)[number], index: number) => boolean,
) =>
  ROLES.map((role) =>
    [role, ...columns.map((_column, index) => (allows(role, index) ? 'yes' : '-'))].join(' '),
  );

test('what each role may do', () => {
  const actions = ['invitation:create'] as const;
  expect(matrix(actions, (role, index) => can(role, actions[index] ?? 'invitation:create'))).toEqual([
    'owner yes',
    'admin yes',
    'member -',
  ]);
});

test('which role may hand out which: none above its own', () => {
  // Columns: owner, admin, member.
  expect(matrix(ROLES, (role, index) => canGrant(role, ROLES[index] ?? 'owner'))).toEqual([
    'owner yes yes yes',
    'admin - yes yes',
    'member - - yes',
  ]);
});
