import { beforeAll, beforeEach, expect, test } from 'vitest';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import { hasClaimsOf } from '../../functions/src/billing/subscriptions/access/claims.service.ts';
import {
  requireAtLeast,
  requirePlan,
} from '../../functions/src/billing/subscriptions/access/require-plan.ts';
import { syncSubscription } from '../../functions/src/billing/subscriptions/sync/sync.service.ts';
import type { Config } from '../../functions/src/settings/config.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, checkout, claimsOf, subscriptionCopiesOf, settled } from '../support/billing.ts';
import { meterFirestore } from '../support/cost.ts';
import { adminAuth, adminFirestore, signUp, type Person } from '../support/people.ts';
import { call, locationOf } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';
import { auditLogOf, createTeam } from '../support/teams.ts';

/** A business renames its plan Pro to Starter, which its customers pay for. */

let app: AppUnderTest;
let original: Config['plans'];
const resources = useResources();
beforeAll(async () => {
  // Own Firestore, because the reconciliation stores its cursor there.
  resources.use(await meterFirestore());
  app = resources.use(await serveApp());
  original = app.config.plans;
});
beforeEach(async () => {
  Object.assign(app.config, { plans: original });
  await adminFirestore().doc('sweeps/billing').delete();
});

/** From now on the plan has its new name. */
function rename(): void {
  const [free, ...paid] = original;
  const renamed = paid.map((plan) =>
    plan.slug === 'pro' ? { ...plan, slug: 'starter', name: 'Starter', formerly: ['pro'] } : plan,
  );
  Object.assign(app.config, { plans: [free, ...renamed] });
}

const get = async (person: Person, path: string) =>
  (await (await call('GET', `${app.url}/api/auth/${path}`, { headers: person.bearer })).json()) as {
    plan: string;
  };
const teamIn = async (teamId: string) => (await adminFirestore().doc(`teams/${teamId}`).get()).data() ?? {};
const changesOfPlan = async (teamId: string) =>
  (await auditLogOf(teamId)).filter(({ action }) => action === 'billing.plan_changed');

test('payers have the renamed plan immediately, before any sync', async () => {
  const person = await signUp();
  const teamId = await createTeam(app.url, person);
  await buy(app, person, 'pro');
  await buy(app, person, `pro?team=${teamId}`);
  rename();
  expect((await get(person, 'session')).plan).toBe('starter');
  expect((await get(person, `teams/${teamId}`)).plan).toBe('starter');
  const { plan } = await claimsOf(person);
  expect(plan).toBe('pro');
  expect(() => {
    requirePlan(app.config, { plan: plan as string }, 'starter');
    requireAtLeast(app.config.plans, 'pro', 'starter');
  }).not.toThrow();
});

test('an old link to the checkout still sells the plan', async () => {
  const person = await signUp();
  rename();
  const response = await checkout(app, person, 'pro');
  expect(response.status).toBe(303);
  expect(locationOf(response).pathname).toContain('/cs_');
});

test.each<[how: string, sync: (customerId: string) => Promise<unknown>]>([
  ['a reconciliation', () => reconcileBilling(app.backend)],
  [
    'the sync of an event',
    async (customerId) => {
      const [copy] = await subscriptionCopiesOf(customerId);
      await syncSubscription(app.backend, customerId, copy?.id ?? '');
    },
  ],
])('%s writes the new name, and records no change of the plan', async (_how, sync) => {
  const person = await signUp();
  const teamId = await createTeam(app.url, person);
  await buy(app, person, 'pro');
  await buy(app, person, `pro?team=${teamId}`);
  const before = await teamIn(teamId);
  expect(await changesOfPlan(teamId)).toHaveLength(1);
  rename();
  for (const customerId of [person.uid, teamId]) {
    await sync(customerId);
    await settled(app);
    expect(await subscriptionCopiesOf(customerId)).toMatchObject([{ status: 'active', role: 'starter' }]);
    expect((await adminFirestore().doc(`customers/${customerId}`).get()).get('plan')).toBe('starter');
  }
  expect(await claimsOf(person)).toEqual({ plan: 'starter', stripeRole: 'starter' });
  expect(await teamIn(teamId)).toEqual({ ...before, plan: 'starter' });
  expect(await changesOfPlan(teamId)).toHaveLength(1);
});

test('claims of the old name are renewed, although the documents have the new one', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  rename();
  await reconcileBilling(app.backend);
  await adminAuth().setCustomUserClaims(person.uid, { plan: 'pro', stripeRole: 'pro' });
  await reconcileBilling(app.backend);
  expect(hasClaimsOf(await adminAuth().getUser(person.uid), app.config, { planSlug: 'starter' })).toBe(true);
});
