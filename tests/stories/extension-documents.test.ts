import { FieldValue, type DocumentReference } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import {
  buy,
  checkout,
  claimsOf,
  deliver,
  subscriptionCopiesOf,
  pay,
  settled,
  stripeOf,
  subscriptionOf,
} from '../support/billing.ts';
import { meterFirestore } from '../support/cost.ts';
import { moveToExtension, writeExtensionCustomer } from '../support/extension.ts';
import { adminAuth, adminFirestore, signUp, type Person } from '../support/people.ts';
import { call, locationOf, visit } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';

/** A business used the Stripe extension before. Its customers have the documents that the extension wrote. */

/** Gets no events from Stripe but those that the tests deliver. */
let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  // Own Firestore, because the reconciliation stores its cursor there.
  resources.use(await meterFirestore());
  app = resources.use(await serveApp({ webhooks: false }));
});
beforeEach(() => adminFirestore().doc('sweeps/billing').delete());

const reconcile = async () => {
  await reconcileBilling(app.backend);
  await settled(app);
};
const retrieveCustomer = async (id: string) =>
  (await stripeOf(app).customers.retrieve(id)) as Stripe.Customer;
const customerOf = ({ uid }: Person) => adminFirestore().doc(`customers/${uid}`);
const planOf = async ({ bearer }: Person) => {
  const response = await call('GET', `${app.url}/api/auth/session`, { headers: bearer });
  return ((await response.json()) as { plan: string }).plan;
};

/** A user who pays for Pro, with the documents of the extension. The roles of the extension are its owner's choice. */
async function customerFromBefore(role: string | null = 'premium'): Promise<Person> {
  const person = await signUp();
  await buy(app, person, 'pro');
  await moveToExtension(app, person.uid, role);
  await adminAuth().setCustomUserClaims(person.uid, {});
  return person;
}

async function hear(person: Person): Promise<void> {
  await deliver(app, {
    id: `evt_${crypto.randomUUID()}`,
    object: 'event',
    type: 'customer.subscription.updated',
    data: { object: await subscriptionOf(app, person.uid) },
  });
  await settled(app);
}

test('before any sync the plan counts, checkout leads to the portal, and the portal opens', async () => {
  const person = await customerFromBefore();
  const { stripeId } = (await customerOf(person).get()).data() ?? {};
  expect(await planOf(person)).toBe('pro');
  for (const path of ['checkout/pro', 'portal']) {
    const response = await visit(`${app.url}/api/auth/${path}`, person.bearer);
    expect(response.status).toBe(303);
    expect(locationOf(response).pathname).toContain('/session/bps_');
  }
  const stored = (await customerOf(person).get()).data();
  expect(stored).toMatchObject({ type: 'user', stripeId: stripeId as string });
});

test('before any sync the account can be deleted, and no longer pays', async () => {
  const person = await customerFromBefore();
  const { id } = await subscriptionOf(app, person.uid);
  const response = await call('DELETE', `${app.url}/api/auth/user`, { headers: person.bearer });
  expect(response.status).toBe(204);
  expect(await stripeOf(app).subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' });
  expect((await customerOf(person).get()).exists).toBe(false);
});

describe.each<[how: string, sync: (person: Person) => Promise<void>]>([
  ['an event', hear],
  ['the reconciliation', reconcile],
])('%s', (_how, sync) => {
  test.each<[what: string, person: () => Promise<Person>]>([
    ['documents of the extension', () => customerFromBefore()],
    ['documents of the extension without a role', () => customerFromBefore(null)],
    [
      'documents of an old extension, without line items',
      async () => {
        const person = await customerFromBefore();
        const { id } = await subscriptionOf(app, person.uid);
        await customerOf(person).collection('subscriptions').doc(id).update({ items: FieldValue.delete() });
        return person;
      },
    ],
  ])('completes %s, with claims', async (_what, makePerson) => {
    const person = await makePerson();
    await sync(person);
    expect(await claimsOf(person)).toEqual({ plan: 'pro', stripeRole: 'pro' });
    const [stored] = await subscriptionCopiesOf(person.uid);
    expect(stored).toMatchObject({
      role: 'pro',
      priceId: 'price_hearth_pro_month',
      items: [{ lookupKey: 'hearth_pro_monthly' }],
      latest_invoice: { status: 'paid' },
    });
    const { price, product } = stored as unknown as Record<'price' | 'product', DocumentReference>;
    expect([price.path, product.path]).toEqual([
      'products/prod_hearth_pro/prices/price_hearth_pro_month',
      'products/prod_hearth_pro',
    ]);
  });

  test('gives the plan to a customer of whom the extension had no subscription', async () => {
    const person = await customerFromBefore();
    const { id } = await subscriptionOf(app, person.uid);
    await customerOf(person).collection('subscriptions').doc(id).delete();
    await sync(person);
    expect(await claimsOf(person)).toEqual({ plan: 'pro', stripeRole: 'pro' });
  });
});

test('the reconciliation also repairs customers of ours', async () => {
  const [before, ours, after] = [await customerFromBefore(), await signUp(), await customerFromBefore()];
  await buy(app, ours, 'pro');
  await hear(ours).catch(() => undefined);
  await reconcile();
  await stripeOf(app).subscriptions.cancel((await subscriptionOf(app, ours.uid)).id);
  await moveToExtension(app, before.uid, 'premium');
  await moveToExtension(app, after.uid, 'premium');
  await reconcile();
  expect(await claimsOf(ours)).toEqual({});
  expect(await subscriptionCopiesOf(ours.uid)).toMatchObject([{ status: 'canceled' }]);
  for (const { uid } of [before, after])
    expect(await subscriptionCopiesOf(uid)).toMatchObject([{ role: 'pro' }]);
});

test('a customer who never subscribed can buy, with the same Stripe customer', async () => {
  const person = await signUp();
  const customer = await stripeOf(app).customers.create({
    email: person.email,
    metadata: { firebaseUID: person.uid },
  });
  await writeExtensionCustomer(person.uid, customer);
  expect(await planOf(person)).toBe('free');
  expect((await pay(app, locationOf(await checkout(app, person, 'pro')))).status).toBe(303);
  await reconcile();
  expect((await subscriptionOf(app, person.uid)).customer).toBe(customer.id);
  expect(await claimsOf(person)).toEqual({ plan: 'pro', stripeRole: 'pro' });
});

test('a customer who never subscribed gets their name at Stripe with the next reconciliation', async () => {
  const person = await signUp({ displayName: 'Ada Lovelace' });
  const { id } = await stripeOf(app).customers.create({ email: person.email });
  await writeExtensionCustomer(person.uid, await retrieveCustomer(id));
  await buy(app, person, 'pro');
  expect((await customerOf(person).get()).get('name')).toBeNull();
  await reconcile();
  expect(await retrieveCustomer(id)).toMatchObject({ email: person.email, name: 'Ada Lovelace' });
});

test('a customer without a Stripe customer gets one, under many concurrent requests', async () => {
  const person = await signUp();
  await customerOf(person).set({ favoriteColor: 'blue' });
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => visit(`${app.url}/api/auth/portal`, person.bearer)),
  );
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
  const { data } = await stripeOf(app).customers.search({ query: `metadata['firebaseUID']:'${person.uid}'` });
  const stored = (await customerOf(person).get()).data();
  expect(stored).toMatchObject({ type: 'user', favoriteColor: 'blue' });
  expect(data.map(({ id }) => id)).toEqual([stored?.['stripeId']]);
});

test('a customer whose Stripe customer was deleted gets another one', async () => {
  const person = await customerFromBefore();
  const { stripeId } = (await customerOf(person).get()).data() ?? {};
  await stripeOf(app).customers.del(stripeId as string);
  await deliver(app, {
    id: `evt_${crypto.randomUUID()}`,
    object: 'event',
    type: 'customer.deleted',
    data: { object: { object: 'customer', id: stripeId as string } },
  });
  expect((await customerOf(person).get()).data()).not.toHaveProperty('stripeId');
  expect(await planOf(person)).toBe('free');
  expect((await visit(`${app.url}/api/auth/portal`, person.bearer)).status).toBe(303);
});
