import { FieldValue } from 'firebase-admin/firestore';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweepInterruptedDeletions } from '../../functions/src/teams/sweep.service.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { signUpOperator } from '../support/operators.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { call, errorOf } from '../support/requests.ts';
import { auditLogOf, castOf, createTeam } from '../support/teams.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const remove = (person: Person, path: string) =>
  call('DELETE', `${app.url}/api/auth/${path}`, { headers: person.bearer });

const exists = async (path: string) => (await adminFirestore().doc(path).get()).exists;

/** A team that pays for a year. Its subscription, and the states that it may be in. */
async function teamWithPlan() {
  const owner = await signUp();
  const teamId = await createTeam(app.url, owner);
  await buy(app, owner, `pro?team=${teamId}&interval=year`);
  const { id, customer } = await subscriptionOf(app, teamId);
  const statusAtStripe = async () => (await stripeOf(app).subscriptions.retrieve(id)).status;
  return { owner, teamId, id, stripeId: customer as string, statusAtStripe };
}

/** The next answers to a request to end a subscription are lost, after it was ended. */
const loseAnswers = () =>
  call('POST', `${app.stripe.url}/_emulator/fail`, {
    json: { method: 'DELETE', path: '/v1/subscriptions/:id', times: 3, status: 500, when: 'after' },
  });

test.each([
  ['runs', {}],
  ['is cancelled at the end of the year', { cancel_at_period_end: true }],
])(
  'a team whose subscription %s is deleted by consent, and the subscription ends immediately',
  async (_, change) => {
    const { owner, teamId, id, stripeId, statusAtStripe } = await teamWithPlan();
    await stripeOf(app).subscriptions.update(id, change);
    await settled(app);

    for (const path of [`teams/${teamId}`, `teams/${teamId}?endSubscription=false`]) {
      const refused = await errorOf(await remove(owner, path));
      expect(refused).toMatchObject({ status: 409, code: 'subscription_running' });
    }
    expect(await errorOf(await remove(owner, 'user'))).toMatchObject({ status: 409, code: 'last_owner' });
    expect(await statusAtStripe()).toBe('active');

    expect((await remove(owner, `teams/${teamId}?endSubscription=true`)).status).toBe(204);
    await settled(app);
    expect(await statusAtStripe()).toBe('canceled');
    expect([await exists(`teams/${teamId}`), await exists(`customers/${teamId}`)]).toEqual([false, false]);
    const [started] = (await auditLogOf(teamId)).filter(({ action }) => action === 'team.deletion_started');
    expect(started).toMatchObject({ actorId: owner.uid, details: { subscription: 'ended' } });
    // The year was paid, and nothing of it is given back.
    const { data } = await stripeOf(app).invoices.list({ customer: stripeId });
    expect(data.map(({ status }) => status)).toEqual(['paid']);
    expect((await remove(owner, 'user')).status).toBe(204);
  },
);

test('a deletion that was interrupted after the subscription ended is finished by the repeated request', async () => {
  const { owner, teamId, statusAtStripe } = await teamWithPlan();
  await loseAnswers();
  const lost = await remove(owner, `teams/${teamId}?endSubscription=true`);
  expect(await errorOf(lost)).toMatchObject({ status: 503, code: 'billing_unavailable' });
  expect([await statusAtStripe(), await exists(`teams/${teamId}`)]).toEqual(['canceled', true]);
  await settled(app);
  expect((await remove(owner, `teams/${teamId}`)).status).toBe(204);
  expect([await exists(`teams/${teamId}`), await exists(`customers/${teamId}`)]).toEqual([false, false]);
});

test('a deletion that nobody repeats is finished by the sweep', async () => {
  const { owner, teamId, statusAtStripe } = await teamWithPlan();
  await loseAnswers();
  expect((await remove(owner, `teams/${teamId}?endSubscription=true`)).status).toBe(503);
  const later = { ...app.backend, now: () => new Date(Date.now() + 3_600_000) };
  await sweepInterruptedDeletions(later);
  expect([await exists(`teams/${teamId}`), await statusAtStripe()]).toEqual([false, 'canceled']);
});

describe('a damaged team with a running subscription', () => {
  async function damagedTeamWithPlan() {
    const team = await teamWithPlan();
    // Only the subscription itself shows that it is running.
    const damage = { seatLimit: 'many', hasRunningSubscription: FieldValue.delete() };
    await adminFirestore().doc(`teams/${team.teamId}`).update(damage);
    return team;
  }

  test('is deleted by its owner by consent only', async () => {
    const { owner, teamId, statusAtStripe } = await damagedTeamWithPlan();
    const refused = await errorOf(await remove(owner, `teams/${teamId}`));
    expect(refused).toMatchObject({ status: 409, code: 'subscription_running' });
    expect([await exists(`teams/${teamId}`), await statusAtStripe()]).toEqual([true, 'active']);
    expect((await remove(owner, `teams/${teamId}?endSubscription=true`)).status).toBe(204);
    expect([await exists(`teams/${teamId}`), await statusAtStripe()]).toEqual([false, 'canceled']);
    const [started] = (await auditLogOf(teamId)).filter(({ action }) => action === 'team.deletion_started');
    expect(started).toMatchObject({ details: { subscription: 'ended' } });
  });

  test('is deleted by an operator by consent only', async () => {
    const { teamId, statusAtStripe } = await damagedTeamWithPlan();
    const operator = await signUpOperator();
    const path = `${app.url}/api/admin/teams/${teamId}`;
    const refused = await errorOf(await call('DELETE', path, { headers: operator.bearer }));
    expect(refused).toMatchObject({ status: 409, code: 'subscription_running' });
    expect(await statusAtStripe()).toBe('active');
    const consent = await call('DELETE', `${path}?endSubscription=true`, { headers: operator.bearer });
    expect([consent.status, await statusAtStripe()]).toEqual([204, 'canceled']);
  });

  test('is deleted by the sweep after an interruption, because the consent is stored', async () => {
    const { owner, teamId, statusAtStripe } = await damagedTeamWithPlan();
    await loseAnswers();
    expect((await remove(owner, `teams/${teamId}?endSubscription=true`)).status).toBe(503);
    const later = { ...app.backend, now: () => new Date(Date.now() + 3_600_000) };
    await sweepInterruptedDeletions(later);
    expect([await exists(`teams/${teamId}`), await statusAtStripe()]).toEqual([false, 'canceled']);
  });
});

test('only an owner may end the subscription with the team', async () => {
  const { owner, admin, teamId } = await castOf(app.url);
  await buy(app, owner, `pro?team=${teamId}`);
  expect((await remove(admin, `teams/${teamId}?endSubscription=true`)).status).toBe(403);
  expect((await subscriptionOf(app, teamId)).status).toBe('active');
});
