import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
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
} from './support/billing.ts';
import { adminAuth, adminFirestore, beginDeletion, signUp } from './support/people.ts';
import { locationOf } from './support/requests.ts';
import { createTeam } from './support/teams.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const statusOf = async (customerId: string) => (await subscriptionOf(app, customerId)).status;

test('an event that is delivered many times at the same time is processed once', async () => {
  const withoutWebhooks = await serveApp({ webhooks: false });
  const person = await signUp();
  await buy(withoutWebhooks, person, 'pro');
  const object = await subscriptionOf(withoutWebhooks, person.uid);
  const event = {
    id: `evt_${person.uid}`,
    object: 'event',
    type: 'customer.subscription.created',
    data: { object },
  };
  await Promise.all(Array.from({ length: 10 }, () => deliver(withoutWebhooks, event)));
  expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'active', role: 'pro' }]);
  expect(await claimsOf(person)).toEqual({ plan: 'pro', stripeRole: 'pro' });
  expect((await adminFirestore().doc(`stripeEvents/${event.id}`).get()).get('type')).toBe(event.type);
  await withoutWebhooks[Symbol.asyncDispose]();
});

test.each([
  ['that we do not know', 'cus_somebody', 'sub_other'],
  ['without a subscription', 'cus_somebody', null],
])('an event of a customer %s is accepted and changes nothing', async (_what, customer, subscription) => {
  const id = `evt_${crypto.randomUUID()}`;
  const object = {
    object: 'invoice',
    id: 'in_1',
    customer,
    parent: { subscription_details: { subscription } },
  };
  await deliver(app, { id, object: 'event', type: 'invoice.paid', data: { object } });
  expect((await adminFirestore().doc(`stripeEvents/${id}`).get()).exists).toBe(false);
});

describe('an event that arrives late', () => {
  const deliverUpdate = async (customerId: string) => {
    const object = await subscriptionOf(app, customerId);
    const type = 'customer.subscription.updated';
    await deliver(app, { id: `evt_late_${customerId}`, object: 'event', type, data: { object } });
  };

  test('for a deleted user is accepted', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    await stripeOf(app).subscriptions.cancel((await subscriptionOf(app, person.uid)).id);
    await adminAuth().deleteUser(person.uid);
    await settled(app);
    await deliverUpdate(person.uid);
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'canceled' }]);
  });

  test('for a user who was deleted while they paid cancels the subscription', async () => {
    const person = await signUp();
    const page = locationOf(await checkout(app, person, 'pro'));
    await adminAuth().deleteUser(person.uid);
    await beginDeletion(person.uid);
    await pay(app, page);
    expect(await statusOf(person.uid)).toBe('canceled');
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'canceled' }]);
  });

  test('for a deleted team is accepted', async () => {
    const owner = await signUp();
    const teamId = await createTeam(app.url, owner);
    await buy(app, owner, `pro?team=${teamId}`);
    await adminFirestore().doc(`teams/${teamId}`).delete();
    await deliverUpdate(teamId);
    expect((await adminFirestore().doc(`teams/${teamId}`).get()).exists).toBe(false);
  });

  test('for a deleted customer is accepted and stores nothing', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    const object = await subscriptionOf(app, person.uid);
    await adminFirestore().recursiveDelete(adminFirestore().doc(`customers/${person.uid}`));
    const type = 'customer.subscription.updated';
    await deliver(app, { id: `evt_gone_${person.uid}`, object: 'event', type, data: { object } });
    expect(await subscriptionCopiesOf(person.uid)).toEqual([]);
  });
});

test('products and prices are synced by events, and prices are deleted with their product', async () => {
  const stripe = stripeOf(app);
  const read = async (path: string) => (await adminFirestore().doc(path).get()).data();
  const product = await stripe.products.create({ name: 'Add-on', metadata: { firebaseRole: 'extra' } });
  const price = await stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 100 });
  await settled(app);
  expect(await read(`products/${product.id}`)).toMatchObject({ name: 'Add-on', active: true, role: 'extra' });
  const path = `products/${product.id}/prices/${price.id}`;
  expect(await read(path)).toMatchObject({ unit_amount: 100, type: 'one_time', interval: null });
  await stripe.prices.update(price.id, { active: false });
  await settled(app);
  expect(await read(path)).toMatchObject({ active: false });

  const gone = await stripe.products.create({ name: 'Gone' });
  await stripe.products.del(gone.id);
  await settled(app);
  expect(await read(`products/${gone.id}`)).toBeUndefined();
});
