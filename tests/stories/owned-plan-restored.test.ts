import type Stripe from 'stripe';
import { beforeAll, expect, test } from 'vitest';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import {
  buy,
  buyOnce,
  checkout,
  claimsOf,
  deliver,
  settled,
  stripeOf,
  subscriptionOf,
} from '../support/billing.ts';
import { meterFirestore } from '../support/cost.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { PRO_SOLD_ONCE } from '../support/plans.ts';
import { useResources } from '../support/resources.ts';

/** Customers who own a plan, and whose document somebody has deleted. Their purchases are left. */

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  // Own Firestore, because the reconciliation stores its cursor there.
  resources.use(await meterFirestore());
  app = resources.use(await serveApp({ config: { plans: PRO_SOLD_ONCE } }));
});

const customerOf = ({ uid }: Person) => adminFirestore().doc(`customers/${uid}`);

async function ownPro(): Promise<{ person: Person; owned: unknown; event: Stripe.Event }> {
  const person = await signUp();
  await buyOnce(app, person, { item: 'pro' });
  const { data } = await stripeOf(app).events.list({ type: 'checkout.session.completed', limit: 1 });
  const owned: unknown = (await customerOf(person).get()).get('ownedPlans');
  expect(Object.keys(owned as object)).toHaveLength(1);
  return { person, owned, event: data[0] as Stripe.Event };
}

test('an owned plan stays when the reconciliation makes the document of its customer again', async () => {
  const { person, owned } = await ownPro();
  await buy(app, person, 'business');
  await customerOf(person).delete();
  await reconcileBilling(app.backend);
  await settled(app);
  expect((await customerOf(person).get()).get('ownedPlans')).toEqual(owned);
  await stripeOf(app).subscriptions.cancel((await subscriptionOf(app, person.uid)).id);
  await settled(app);
  expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
});

test('an owned plan comes back when its event is sent again after a checkout has made the document', async () => {
  const { person, owned, event } = await ownPro();
  await customerOf(person).delete();
  await checkout(app, person, 'business');
  expect((await customerOf(person).get()).get('ownedPlans')).toBeUndefined();
  await deliver(app, event);
  await deliver(app, event);
  expect((await customerOf(person).get()).data()).toMatchObject({ ownedPlans: owned, plan: 'pro' });
  expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
});

test('an owned plan that was refunded meanwhile does not come back', async () => {
  const { person, event } = await ownPro();
  const { docs } = await customerOf(person).collection('purchases').get();
  await customerOf(person).delete();
  await checkout(app, person, 'business');
  await stripeOf(app).refunds.create({ payment_intent: docs[0]?.get('paymentIntentId') as string });
  await settled(app);
  await deliver(app, event);
  expect((await customerOf(person).get()).get('ownedPlans')).toBeUndefined();
});
