import { test } from 'vitest';
import type { Cost } from './support/cost.ts';
import { useMeteredApp } from './support/metered-app.ts';
import { signUpOperator } from './support/operators.ts';
import type { Person } from './support/people.ts';
import { call } from './support/requests.ts';
import { castOf } from './support/teams.ts';

/** The rows about operators of the table "Reads and writes by route" of docs/data-model.md. */
const { app, firestore } = useMeteredApp();

interface Stage {
  operator: Person;
  teamId: string;
  owner: Person;
  member: Person;
}

type Request = (stage: Stage) => [method: string, path: string, json?: object];

test.each<[string, Request, Partial<Cost>]>([
  ['a search by address', ({ owner }) => ['GET', `search?text=${owner.email}`], {}],
  ['a search by uid', ({ owner }) => ['GET', `search?text=${owner.uid}`], { reads: 2 }],
  ['a user', ({ owner }) => ['GET', `users/${owner.uid}`], { reads: 18 }],
  ['an address without an account', () => ['GET', 'mail?email=nobody@example.com'], { reads: 2 }],
  ['invitations to an address', () => ['GET', 'invitations?email=nobody@example.com'], { reads: 1 }],
  ['a team of three', ({ teamId }) => ['GET', `teams/${teamId}`], { reads: 13 }],
  ['disabling', ({ owner }) => ['PATCH', `users/${owner.uid}`, { disabled: true }], { reads: 2, writes: 2 }],
  [
    'an impersonation',
    ({ owner }) => ['POST', `users/${owner.uid}/impersonation`, { reason: 'support' }],
    { writes: 1 },
  ],
  [
    'another owner',
    ({ teamId, member }) => ['POST', `teams/${teamId}/owner`, { uid: member.uid }],
    { reads: 5, writes: 4 },
  ],
])('%s', async (_what, request, cost) => {
  const stage = { operator: await signUpOperator(), ...(await castOf(app.url)) };
  const [method, path, json] = request(stage);
  const { bearer: headers } = stage.operator;
  await firestore.expectCost(() => call(method, `${app.url}/api/admin/${path}`, { headers, json }), cost);
});
