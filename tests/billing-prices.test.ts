import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reconcileBilling } from '../functions/src/billing/reconcile/reconcile.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import {
  checkout,
  claimsOf,
  deliver,
  subscriptionCopiesOf,
  pay,
  settled,
  stripeOf,
  subscriptionOf,
} from './support/billing.ts';
import { meterFirestore, type MeteredFirestore } from './support/cost.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call, locationOf } from './support/requests.ts';
import { addMember, castOf } from './support/teams.ts';

/** A Firestore of its own, because the reconciliation stores its position in it. */
let firestore: MeteredFirestore;
/** Gets no events from Stripe but those that the tests deliver. */
let app: AppUnderTest;
beforeAll(async () => {
  firestore = await meterFirestore();
});
beforeEach(async () => {
  await adminFirestore().doc('sweeps/billing').delete();
  app = await serveApp({ webhooks: false });
  return () => app[Symbol.asyncDispose]();
});
afterAll(() => firestore[Symbol.asyncDispose]());

const reconcile = async () => {
  await reconcileBilling(app.backend);
  await settled(app);
};

async function buyWithoutEvents(person: Person, slugAndQuery: string): Promise<void> {
  expect((await pay(app, locationOf(await checkout(app, person, slugAndQuery)))).status).toBe(303);
}

/** Changes a price as Stripe's dashboard does: amounts are final, so a new price gets the lookup key. */
const raisePrice = (lookupKey: string) => {
  const [, slug, interval] = /^hearth_(.+)_(month|year)ly$/.exec(lookupKey) ?? [];
  return stripeOf(app).prices.create({
    product: `prod_hearth_${slug}`,
    currency: 'usd',
    unit_amount: 9900,
    recurring: { interval: interval === 'year' ? 'year' : 'month' },
    lookup_key: lookupKey,
    transfer_lookup_key: true,
  });
};

const deliverUpdate = async (customerId: string) => {
  const object = await subscriptionOf(app, customerId);
  const type = 'customer.subscription.updated';
  await deliver(app, { id: `evt_${crypto.randomUUID()}`, object: 'event', type, data: { object } });
  await settled(app);
};

describe('after a plan got a new price, a customer on the old one', () => {
  test('keeps the plan, whatever happens later, and new customers pay the new price', async () => {
    const [person, newcomer] = [await signUp(), await signUp()];
    await buyWithoutEvents(person, 'pro');
    await reconcile();
    const { id } = await raisePrice('hearth_pro_monthly');
    await reconcile();
    await call('DELETE', `${app.stripe.url}/_emulator/requests`);
    await reconcile();
    const log = await call('GET', `${app.stripe.url}/_emulator/requests`);
    expect(((await log.json()) as { counts: object }).counts).not.toHaveProperty('GET /v1/subscriptions/:id');

    await deliverUpdate(person.uid);
    await stripeOf(app).subscriptions.update((await subscriptionOf(app, person.uid)).id, {
      cancel_at_period_end: true,
    });
    await deliverUpdate(person.uid);
    const [copy] = await subscriptionCopiesOf(person.uid);
    expect(copy).toMatchObject({ role: 'pro', cancel_at_period_end: true });
    expect(await claimsOf(person)).toEqual({ plan: 'pro', stripeRole: 'pro' });

    await buyWithoutEvents(newcomer, 'pro');
    expect((await subscriptionOf(app, newcomer.uid)).items.data[0]?.price.id).toBe(id);
  });

  test('keeps the seats of a team, which are still billed', async () => {
    const { teamId, owner, outsider } = await castOf(app.url);
    await buyWithoutEvents(owner, `business?team=${teamId}`);
    await reconcile();
    await raisePrice('hearth_business_monthly');
    await deliverUpdate(teamId);
    const team = async () => (await adminFirestore().doc(`teams/${teamId}`).get()).data();
    const paid = {
      plan: 'business',
      seatLimit: 100,
      hasRunningSubscription: true,
      billingDependsOnMembers: true,
    };
    expect(await team()).toMatchObject(paid);

    await addMember(teamId, outsider, 'member');
    await app.backend.enqueueSeatSync(teamId);
    await settled(app);
    expect(await subscriptionCopiesOf(teamId)).toMatchObject([{ role: 'business', quantity: 4 }]);
    await addMember(teamId, await signUp(), 'member');
    await reconcile();
    expect((await subscriptionOf(app, teamId)).items.data[0]?.quantity).toBe(5);
    expect(await team()).toMatchObject(paid);
  });

  test('has the plan, although it was never synced before', async () => {
    const person = await signUp();
    await reconcile();
    await buyWithoutEvents(person, 'pro');
    await raisePrice('hearth_pro_monthly');
    await reconcile();
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ role: 'pro' }]);
    expect(await claimsOf(person)).toEqual({ plan: 'pro', stripeRole: 'pro' });
  });

  test('keeps the plan when the old price gets a lookup key of no plan', async () => {
    const person = await signUp();
    await buyWithoutEvents(person, 'pro');
    await reconcile();
    await raisePrice('hearth_pro_monthly');
    const { items } = await subscriptionOf(app, person.uid);
    await stripeOf(app).prices.update(items.data[0]?.price.id ?? '', { lookup_key: 'pro_until_2026' });
    await deliverUpdate(person.uid);
    expect(await claimsOf(person)).toEqual({ plan: 'pro', stripeRole: 'pro' });
  });
});

describe('a price that was made for one customer in the dashboard', () => {
  const switchTo = async (customerId: string, product: string) => {
    const stripe = stripeOf(app);
    const recurring = { interval: 'month' } as const;
    const price = await stripe.prices.create({ product, currency: 'usd', unit_amount: 500, recurring });
    const { id, items } = await subscriptionOf(app, customerId);
    await stripe.subscriptions.update(id, { items: [{ id: items.data[0]?.id ?? '', price: price.id }] });
    await deliverUpdate(customerId);
  };

  test('gives the plan of its product, and the seats of its members', async () => {
    const { teamId, owner, outsider } = await castOf(app.url);
    await reconcile();
    await buyWithoutEvents(owner, `pro?team=${teamId}`);
    await switchTo(teamId, 'prod_hearth_business');
    const team = await adminFirestore().doc(`teams/${teamId}`).get();
    expect(team.data()).toMatchObject({ plan: 'business', seatLimit: 100, billingDependsOnMembers: true });
    await addMember(teamId, outsider, 'member');
    await app.backend.enqueueSeatSync(teamId);
    await settled(app);
    expect(await subscriptionCopiesOf(teamId)).toMatchObject([{ role: 'business', quantity: 4 }]);
  });

  test.each([
    ['is sold for no plan', () => Promise.resolve()],
    [
      'is sold for two',
      async (product: string) => {
        const each = { product, currency: 'usd', unit_amount: 1, transfer_lookup_key: true } as const;
        for (const slug of ['pro', 'business']) {
          const recurring = { interval: 'month' } as const;
          await stripeOf(app).prices.create({ ...each, recurring, lookup_key: `hearth_${slug}_monthly` });
        }
      },
    ],
  ])('gives no plan if its product %s', async (_what, sell) => {
    const person = await signUp();
    await buyWithoutEvents(person, 'pro');
    const { id: product } = await stripeOf(app).products.create({ name: 'Other' });
    await sell(product);
    await reconcile();
    await switchTo(person.uid, product);
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ role: null }]);
    expect(await claimsOf(person)).toEqual({});
  });
});
