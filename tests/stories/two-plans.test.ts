import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { adminAuth, signUp } from '../support/people.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

test('a subscription with items of two plans gives the better one, also if it comes second', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  const { id } = await subscriptionOf(app, person.uid);
  await stripeOf(app).subscriptionItems.create({ subscription: id, price: 'price_hearth_business_month' });
  await settled(app);
  expect((await adminAuth().getUser(person.uid)).customClaims).toMatchObject({ plan: 'business' });
});
