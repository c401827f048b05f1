import type { Auth } from 'firebase-admin/auth';
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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
import { adminAuth, adminFirestore, signUp, type Person } from './support/people.ts';
import { locationOf, visit } from './support/requests.ts';

/** The logger uses the functions that the console has when it is loaded, so errors are watched before. */
const { errors } = vi.hoisted(() => {
  const errors: string[] = [];
  console.error = (line: string) => {
    errors.push(line);
  };
  return { errors };
});

/** Gets no events from Stripe but those that the tests deliver. */
let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp({ webhooks: false });
});
afterAll(() => app[Symbol.asyncDispose]());

/** Claims of another program that leave the given number of the 1,000 characters that Firebase Auth allows. */
const othersClaims = (free: number) => ({ other: 'x'.repeat(1000 - '{"other":""}'.length - free) });

async function deliverUpdate(person: Person): Promise<void> {
  const object = await subscriptionOf(app, person.uid);
  const id = `evt_${crypto.randomUUID()}`;
  await deliver(app, { id, object: 'event', type: 'customer.subscription.updated', data: { object } });
}

const faultsOf = ({ uid }: Person) =>
  errors.map((line) => JSON.parse(line) as { uid?: string }).filter((entry) => entry.uid === uid);

const TOO_LARGE = { severity: 'ERROR', message: 'Claims are too large for a plan' };

test('an event is processed although the claims of others leave no room for the plan, and the log has the user', async () => {
  const person = await signUp();
  await adminAuth().setCustomUserClaims(person.uid, othersClaims(5));
  await buy(app, person, 'pro');
  await deliverUpdate(person);
  expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'active', role: 'pro' }]);
  expect(await claimsOf(person)).toEqual(othersClaims(5));
  expect(faultsOf(person)).toMatchObject([TOO_LARGE]);
});

test('the return from such a purchase redirects to the app', async () => {
  const person = await signUp();
  await adminAuth().setCustomUserClaims(person.uid, othersClaims(5));
  const page = locationOf(await checkout(app, person, 'pro'));
  const back = locationOf(await pay(app, page));
  const answer = await visit(app.url + back.pathname + back.search, person.bearer);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/billing/success']);
  expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'active', role: 'pro' }]);
});

test('a plan without room removes the previous plan from the claims, and is written once there is room', async () => {
  const person = await signUp();
  // Room for pro, twice, but not for business.
  await adminAuth().setCustomUserClaims(person.uid, othersClaims('"plan":"pro","stripeRole":"pro",'.length));
  await buy(app, person, 'pro');
  await deliverUpdate(person);
  expect(await claimsOf(person)).toMatchObject({ plan: 'pro', stripeRole: 'pro' });
  const { id, items } = await subscriptionOf(app, person.uid);
  const item = { id: items.data[0]?.id ?? '', price: 'price_hearth_business_month' };
  await stripeOf(app).subscriptions.update(id, { items: [item] });
  await settled(app);
  await deliverUpdate(person);
  expect(Object.keys(await claimsOf(person))).toEqual(['other']);
  expect(faultsOf(person)).toMatchObject([TOO_LARGE]);

  await adminAuth().setCustomUserClaims(person.uid, {});
  await deliverUpdate(person);
  expect(await claimsOf(person)).toEqual({ plan: 'business', stripeRole: 'business' });
});

test('entitlements without room are left out of the claims, the plan stays, and the log has the user', async () => {
  const person = await signUp();
  const room = othersClaims('"plan":"pro","stripeRole":"pro",'.length + 5);
  await adminAuth().setCustomUserClaims(person.uid, room);
  await buy(app, person, 'pro');
  await deliverUpdate(person);
  await adminFirestore()
    .doc(`customers/${person.uid}`)
    .update({ entitlements: ['export'] });
  await deliverUpdate(person);
  expect(await claimsOf(person)).toEqual({ ...room, plan: 'pro', stripeRole: 'pro' });
  expect(faultsOf(person)).toMatchObject([
    { ...TOO_LARGE, message: 'Claims are too large for the entitlements' },
  ]);
});

/** Firebase Auth whose first write of claims waits for `letThrough`. */
function gatedAuth(): { auth: Auth; reached: Promise<void>; letThrough: () => void } {
  const reached = Promise.withResolvers<undefined>();
  const gate = Promise.withResolvers<undefined>();
  const auth = new Proxy(adminAuth(), {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'setCustomUserClaims') {
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      }
      return async (uid: string, claims: object | null) => {
        reached.resolve(undefined);
        await gate.promise;
        await target.setCustomUserClaims(uid, claims);
      };
    },
  });
  return {
    auth,
    reached: reached.promise,
    letThrough: () => {
      gate.resolve(undefined);
    },
  };
}

test('claims that are written late do not give a plan that ended in the meantime', async () => {
  const { auth, reached, letThrough } = gatedAuth();
  await using slow = await serveApp({ webhooks: false, backend: { auth } });
  const person = await signUp();
  await buy(slow, person, 'pro');
  const deliverToSlow = async (object: Stripe.Subscription) => {
    const id = `evt_${crypto.randomUUID()}`;
    await deliver(slow, { id, object: 'event', type: 'customer.subscription.updated', data: { object } });
  };
  const subscription = await subscriptionOf(slow, person.uid);
  const late = deliverToSlow(subscription);
  await reached;
  await deliverToSlow(await stripeOf(slow).subscriptions.cancel(subscription.id));
  expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'canceled' }]);
  letThrough();
  await late;
  expect(await claimsOf(person)).toEqual({});
});
