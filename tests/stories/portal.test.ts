import { afterEach, expect, test } from 'vitest';
import type { Config } from '../../functions/src/settings/config.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import {
  buy,
  changeInPortal,
  planInSession,
  setUpPortal,
  stripeOf,
  subscriptionOf,
} from '../support/billing.ts';
import { signUp } from '../support/people.ts';

let app: AppUnderTest;
afterEach(() => app[Symbol.asyncDispose]());

async function serveWithPortal(config: Partial<Config> = {}): Promise<void> {
  app = await serveApp({ config });
  await setUpPortal(app);
}

/** The amounts that a customer was charged, the oldest first. */
async function chargesOf(customerId: string): Promise<number[]> {
  const { id } = await subscriptionOf(app, customerId);
  const { data } = await stripeOf(app).invoices.list({ subscription: id });
  return data.map(({ amount_paid: paid }) => paid).reverse();
}

test('an upgrade in the portal is charged immediately', async () => {
  await serveWithPortal();
  const person = await signUp();
  await buy(app, person, 'pro');
  const subscription = await subscriptionOf(app, person.uid);
  expect(await changeInPortal(app, subscription, 'hearth_business_monthly')).toBe(303);
  expect(await planInSession(app, person)).toBe('business');
  const [first, difference = 0] = await chargesOf(person.uid);
  expect(first).toBe(1_200);
  // The whole difference is 3,700 cents, less the seconds that have passed.
  expect(difference).toBeGreaterThan(3_000);
});

test('a change of plan in the portal does not end a trial', async () => {
  await serveWithPortal({ trialDays: 14 });
  const person = await signUp();
  await buy(app, person, 'pro');
  expect(await changeInPortal(app, await subscriptionOf(app, person.uid), 'hearth_business_monthly')).toBe(
    303,
  );
  expect((await subscriptionOf(app, person.uid)).status).toBe('trialing');
  expect(await planInSession(app, person)).toBe('business');
  expect(await chargesOf(person.uid)).toEqual([0]);
});
