import { FieldValue } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { compPlan } from '../../functions/src/billing/grants/comp.service.ts';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import { syncSubscription } from '../../functions/src/billing/subscriptions/sync/sync.service.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import {
  buy,
  checkout,
  claimsOf,
  purchasePage,
  settled,
  stripeOf,
  subscriptionCopiesOf,
} from '../support/billing.ts';
import { meterFirestore } from '../support/cost.ts';
import { CREDITS } from '../support/extras.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { call } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';
import { castOf } from '../support/teams.ts';

/**
 * Sales makes a Stripe customer and a subscription in Stripe's dashboard, and names a user or team in the metadata of
 * the Stripe customer. The user or team has a document already.
 */

/** The logger uses the functions that the console has when it is loaded, so they are watched before. */
const { lines } = vi.hoisted(() => {
  const lines: string[] = [];
  console.warn = console.error = (line: string) => {
    lines.push(line);
  };
  return { lines };
});

const PRO = 'price_hearth_pro_month';
const BUSINESS = 'price_hearth_business_month';
const MESSAGE = 'A subscription is at a second Stripe customer';

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  // Own Firestore, because the reconciliation stores its cursor there.
  resources.use(await meterFirestore());
  app = resources.use(await serveApp({ config: { extras: CREDITS } }));
});
beforeEach(() => {
  lines.length = 0;
});

const reconcile = async () => {
  await reconcileBilling(app.backend);
  await settled(app);
};

const customer = (customerId: string) => adminFirestore().doc(`customers/${customerId}`);
const stripeIdOf = async (customerId: string) =>
  (await customer(customerId).get()).get('stripeId') as unknown;

const errors = () =>
  lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((entry) => entry['severity'] === 'ERROR');

/** Makes a Stripe customer with a subscription, as sales does. */
async function sell(metadata: Record<string, string>, price = PRO): Promise<Stripe.Subscription> {
  const stripe = stripeOf(app);
  const { id } = await stripe.customers.create({ email: 'office@example.com', metadata });
  const sold = await subscribe(id, price);
  await settled(app);
  return sold;
}

async function subscribe(stripeCustomer: string, price: string): Promise<Stripe.Subscription> {
  const card = await stripeOf(app).paymentMethods.attach('pm_card_visa', { customer: stripeCustomer });
  return stripeOf(app).subscriptions.create({
    customer: stripeCustomer,
    default_payment_method: card.id,
    items: [{ price }],
  });
}

/** Stores the copy that versions before this one have made of a subscription whose Stripe customer is not linked. */
async function copyAsBefore(customerId: string, sold: Stripe.Subscription): Promise<void> {
  const [any] = (
    await customer((await owner()).uid)
      .collection('subscriptions')
      .get()
  ).docs;
  await customer(customerId)
    .collection('subscriptions')
    .doc(sold.id)
    .set(any?.data() ?? {});
  await customer(customerId).update({ plan: 'pro' });
}

/** Somebody who has bought Pro. */
async function owner(): Promise<Person> {
  const person = await signUp();
  await buy(app, person, 'pro');
  return person;
}

/** Expects that the subscription gives the plan, and that the user can cancel it. */
async function expectLinked(
  person: Person,
  { id, customer: stripeCustomer }: Stripe.Subscription,
): Promise<void> {
  expect(await stripeIdOf(person.uid)).toBe(stripeCustomer);
  expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
  expect(await subscriptionCopiesOf(person.uid)).toContainEqual(
    expect.objectContaining({ id, status: 'active' }),
  );
  const url = `${app.url}/api/auth/subscription`;
  expect((await call('POST', `${url}/cancel`, { headers: person.bearer, json: {} })).status).toBe(200);
  expect(await stripeOf(app).subscriptions.retrieve(id)).toMatchObject({ cancel_at_period_end: true });
  expect(errors()).toEqual([]);
}

describe('a subscription that sales sold', () => {
  test('is linked to a user who has opened a checkout, and the checkout can no longer be paid', async () => {
    const person = await signUp();
    const page = (await checkout(app, person, 'pro')).headers.get('location') ?? '';
    const sold = await sell({ firebaseUID: person.uid });
    await reconcile();
    await expectLinked(person, sold);
    expect((await fetch(page, { method: 'POST', redirect: 'manual' })).status).toBe(410);
  });

  test('is linked to a user with a plan that an operator has given', async () => {
    const person = await signUp();
    const { uid: customerId, email } = person;
    const until = new Date(Date.now() + 86_400_000);
    const given = { planSlug: 'pro', until };
    await compPlan(app.backend, { customerId, type: 'user', email, name: null }, given, () => undefined);
    const sold = await sell({ firebaseUID: customerId });
    await reconcile();
    await expectLinked(person, sold);
  });

  test('is linked to a team whose subscription at another Stripe customer has ended', async () => {
    const { owner: person, teamId } = await castOf(app.url);
    await buy(app, person, `business?team=${teamId}`);
    const [first] = await subscriptionCopiesOf(teamId);
    await stripeOf(app).subscriptions.cancel(first?.id ?? '');
    await settled(app);
    const sold = await sell({ teamId }, BUSINESS);
    await reconcile();
    expect(await stripeIdOf(teamId)).toBe(sold.customer);
    expect((await adminFirestore().doc(`teams/${teamId}`).get()).get('plan')).toBe('business');
    expect(errors()).toEqual([]);
  });

  test('gives nothing while another one runs at the linked Stripe customer, and an error names both', async () => {
    const person = await owner();
    const linked = await stripeIdOf(person.uid);
    const [own] = await subscriptionCopiesOf(person.uid);
    const sold = await sell({ firebaseUID: person.uid }, BUSINESS);
    const named = {
      message: MESSAGE,
      subscriptionId: sold.id,
      stripeCustomerId: sold.customer,
      customerId: person.uid,
      linkedStripeCustomerId: linked,
    };
    const page = await purchasePage(app, person, { item: 'hundred' });
    await reconcile();
    await reconcile();
    expect(errors()).toMatchObject([named, named]);
    expect((await fetch(page)).status, 'a page at the linked Stripe customer').toBe(200);
    expect(await stripeIdOf(person.uid)).toBe(linked);
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ id: own?.id }]);
    await stripeOf(app).subscriptions.cancel(own?.id ?? '');
    await settled(app);
    await reconcile();
    expect(await stripeIdOf(person.uid)).toBe(sold.customer);
    expect(await claimsOf(person)).toMatchObject({ plan: 'business' });
    await stripeOf(app).subscriptions.cancel(sold.id);
  });
});

describe('a copy that an earlier version has made without the link', () => {
  test.each(['with another Stripe customer', 'without one'])('is linked for a user %s', async (kind) => {
    const person = await signUp();
    await checkout(app, person, 'pro');
    if (kind === 'without one') {
      const removed = FieldValue.delete();
      await customer(person.uid).update({ stripeId: removed, stripeLink: removed, checkout: removed });
    }
    const sold = await sell({ firebaseUID: person.uid });
    await copyAsBefore(person.uid, sold);
    await reconcile();
    await expectLinked(person, sold);
  });

  test('stays until it is linked, also if it is synced before', async () => {
    const person = await signUp();
    await checkout(app, person, 'pro');
    const sold = await sell({ firebaseUID: person.uid });
    await copyAsBefore(person.uid, sold);
    await syncSubscription(app.backend, person.uid, sold.id);
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ id: sold.id, status: 'active' }]);
    await reconcile();
    await expectLinked(person, sold);
  });

  test('is linked together with another one of the same Stripe customer', async () => {
    const person = await signUp();
    await checkout(app, person, 'pro');
    const sold = await sell({ firebaseUID: person.uid });
    const second = await subscribe(sold.customer as string, PRO);
    await Promise.all([sold, second].map((one) => copyAsBefore(person.uid, one)));
    await reconcile();
    expect(await stripeIdOf(person.uid)).toBe(sold.customer);
    expect(await subscriptionCopiesOf(person.uid)).toHaveLength(2);
    await stripeOf(app).subscriptions.cancel(second.id);
  });

  test('is removed if another subscription runs at the linked Stripe customer', async () => {
    const person = await owner();
    const [own] = await subscriptionCopiesOf(person.uid);
    const sold = await sell({ firebaseUID: person.uid });
    await copyAsBefore(person.uid, sold);
    await reconcile();
    expect(errors()).toMatchObject([{ message: MESSAGE, subscriptionId: sold.id }]);
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ id: own?.id }]);
    await stripeOf(app).subscriptions.cancel(sold.id);
  });
});
