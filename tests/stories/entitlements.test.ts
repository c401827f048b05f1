import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { syncEntitlements } from '../../functions/src/billing/customers/sync-entitlements.service.ts';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import { hasEntitlement } from '../../functions/src/billing/subscriptions/access/entitlements.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, claimsOf, deliver, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { meterFirestore, type MeteredFirestore } from '../support/cost.ts';
import { adminAuth, adminFirestore, signUp } from '../support/people.ts';
import { castOf } from '../support/teams.ts';

const UPDATED = 'entitlements.active_entitlement_summary.updated';
const PRO = 'prod_hearth_pro';

/** A Firestore of its own, because the reconciliation stores its position in it. */
let firestore: MeteredFirestore;
let app: AppUnderTest;
/** Gets no events from Stripe but those that the tests deliver. */
let quiet: AppUnderTest;
beforeAll(async () => {
  firestore = await meterFirestore();
  [app, quiet] = await Promise.all([serveApp(), serveApp({ webhooks: false })]);
  await Promise.all([attach(app, ['export', 'sso']), attach(quiet, ['export', 'sso'])]);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await quiet[Symbol.asyncDispose]();
  await firestore[Symbol.asyncDispose]();
});

/** Makes features at Stripe that the product of the plan pro includes. */
async function attach(target: AppUnderTest, keys: readonly string[]): Promise<void> {
  const stripe = stripeOf(target);
  for (const key of keys) {
    const { id } = await stripe.entitlements.features.create({ lookup_key: key, name: key });
    await stripe.products.createFeature(PRO, { entitlement_feature: id });
  }
}

async function cancel(target: AppUnderTest, customerId: string): Promise<void> {
  await stripeOf(target).subscriptions.cancel((await subscriptionOf(target, customerId)).id);
  await settled(target);
}

/** Stripe's latest events about the entitlements of a customer, the newest first. */
async function eventsOf(target: AppUnderTest, customerId: string): Promise<Stripe.Event[]> {
  const { customer } = await subscriptionOf(target, customerId);
  const { data } = await stripeOf(target).events.list({ type: UPDATED, limit: 100 });
  return data.filter(({ data: { object } }) => 'customer' in object && object.customer === customer);
}

async function storedOf(path: string): Promise<unknown> {
  return (await adminFirestore().doc(path).get()).get('entitlements');
}

describe('the features of a product at Stripe', () => {
  test('are entitlements of a user until the subscription ends', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    const claims = await claimsOf(person);
    expect(claims).toEqual({ plan: 'pro', stripeRole: 'pro', entitlements: ['export', 'sso'] });
    expect(await storedOf(`customers/${person.uid}`)).toEqual(['export', 'sso']);
    expect(hasEntitlement(app.config, claims, 'sso')).toBe(true);
    await cancel(app, person.uid);
    expect(await claimsOf(person)).toEqual({});
    expect(await storedOf(`customers/${person.uid}`)).toEqual([]);
  });

  test('are entitlements of a team until the subscription ends', async () => {
    const { teamId, owner } = await castOf(app.url);
    await buy(app, owner, `pro?team=${teamId}`);
    expect(await storedOf(`teams/${teamId}`)).toEqual(['export', 'sso']);
    expect(await claimsOf(owner)).toEqual({});
    await cancel(app, teamId);
    expect(await storedOf(`teams/${teamId}`)).toEqual([]);
  });

  test('that are attached later reach the subscribers', async () => {
    await using other = await serveApp();
    const person = await signUp();
    await buy(other, person, 'pro');
    expect(await claimsOf(person)).toEqual({ plan: 'pro', stripeRole: 'pro' });
    await attach(other, ['late']);
    await settled(other);
    expect(await claimsOf(person)).toMatchObject({ entitlements: ['late'] });
  });

  test('are copied from all pages', async () => {
    await using other = await serveApp();
    const keys = Array.from({ length: 101 }, (_, index) => `f${index}`);
    await attach(other, keys);
    const person = await signUp();
    await buy(other, person, 'pro');
    expect(await storedOf(`customers/${person.uid}`)).toEqual(keys.toSorted());
  });

  test('end when the Stripe customer is deleted', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    const { customer } = await subscriptionOf(app, person.uid);
    await stripeOf(app).customers.del(customer as string);
    await settled(app);
    expect(await claimsOf(person)).toEqual({});
    expect(await storedOf(`customers/${person.uid}`)).toEqual([]);
  });

  test('leave the plan in the claims if there is no room for them', async () => {
    const person = await signUp();
    const room = '"plan":"pro","stripeRole":"pro",'.length + 5;
    const other = 'x'.repeat(1000 - '{"other":""}'.length - room);
    await adminAuth().setCustomUserClaims(person.uid, { other });
    await buy(app, person, 'pro');
    expect(await claimsOf(person)).toEqual({ other, plan: 'pro', stripeRole: 'pro' });
    expect(await storedOf(`customers/${person.uid}`)).toEqual(['export', 'sso']);
  });
});

test('a claim of entitlements that others have written stays if Stripe has never given any', async () => {
  await using other = await serveApp();
  const person = await signUp();
  await adminAuth().setCustomUserClaims(person.uid, { entitlements: ['beta'] });
  await buy(other, person, 'pro');
  await syncEntitlements(other.backend, person.uid);
  expect(await claimsOf(person)).toMatchObject({ plan: 'pro', entitlements: ['beta'] });
});

test('events that come late and in the wrong order give the entitlements that Stripe has now', async () => {
  const person = await signUp();
  await buy(quiet, person, 'pro');
  await cancel(quiet, person.uid);
  const [lost, gained] = await eventsOf(quiet, person.uid);
  for (const event of [lost, gained, gained]) await deliver(quiet, event as Stripe.Event);
  expect(await claimsOf(person)).toEqual({});
  expect(await storedOf(`customers/${person.uid}`)).toBeUndefined();
});

describe('the reconciliation', () => {
  test('makes up for events that were lost', async () => {
    const person = await signUp();
    await buy(quiet, person, 'pro');
    expect(await storedOf(`customers/${person.uid}`)).toBeUndefined();
    await reconcileBilling(quiet.backend);
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro', entitlements: ['export', 'sso'] });
    await cancel(quiet, person.uid);
    await reconcileBilling(quiet.backend);
    expect(await claimsOf(person)).toEqual({});
  });

  test('repairs a claim and a team that somebody has changed', async () => {
    const { teamId, owner } = await castOf(quiet.url);
    await buy(quiet, owner, 'pro');
    await buy(quiet, owner, `pro?team=${teamId}`);
    await reconcileBilling(quiet.backend);
    await adminAuth().setCustomUserClaims(owner.uid, {
      plan: 'pro',
      stripeRole: 'pro',
      entitlements: ['all'],
    });
    await adminFirestore()
      .doc(`teams/${teamId}`)
      .update({ entitlements: ['all'] });
    await reconcileBilling(quiet.backend);
    expect(await claimsOf(owner)).toMatchObject({ entitlements: ['export', 'sso'] });
    expect(await storedOf(`teams/${teamId}`)).toEqual(['export', 'sso']);
  });
});

test('an event costs 3 reads, a team 1 more, and 1 write for each document that changes', async () => {
  const { teamId, owner } = await castOf(quiet.url);
  for (const customer of [owner.uid, teamId]) {
    await buy(quiet, owner, customer === teamId ? `pro?team=${teamId}` : 'pro');
    const [event] = await eventsOf(quiet, customer);
    const another = { ...event, id: `evt_${crypto.randomUUID()}` };
    const isTeam = customer === teamId;
    const reads = isTeam ? 4 : 3;
    const ofClaims = isTeam ? 0 : 1;
    const writes = isTeam ? 3 : 2;
    const first = await firestore.measure(() => deliver(quiet, event as Stripe.Event));
    expect(first).toEqual({ reads: reads + ofClaims, writes, deletes: 0 });
    const second = await firestore.measure(() => deliver(quiet, another));
    expect(second).toEqual({ reads, writes: 1, deletes: 0 });
  }
});
