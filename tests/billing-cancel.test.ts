import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginCheckout } from '../functions/src/billing/checkout/checkout.service.ts';
import { cancelAndSyncSubscriptions } from '../functions/src/billing/customers/deletion/cancel.service.ts';
import { purgeBilling } from '../functions/src/billing/customers/deletion/purge.service.ts';
import { userSubject, type Subject } from '../functions/src/billing/subject.ts';
import { runInBatches } from '../functions/src/personal-data/purge.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { orderOnce } from './support/billing.ts';
import { STRIPE_SECRET_KEY } from './support/config.ts';
import { dbOn } from './support/database.ts';
import { CREDITS } from './support/extras.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call, errorOf, locationOf } from './support/requests.ts';
import { createTeam } from './support/teams.ts';

let app: AppUnderTest;
let stripe: Stripe;
beforeAll(async () => {
  app = await serveApp({ config: { extras: CREDITS } });
  stripe = new Stripe(STRIPE_SECRET_KEY, { host: '127.0.0.1', port: app.stripe.port, protocol: 'http' });
});
afterAll(() => app[Symbol.asyncDispose]());

const checkout = (person: Person, slug = 'pro') =>
  call('GET', `${app.url}/api/auth/checkout/${slug}`, { headers: person.bearer });

async function pay(page: URL): Promise<number> {
  const { status } = await fetch(page, { method: 'POST', redirect: 'manual' });
  await app.stripe.idle();
  return status;
}

async function storedStatuses(person: Person): Promise<unknown[]> {
  const { docs } = await adminFirestore().collection(`customers/${person.uid}/subscriptions`).get();
  return docs.map((document) => document.get('status') as unknown);
}

async function subscriptionsOf(person: Person): Promise<Stripe.Subscription[]> {
  const customer = await adminFirestore().doc(`customers/${person.uid}`).get();
  const { data } = await stripe.subscriptions.list({
    customer: customer.get('stripeId') as string,
    status: 'all',
  });
  return data;
}

const cancelAll = (person: Person) => cancelAndSyncSubscriptions(app.backend, person.uid);

test('every subscription of a user ends immediately, at Stripe and in our copy, and ends only once', async () => {
  const person = await signUp();
  await pay(locationOf(await checkout(person)));
  await cancelAll(person);
  expect((await subscriptionsOf(person)).map(({ status }) => status)).toEqual(['canceled']);
  expect(await storedStatuses(person)).toEqual(['canceled']);
  await cancelAll(person);
  await app.stripe.idle();
  expect(await storedStatuses(person)).toEqual(['canceled']);
});

test('an open checkout can no longer be paid, and no other can start', async () => {
  const person = await signUp();
  const page = locationOf(await checkout(person));
  await cancelAll(person);
  expect(await pay(page)).toBe(410);
  expect(await errorOf(await checkout(person))).toMatchObject({ status: 409, code: 'customer_closed' });
  expect(await subscriptionsOf(person)).toEqual([]);
});

test.each([
  ['checkout', (person: Person) => checkout(person)],
  ['one-time purchase', (person: Person) => orderOnce(app, person, { item: 'hundred' })],
])('a %s of a closed customer makes no page at Stripe', async (_what, begin) => {
  const person = await signUp();
  await call('GET', `${app.url}/api/auth/portal`, { headers: person.bearer });
  await cancelAll(person);
  expect(await errorOf(await begin(person))).toMatchObject({ status: 409, code: 'customer_closed' });
  const customer = await adminFirestore().doc(`customers/${person.uid}`).get();
  const { data } = await stripe.checkout.sessions.list({ customer: customer.get('stripeId') as string });
  expect(data).toEqual([]);
});

test.each([
  ['checkout', (person: Person) => checkout(person)],
  ['one-time purchase', (person: Person) => orderOnce(app, person, { item: 'hundred' })],
])('a %s whose page is being made ends with the deletion', async (_what, begin) => {
  const person = await signUp();
  await call('GET', `${app.url}/api/auth/portal`, { headers: person.bearer });
  await call('POST', `${app.stripe.url}/_emulator/fail`, {
    json: { method: 'POST', path: '/v1/checkout/sessions', status: 'hold', times: 1 },
  });
  const begun = begin(person);
  await call('GET', `${app.stripe.url}/_emulator/held?atLeast=1`);
  await cancelAll(person);
  await call('POST', `${app.stripe.url}/_emulator/release`);
  expect(await errorOf(await begun)).toMatchObject({ status: 409, code: 'customer_closed' });
});

test.each([
  [
    'user',
    async () => userSubject({ ...(await deletedUser()), emailVerified: true, displayName: undefined }),
    'customer_closed',
  ],
  ['team', teamInDeletion, 'team_not_found'],
])('a checkout of a deleted %s that is still under way makes no customer', async (_what, subjectOf, code) => {
  const subject = await subjectOf();
  await expect(beginCheckout(app.backend, subject, { slug: 'pro' })).rejects.toMatchObject({ code });
  expect((await adminFirestore().doc(`customers/${subject.customerId}`).get()).exists).toBe(false);
});

async function deletedUser(): Promise<Person> {
  const person = await signUp();
  await call('DELETE', `${app.url}/api/auth/user`, { headers: person.bearer });
  return person;
}

/** A team whose deletion has begun, as the subject of a request that began before. */
async function teamInDeletion(): Promise<Subject> {
  const owner = await signUp();
  const teamId = await createTeam(app.url, owner);
  await adminFirestore().doc(`teams/${teamId}`).update({ deletingSince: new Date() });
  return {
    ...userSubject({ ...owner, emailVerified: true, displayName: undefined }),
    type: 'team',
    customerId: teamId,
  };
}

test('a checkout page that is made after the deletion looked for one cannot be paid', async () => {
  const person = await signUp();
  await cancelAll(person);
  const page = locationOf(await checkout(person));
  expect(await runInBatches(app.backend, person.uid, [purgeBilling], () => false)).toBe(true);
  expect(await pay(page)).toBe(410);
  expect((await adminFirestore().doc(`customers/${person.uid}`).get()).exists).toBe(false);
});

test('a user without a profile can buy', async () => {
  const person = await signUp();
  await adminFirestore().doc(`users/${person.uid}`).delete();
  expect((await checkout(person)).status).toBe(303);
});

test('a user whose deletion failed can buy again an hour later', async () => {
  const person = await signUp();
  await checkout(person);
  await cancelAll(person);
  const anHourAgo = new Date(Date.now() - 3_600_000);
  await adminFirestore().doc(`customers/${person.uid}`).update({ closedAt: anHourAgo });
  expect((await checkout(person)).status).toBe(303);
});

test('a user without a customer causes no call to Stripe', async () => {
  const person = await signUp();
  await call('DELETE', `${app.stripe.url}/_emulator/requests`);
  await cancelAll(person);
  const requests = await call('GET', `${app.stripe.url}/_emulator/requests`);
  expect(await requests.json()).toMatchObject({ counts: {} });
});

test('fails while Stripe is down, and succeeds when it is repeated', async () => {
  const person = await signUp();
  await pay(locationOf(await checkout(person)));
  await call('POST', `${app.stripe.url}/_emulator/fail`, {
    json: { method: 'DELETE', path: '/v1/subscriptions/:id', times: 3, status: 500 },
  });
  await expect(cancelAll(person)).rejects.toMatchObject({ status: 503, code: 'billing_unavailable' });
  await cancelAll(person);
  expect(await storedStatuses(person)).toEqual(['canceled']);
});

test('a subscription that is synced while its customer is removed is removed as well', async () => {
  const person = await signUp();
  await pay(locationOf(await checkout(person)));
  const firestore = adminFirestore();
  const customer = firestore.doc(`customers/${person.uid}`);
  const late = customer.collection('subscriptions').doc('sub_late');
  let isLate = false;
  const busy = Object.create(firestore, {
    batch: {
      value: () => {
        const batch = firestore.batch();
        const commit = batch.commit.bind(batch);
        batch.commit = async () => {
          const results = await commit();
          if (!isLate) await late.set({ status: 'canceled' });
          isLate = true;
          return results;
        };
        return batch;
      },
    },
  }) as typeof firestore;

  const backend = { ...app.backend, db: dbOn(() => Promise.resolve(busy)) };
  expect(await runInBatches(backend, person.uid, [purgeBilling], () => false)).toBe(true);
  expect([(await late.get()).exists, (await customer.get()).exists]).toEqual([false, false]);
});
