import { beforeAll, expect, test } from 'vitest';
import { reconcileBilling } from '../functions/src/billing/reconcile/reconcile.service.ts';
import { idOf } from '../functions/src/billing/stripe/stripe-ids.ts';
import type { CustomerDocument } from '../functions/src/firestore/documents/customer.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import {
  checkout,
  claimsOf,
  subscriptionCopiesOf,
  pay,
  settled,
  stripeOf,
  subscriptionOf,
} from './support/billing.ts';
import { meterFirestore } from './support/cost.ts';
import { adminAuth, adminFirestore, signUp, type Person } from './support/people.ts';
import { call, locationOf, visit } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import { castOf } from './support/teams.ts';

/** Customers whose documents are missing, as after an older backup was restored. */

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  // Own Firestore, because the reconciliation stores its cursor there.
  resources.use(await meterFirestore());
  app = resources.use(await serveApp({ webhooks: false }));
});

const reconcile = async () => {
  await reconcileBilling(app.backend);
  await settled(app);
};

async function buy(person: Person, slugAndQuery: string): Promise<void> {
  expect((await pay(app, locationOf(await checkout(app, person, slugAndQuery)))).status).toBe(303);
  await reconcile();
}

const customer = (customerId: string) => adminFirestore().doc(`customers/${customerId}`);
const lose = (customerId: string) => adminFirestore().recursiveDelete(customer(customerId));

test('a lost customer is restored with the subscription, and gets no second Stripe customer', async () => {
  const person = await signUp();
  await buy(person, 'pro');
  const before = (await customer(person.uid).get()).data() as CustomerDocument;
  await lose(person.uid);
  await adminAuth().setCustomUserClaims(person.uid, {});
  await Promise.all([reconcile(), reconcile()]);
  const { type, email, stripeId, stripeLink, plan } = before;
  expect((await customer(person.uid).get()).data()).toMatchObject({
    type,
    email,
    stripeId,
    stripeLink,
    plan,
  });
  expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'active', role: 'pro' }]);
  expect(await claimsOf(person)).toEqual({ plan: 'pro', stripeRole: 'pro' });
  expect((await visit(`${app.url}/api/auth/portal`, person.bearer)).status).toBe(303);
  expect((await subscriptionOf(app, person.uid)).customer).toBe(stripeId);
});

test('a lost customer who checks out before the reconciliation keeps the Stripe customer', async () => {
  const person = await signUp();
  await buy(person, 'pro');
  const stripeId = (await customer(person.uid).get()).get('stripeId') as string;
  await lose(person.uid);
  const response = await checkout(app, person, 'business');
  expect(locationOf(response).pathname).not.toContain('checkout');
  expect((await customer(person.uid).get()).get('stripeId')).toBe(stripeId);
  await reconcile();
  expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'active', role: 'pro' }]);
});

test('a lost team is restored with its plan and seats', async () => {
  const { teamId, owner } = await castOf(app.url);
  await buy(owner, `business?team=${teamId}`);
  const team = adminFirestore().doc(`teams/${teamId}`);
  const before = (await team.get()).data() ?? {};
  await lose(teamId);
  await team.update({
    plan: 'free',
    seatLimit: 3,
    hasRunningSubscription: false,
    billingDependsOnMembers: false,
  });
  await reconcile();
  expect((await team.get()).data()).toEqual(before);
  expect(await subscriptionCopiesOf(teamId)).toMatchObject([{ status: 'active', role: 'business' }]);
});

test('a lost customer on an old price is restored', async () => {
  const person = await signUp();
  await buy(person, 'pro');
  const { items } = await subscriptionOf(app, person.uid);
  await stripeOf(app).prices.create({
    product: 'prod_hearth_pro',
    currency: 'usd',
    unit_amount: 9900,
    recurring: { interval: 'month' },
    lookup_key: items.data[0]?.price.lookup_key ?? '',
    transfer_lookup_key: true,
  });
  await lose(person.uid);
  await reconcile();
  expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'active', role: 'pro' }]);
});

test.each<[who: string, change: (person: Person) => Promise<unknown>]>([
  ['after their account was deleted', ({ uid }) => adminAuth().deleteUser(uid)],
  [
    'after their subscription ended',
    async ({ uid }) => stripeOf(app).subscriptions.cancel((await subscriptionOf(app, uid)).id),
  ],
  [
    'if their uid is none of ours',
    async ({ uid }) =>
      stripeOf(app).customers.update(idOf((await subscriptionOf(app, uid)).customer), {
        metadata: { firebaseUID: 'a/b' },
      }),
  ],
  [
    'if their metadata name no possible user or team',
    async ({ uid }) =>
      stripeOf(app).customers.update(idOf((await subscriptionOf(app, uid)).customer), {
        metadata: { teamId: '..', firebaseUID: '' },
      }),
  ],
])('a lost customer is not restored %s', async (_who, change) => {
  const person = await signUp();
  await buy(person, 'pro');
  await change(person);
  await lose(person.uid);
  await reconcile();
  expect((await customer(person.uid).get()).exists).toBe(false);
});

test('a lost customer whose subscription ends after it was listed is not restored', async () => {
  const person = await signUp();
  await buy(person, 'pro');
  const { id } = await subscriptionOf(app, person.uid);
  await lose(person.uid);
  await call('POST', `${app.stripe.url}/_emulator/fail`, {
    json: { method: 'GET', path: `/v1/subscriptions/${id}`, status: 'hold' },
  });
  const run = reconcile();
  await call('GET', `${app.stripe.url}/_emulator/held?atLeast=1`);
  await stripeOf(app).subscriptions.cancel(id);
  await call('POST', `${app.stripe.url}/_emulator/release`);
  await run;
  expect((await customer(person.uid).get()).exists).toBe(false);
  expect(await subscriptionCopiesOf(person.uid)).toEqual([]);
});
