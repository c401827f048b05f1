import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { reconcileBilling } from '../functions/src/billing/reconcile/reconcile.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import {
  buy,
  claimsOf,
  subscriptionCopiesOf,
  settled,
  stripeOf,
  subscriptionOf,
  planInSession,
} from './support/billing.ts';
import { passAtStripe } from './support/clock.ts';
import { meterFirestore, type MeteredFirestore } from './support/cost.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { createTeam } from './support/teams.ts';

const DAY = 86_400;
const DAY_MS = DAY * 1000;

/** A Firestore of its own, because these tests move its clock. */
let firestore: MeteredFirestore;
let app: AppUnderTest;
let later = 0;
beforeAll(async () => {
  firestore = await meterFirestore();
  app = await serveApp({
    config: { trialDays: 14, pastDueGraceDays: 3 },
    backend: { now: () => new Date(Date.now() + later) },
  });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await firestore[Symbol.asyncDispose]();
});

/** Lets days go by, for Stripe and for the app. */
async function pass(days: number): Promise<void> {
  later += days * DAY_MS;
  await passAtStripe(app, days * DAY);
}

const statusOf = async (customerId: string) => (await subscriptionOf(app, customerId)).status;

/** The id of a card that pays. */
async function goodCard(customerId: string): Promise<string> {
  const { customer } = await subscriptionOf(app, customerId);
  const card = await stripeOf(app).paymentMethods.attach('pm_card_visa', { customer: customer as string });
  return card.id;
}

/** A card that can be saved and then fails. */
async function breakCard(customerId: string): Promise<void> {
  const stripe = stripeOf(app);
  const { id, customer } = await subscriptionOf(app, customerId);
  const card = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: customer as string,
  });
  await stripe.subscriptions.update(id, { default_payment_method: card.id });
  await settled(app);
}

describe('a payment that fails', () => {
  const planClaimOf = async (person: Person) => (await claimsOf(person))['plan'];
  const planOf = (person: Person) => planInSession(app, person);

  test('keeps the plan for the grace, shows the invoice, and gives the plan back when it is paid', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    await breakCard(person.uid);
    await pass(15);
    expect(await statusOf(person.uid)).toBe('past_due');
    const [copy] = await subscriptionCopiesOf(person.uid);
    expect(copy).toMatchObject({
      status: 'past_due',
      latest_invoice: { status: 'open', amount_due: 1200, currency: 'usd' },
    });
    expect(await planClaimOf(person)).toBe('pro');

    await pass(3);
    await reconcileBilling(app.backend);
    expect(await planClaimOf(person)).toBeUndefined();
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'past_due', grace_until: null }]);

    const { latest_invoice: invoice } = await subscriptionOf(app, person.uid);
    await stripeOf(app).invoices.pay(invoice as string, { payment_method: await goodCard(person.uid) });
    await settled(app);
    expect([await statusOf(person.uid), await planClaimOf(person)]).toEqual(['active', 'pro']);
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ latest_invoice: { status: 'paid' } }]);
  });

  test('ends the grace in each run of the reconciliation, also in a run that does not reach the subscriptions', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    await breakCard(person.uid);
    await pass(15);
    later += 3 * DAY_MS;
    onTestFinished(() => {
      later -= 3 * DAY_MS;
    });
    expect(await planClaimOf(person)).toBe('pro');
    await adminFirestore().doc('sweeps/billing').delete();
    const subscriptions = adminFirestore().collectionGroup('subscriptions');
    const lapsed = await subscriptions.where('grace_until', '<=', app.backend.now()).get();
    await reconcileBilling(app.backend, 2 * lapsed.size);
    expect(await planClaimOf(person)).toBeUndefined();
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'past_due', grace_until: null }]);
  });

  test('takes the plan of a team when the grace is over', async () => {
    const owner = await signUp();
    const teamId = await createTeam(app.url, owner);
    await buy(app, owner, `pro?team=${teamId}`);
    await breakCard(teamId);
    await pass(15);
    const planOf = async () => (await adminFirestore().doc(`teams/${teamId}`).get()).data();
    expect(await planOf()).toMatchObject({ plan: 'pro', hasRunningSubscription: true });
    await pass(3);
    await reconcileBilling(app.backend);
    expect(await planOf()).toMatchObject({ plan: 'free', seatLimit: 3, hasRunningSubscription: true });
  });

  test('gives no plan when the grace is over, even while the claim is still there', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    await breakCard(person.uid);
    await pass(15);
    expect(await planOf(person)).toBe('pro');
    later += 3 * DAY_MS;
    expect(await planOf(person)).toBe('free');
  });
});
