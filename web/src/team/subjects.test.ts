import type { Session } from '@hearth/client';
import { expect, it } from 'vitest';
import { preselectedPayer } from './subjects.tsx';

const team = (id: string) => ({ id, name: id, role: 'owner' as const });
const session = (...ids: string[]) => ({ user: { uid: 'ada' }, teams: ids.map(team) }) as unknown as Session;

it.each([
  ['without a team', [], null, 'ada'],
  ['without a profile', ['acme', 'beta'], undefined, 'acme'],
  ['who chose no team', ['acme', 'beta'], null, 'acme'],
  ['who chose a team', ['acme', 'beta'], 'beta', 'beta'],
  ['who has left the chosen team', ['acme'], 'beta', 'acme'],
] as const)('a user %s', (_case, teams, active, payer) => {
  expect(preselectedPayer(session(...teams), active)).toBe(payer);
});
