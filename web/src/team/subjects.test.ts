import type { Session } from '@hearth/client';
import { expect, it } from 'vitest';
import { preselectedSubject, subjectsOf } from './subjects.ts';

const team = (id: string) => ({ id, name: id.toUpperCase(), role: 'owner' as const });
const session = (...ids: string[]) => ({ user: { uid: 'ada' }, teams: ids.map(team) }) as unknown as Session;

it.each([
  ['without a team', [], null, 'ada'],
  ['without a profile', ['acme', 'beta'], undefined, 'acme'],
  ['who chose nothing', ['acme', 'beta'], null, 'acme'],
  ['who chose a team', ['acme', 'beta'], 'beta', 'beta'],
  ['who chose themselves', ['acme', 'beta'], 'ada', 'ada'],
  ['who has left the chosen team', ['acme'], 'beta', 'acme'],
] as const)('the pages of a user %s', (_case, teams, wanted, shown) => {
  expect(preselectedSubject(subjectsOf(session(...teams), undefined), wanted).id).toBe(shown);
});

it('has the teams and roles of the memberships, which are newer than the session', () => {
  const memberships = [
    { teamId: 'beta', role: 'member' as const },
    { teamId: 'new', role: 'admin' as const },
  ];
  const [, ...teams] = subjectsOf(session('acme', 'beta'), memberships);
  expect(teams).toEqual([
    { id: 'beta', name: 'BETA', team: 'beta', role: 'member' },
    { id: 'new', name: '…', team: 'new', role: 'admin' },
  ]);
});
