import { beforeAll, describe, expect, test } from 'vitest';
import { COMP_ID, compPlan, endComp } from '../../functions/src/billing/grants/comp.service.ts';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, claimsOf, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { call } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';
import { auditLogOf, castOf } from '../support/teams.ts';

const UNTIL = new Date(Date.now() + 30 * 86_400_000);

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  app = resources.use(await serveApp());
});

const nothing = () => undefined;
const asUser = ({ uid, email }: Person) => ({ customerId: uid, type: 'user', email, name: null }) as const;
const asTeam = (teamId: string) => ({ customerId: teamId, type: 'team', email: null, name: 'Acme' }) as const;

async function sessionPlanOf({ bearer }: Person): Promise<unknown> {
  const response = await call('GET', `${app.url}/api/auth/session`, { headers: bearer });
  return ((await response.json()) as { plan: unknown }).plan;
}

const teamOf = async (teamId: string) => (await adminFirestore().doc(`teams/${teamId}`).get()).data();

const customerOf = (customerId: string) => adminFirestore().doc(`customers/${customerId}`);
const compOf = (customerId: string) => customerOf(customerId).collection('subscriptions').doc(COMP_ID);

/** Moves the end of a comped plan into the past. */
function expire(customerId: string): Promise<unknown> {
  return compOf(customerId).update({ grace_until: new Date(Date.now() - 1_000) });
}

describe('a comped plan of a user', () => {
  test('is the plan of the session and of the claims, without a payment', async () => {
    const person = await signUp();
    await compPlan(app.backend, asUser(person), { planSlug: 'pro', until: UNTIL }, nothing);
    expect(await sessionPlanOf(person)).toBe('pro');
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro', stripeRole: 'pro' });
    const customer = await adminFirestore().doc(`customers/${person.uid}`).get();
    expect(customer.data()).toMatchObject({ type: 'user', email: person.email, plan: 'pro' });
    expect(customer.get('stripeId')).toBeUndefined();
  });

  test('leaves no add-ons of a subscription that has ended', async () => {
    const person = await signUp();
    await compPlan(app.backend, asUser(person), { planSlug: 'pro', until: UNTIL }, nothing);
    const customer = adminFirestore().doc(`customers/${person.uid}`);
    await customer.update({ addOns: { storage: 2 } });
    await compPlan(app.backend, asUser(person), { planSlug: 'pro', until: UNTIL }, nothing);
    expect((await customer.get()).get('addOns')).toEqual({});
    expect((await claimsOf(person))['addOns']).toBeUndefined();
  });

  test('stays when the reconciliation runs', async () => {
    const person = await signUp();
    await compPlan(app.backend, asUser(person), { planSlug: 'pro', until: UNTIL }, nothing);
    await reconcileBilling(app.backend);
    expect(await sessionPlanOf(person)).toBe('pro');
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
  });

  test('ends for requests at its date, and for the claims with the next reconciliation', async () => {
    const person = await signUp();
    await compPlan(app.backend, asUser(person), { planSlug: 'pro', until: UNTIL }, nothing);
    await expire(person.uid);
    expect(await sessionPlanOf(person)).toBe('free');
    await reconcileBilling(app.backend);
    expect(await claimsOf(person)).not.toHaveProperty('plan');
    const copies = await adminFirestore().collection(`customers/${person.uid}/subscriptions`).get();
    expect(copies.size).toBe(0);
  });

  test('ends although many older documents cannot be ended', async () => {
    const person = await signUp();
    await compPlan(app.backend, asUser(person), { planSlug: 'pro', until: UNTIL }, nothing);
    await expire(person.uid);
    const damaged = Array.from({ length: 25 }, (_, index) => `damaged-${index}`);
    await Promise.all(damaged.map((id) => customerOf(id).set({ type: 'nobody' })));
    await Promise.all(damaged.map((id) => compOf(id).set({ grace_until: new Date(0) })));
    await reconcileBilling(app.backend);
    expect((await compOf('damaged-0').get()).exists).toBe(true);
    await Promise.all(damaged.map((id) => adminFirestore().recursiveDelete(customerOf(id))));
    expect(await claimsOf(person)).toEqual({});
  });

  test('does not lower a paid plan, and stays when that plan ends', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    await compPlan(app.backend, asUser(person), { planSlug: 'pro', until: UNTIL }, nothing);
    const { id } = await subscriptionOf(app, person.uid);
    await stripeOf(app).subscriptions.cancel(id);
    await settled(app);
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
    await endComp(app.backend, person.uid, nothing);
    expect(await claimsOf(person)).not.toHaveProperty('plan');
  });

  test('leaves the person free to buy a plan, which stays after the comped one', async () => {
    const person = await signUp();
    await compPlan(app.backend, asUser(person), { planSlug: 'pro', until: UNTIL }, nothing);
    await buy(app, person, 'pro');
    await expire(person.uid);
    await reconcileBilling(app.backend);
    expect(await sessionPlanOf(person)).toBe('pro');
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
  });
});

describe('a comped plan of a team', () => {
  test('gives the team the limits of the plan until its end', async () => {
    const { teamId } = await castOf(app.url);
    await compPlan(app.backend, asTeam(teamId), { planSlug: 'business', until: UNTIL }, nothing);
    expect(await teamOf(teamId)).toMatchObject({
      plan: 'business',
      seatLimit: 100,
      hasRunningSubscription: false,
    });
    await expire(teamId);
    await reconcileBilling(app.backend);
    expect(await teamOf(teamId)).toMatchObject({ plan: 'free', seatLimit: 3 });
    expect(await auditLogOf(teamId)).toMatchObject([
      { action: 'team.created' },
      { action: 'billing.plan_changed', details: { from: 'free', to: 'business' } },
      { action: 'billing.plan_changed', details: { from: 'business', to: 'free' } },
    ]);
  });

  test('does not lower a higher plan that the team pays for, and stays when that is synced', async () => {
    const { teamId, owner } = await castOf(app.url);
    await buy(app, owner, `business?team=${teamId}`);
    await compPlan(app.backend, asTeam(teamId), { planSlug: 'pro', until: UNTIL }, nothing);
    expect(await teamOf(teamId)).toMatchObject({ plan: 'business' });
    const { id } = await subscriptionOf(app, teamId);
    await stripeOf(app).subscriptions.cancel(id);
    await settled(app);
    expect(await teamOf(teamId)).toMatchObject({ plan: 'pro', seatLimit: 10, hasRunningSubscription: false });
  });

  test('does not keep the team from being deleted', async () => {
    const { teamId, owner } = await castOf(app.url);
    await compPlan(app.backend, asTeam(teamId), { planSlug: 'pro', until: UNTIL }, nothing);
    const path = `${app.url}/api/auth/teams/${teamId}`;
    expect((await call('DELETE', path, { headers: owner.bearer })).status).toBe(204);
    expect((await adminFirestore().doc(`customers/${teamId}`).get()).exists).toBe(false);
  });
});

const LOSSES: [what: string, lose: (customerId: string) => Promise<unknown>][] = [
  ['its document was deleted', (id) => compOf(id).delete()],
  ['its document is damaged', (id) => compOf(id).update({ created: 'yesterday' })],
  ['the customer was deleted', (id) => customerOf(id).delete()],
  ['both were deleted', (id) => adminFirestore().recursiveDelete(customerOf(id))],
];

describe.each(LOSSES)('a comped plan is ended by an operator although %s', (_what, lose) => {
  test('for a user, with the claims', async () => {
    const person = await signUp();
    await compPlan(app.backend, asUser(person), { planSlug: 'pro', until: UNTIL }, nothing);
    await lose(person.uid);
    expect(await endComp(app.backend, person.uid, nothing)).toBe(true);
    expect(await claimsOf(person)).toEqual({});
    expect((await customerOf(person.uid).get()).data()).toMatchObject({ type: 'user', plan: 'free' });
    expect(await endComp(app.backend, person.uid, nothing)).toBe(false);
  });

  test('for a team, with its limits', async () => {
    const { teamId } = await castOf(app.url);
    await compPlan(app.backend, asTeam(teamId), { planSlug: 'business', until: UNTIL }, nothing);
    await lose(teamId);
    expect(await endComp(app.backend, teamId, nothing)).toBe(true);
    expect(await teamOf(teamId)).toMatchObject({ plan: 'free', seatLimit: 3 });
    expect(await endComp(app.backend, teamId, nothing)).toBe(false);
  });
});

test.each(LOSSES.slice(1, 3))('a comped plan ends at its date although %s', async (_what, lose) => {
  const [person, { teamId }] = await Promise.all([signUp(), castOf(app.url)]);
  for (const customer of [asUser(person), asTeam(teamId)]) {
    await compPlan(app.backend, customer, { planSlug: 'pro', until: UNTIL }, nothing);
    await expire(customer.customerId);
    await lose(customer.customerId);
  }
  await reconcileBilling(app.backend);
  expect(await claimsOf(person)).toEqual({});
  expect(await teamOf(teamId)).toMatchObject({ plan: 'free', seatLimit: 3 });
});

test('a person without a plan has none to end, and becomes no customer', async () => {
  const person = await signUp();
  expect(await endComp(app.backend, person.uid, nothing)).toBe(false);
  expect((await customerOf(person.uid).get()).exists).toBe(false);
});

test.each([
  ['an unknown plan', { planSlug: 'gold', until: UNTIL }, 'plan_not_found'],
  ['the free plan', { planSlug: 'free', until: UNTIL }, 'plan_is_free'],
  ['an end in the past', { planSlug: 'pro', until: new Date(0) }, 'comp_in_the_past'],
])('%s is refused', async (_what, comp, code) => {
  const person = await signUp();
  await expect(compPlan(app.backend, asUser(person), comp, nothing)).rejects.toMatchObject({ code });
});
