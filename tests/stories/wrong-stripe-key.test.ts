import { beforeAll, describe, expect, test } from 'vitest';
import { syncOneTimePurchase } from '../../functions/src/billing/purchases/sync-purchase.service.ts';
import { syncSubscription } from '../../functions/src/billing/subscriptions/sync/sync.service.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, checkout, orderOnce, purchasePage, purchasesOf, subscriptionOf } from '../support/billing.ts';
import { CREDITS } from '../support/extras.ts';
import { adminFirestore, signUp } from '../support/people.ts';
import { PRO_SOLD_ONCE } from '../support/plans.ts';
import { useResources } from '../support/resources.ts';

/**
 * With a secret key of test mode or of another account, Stripe does not know the customers of live mode. They must not
 * be taken for deleted.
 */

const resources = useResources();
let app: AppUnderTest;
beforeAll(async () => {
  app = resources.use(await serveApp({ config: { plans: PRO_SOLD_ONCE, extras: CREDITS } }));
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

describe('a one-time purchase', () => {
  async function orderWith(sessionId: string) {
    const person = await signUp();
    await purchasePage(app, person, { item: 'pro' });
    const { docs } = await customerOf(person.uid).collection('purchases').get();
    await docs[0]?.ref.update({ sessionId });
    return { person, customerId: person.uid, purchaseId: docs[0]?.id ?? '' };
  }

  test('with an unknown session of live mode stays while its payment is on its way', async () => {
    const { customerId, purchaseId } = await orderWith('cs_live_unknown');
    await customerOf(customerId).collection('purchases').doc(purchaseId).update({ status: 'processing' });
    await expect(syncOneTimePurchase(app.backend, { customerId, purchaseId })).rejects.toThrow(
      'cs_live_unknown',
    );
    expect(await purchasesOf(customerId)).toMatchObject([{ status: 'processing' }]);
  });

  test('with an unknown session of live mode stays when it is ordered again, because its page may be paid', async () => {
    const { person, customerId } = await orderWith('cs_live_unknown');
    for (const item of ['pro', 'hundred']) expect((await orderOnce(app, person, { item })).status).toBe(500);
    expect((await purchasesOf(customerId)).map(({ status }) => status)).toContain('open');
  });

  test('with an unknown session of test mode is removed', async () => {
    const { customerId, purchaseId } = await orderWith('cs_test_unknown');
    await syncOneTimePurchase(app.backend, { customerId, purchaseId });
    expect(await purchasesOf(customerId)).toEqual([]);
  });
});

test('a checkout of live mode that Stripe does not know is not replaced by another one', async () => {
  const person = await signUp();
  await checkout(app, person, 'pro');
  await customerOf(person.uid).update({ 'checkout.sessionId': 'cs_live_unknown' });
  expect((await checkout(app, person, 'pro')).status).toBe(500);
  expect((await customerOf(person.uid).get()).get('checkout.sessionId')).toBe('cs_live_unknown');
});
