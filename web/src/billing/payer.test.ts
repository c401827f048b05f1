import type { Plan, Session } from '@hearth/client';
import { expect, it } from 'vitest';
import { plansFor, preselectedPayer } from './payer.ts';

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

const plan = (slug: string, types: Plan['for']) => ({ slug, for: types }) as Plan;
const plans = [plan('free', ['user', 'team']), plan('solo', ['user']), plan('business', ['team'])];

it.each([
  ['a user', undefined, 'free', ['free', 'solo']],
  ['a team', 'acme', 'free', ['free', 'business']],
  ['a team with a plan for users', 'acme', 'solo', ['free', 'solo', 'business']],
])('%s is shown the plans that it can have', (_who, id, current, slugs) => {
  expect(plansFor(plans, { team: id }, current).map(({ slug }) => slug)).toEqual(slugs);
});
