import { beforeAll, expect, test } from 'vitest';
import { sweepInterruptedDeletions } from '../functions/src/teams/sweep.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { entriesBy, operatorApi, signUpOperator } from './support/operators.ts';
import { adminFirestore, type Person } from './support/people.ts';
import { errorOf } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import { auditLogOf, castOf, inviteTo, membersOf, offerTo, setRole, setSeatLimit } from './support/teams.ts';

/** Operators repair a team whose owners are wrong, and their actions are in the log. */

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  app = resources.use(await serveApp());
});

const ask = operatorApi(() => app);
const documentOf = (teamId: string) => adminFirestore().doc(`teams/${teamId}`);
const leave = (teamId: string, { uid }: Person) => documentOf(teamId).collection('members').doc(uid).delete();

test('a team whose only owner is no member any more is deleted by an operator', async () => {
  const operator = await signUpOperator();
  const { teamId, owner } = await castOf(app.url);
  await leave(teamId, owner);
  const response = await ask(operator, 'DELETE', `/teams/${teamId}?endSubscription=true`);
  expect([response.status, await response.text()]).toEqual([204, '']);
  expect((await documentOf(teamId).get()).exists).toBe(false);
});

test('a deletion that was interrupted is continued by the sweep without an owner', async () => {
  const { teamId, owner } = await castOf(app.url);
  await documentOf(teamId).update({ deletingSince: new Date(0) });
  await leave(teamId, owner);
  await sweepInterruptedDeletions(app.backend);
  expect((await documentOf(teamId).get()).exists).toBe(false);
});

test('a responsible owner with another role becomes an owner again', async () => {
  const operator = await signUpOperator();
  const { teamId, owner } = await castOf(app.url);
  await setRole(teamId, owner, 'admin');
  const response = await ask(operator, 'POST', `/teams/${teamId}/owner`, { uid: owner.uid });
  expect(response.status).toBe(204);
  expect(await membersOf(teamId)).toContainEqual(expect.objectContaining({ uid: owner.uid, role: 'owner' }));
  expect(await entriesBy(operator.uid)).toMatchObject([{ action: 'admin.owner_changed', target: owner.uid }]);
});

test('an offer that ends because an operator changes the owner has an entry', async () => {
  const operator = await signUpOperator();
  const { teamId, owner, admin, member } = await castOf(app.url);
  await offerTo(teamId, owner, member);
  expect((await ask(operator, 'POST', `/teams/${teamId}/owner`, { uid: admin.uid })).status).toBe(204);
  expect(await auditLogOf(teamId)).toContainEqual(
    expect.objectContaining({
      actorId: operator.uid,
      action: 'team.transfer_withdrawn',
      target: member.uid,
      details: { reason: 'owner_changed' },
    }),
  );
});

test('an invitation that an operator cannot resend has no entry', async () => {
  const operator = await signUpOperator();
  const { teamId, owner } = await castOf(app.url);
  await setSeatLimit(teamId, 10);
  const { id } = await inviteTo(app.url, owner, teamId, `${crypto.randomUUID()}@example.com`);
  await adminFirestore()
    .doc(`invitations/${id}`)
    .update({ expiresAt: new Date(0) });
  await setSeatLimit(teamId, 0);
  expect(await errorOf(await ask(operator, 'POST', `/invitations/${id}/resend`))).toMatchObject({
    code: 'no_seat',
  });
  expect(await entriesBy(operator.uid)).toEqual([]);
});
