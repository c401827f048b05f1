import { beforeAll, expect, test } from 'vitest';
import { syncSubscription } from '../../functions/src/billing/subscriptions/sync/sync.service.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, checkout, subscriptionOf } from '../support/billing.ts';
import { adminFirestore, signUp } from '../support/people.ts';
import { useResources } from '../support/resources.ts';

/**
 * With a secret key of test mode or of another account, Stripe does not know the customers of live mode. They must not
 * be taken for deleted.
 */

const resources = useResources();
let app: AppUnderTest;
beforeAll(async () => {
  app = resources.use(await serveApp());
});

const LIVE = 'https://dashboard.stripe.com/customers/cus_unknown';
const TEST = 'https://dashboard.stripe.com/test/customers/cus_unknown';

const customerOf = (uid: string) => adminFirestore().doc(`customers/${uid}`);

test.each([
  ['live mode stays, and the checkout fails', LIVE, 500],
  ['test mode is replaced', TEST, 303],
])('an unknown Stripe customer of %s', async (_what, stripeLink, status) => {
  const person = await signUp();
  await checkout(app, person, 'pro');
  await customerOf(person.uid).update({ stripeId: 'cus_unknown', stripeLink });
  expect((await checkout(app, person, 'business')).status).toBe(status);
  const stripeId = (await customerOf(person.uid).get()).get('stripeId') as string;
  expect(stripeId === 'cus_unknown').toBe(status === 500);
});

test('the copy of an unknown subscription of live mode stays, and the plan with it', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  const { id } = await subscriptionOf(app, person.uid);
  const copies = customerOf(person.uid).collection('subscriptions');
  const copy = (await copies.doc(id).get()).data() ?? {};
  await copies.doc('sub_unknown').set({ ...copy, stripeLink: LIVE });
  await expect(syncSubscription(app.backend, person.uid, 'sub_unknown')).rejects.toThrow('sub_unknown');
  expect((await copies.doc('sub_unknown').get()).exists).toBe(true);
  await copies.doc('sub_unknown').update({ stripeLink: TEST });
  await syncSubscription(app.backend, person.uid, 'sub_unknown');
  expect((await copies.doc('sub_unknown').get()).exists).toBe(false);
});
