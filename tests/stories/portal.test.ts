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
import { METERS } from '../support/extras.ts';
import { signUp } from '../support/people.ts';
import { plansWith, priceOf } from '../support/plans.ts';
import { addMember, castOf } from '../support/teams.ts';

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

const items = async (customerId: string) =>
  (await subscriptionOf(app, customerId)).items.data.map(({ price, quantity }) => [
    price.lookup_key,
    quantity,
  ]);

test('a team that pays per seat cannot switch to a base price in the portal', async () => {
  const seat = { lookupKey: 'base_seat', unitAmount: 800, included: 3 };
  const base = {
    perSeat: undefined,
    for: ['team'],
    prices: { month: priceOf('base_month', 4_900, { seat }) },
  };
  await serveWithPortal({ plans: plansWith({ pro: base }) });
  const { teamId, owner } = await castOf(app.url);
  await addMember(teamId, await signUp(), 'member');
  await buy(app, owner, `business?team=${teamId}`);
  const before = await items(teamId);
  expect(await changeInPortal(app, await subscriptionOf(app, teamId), 'base_month')).toBe(400);
  expect(await items(teamId)).toEqual(before);
});

test('nobody can switch to a plan with usage in the portal', async () => {
  const metered = [{ meter: 'calls', lookupKey: 'calls_month', unitAmount: 5 }];
  const usage = { perSeat: undefined, prices: { month: priceOf('usage_month', 4_900, { metered }) } };
  await serveWithPortal({ plans: plansWith({ business: usage }), extras: METERS });
  const person = await signUp();
  await buy(app, person, 'pro');
  expect(await changeInPortal(app, await subscriptionOf(app, person.uid), 'usage_month')).toBe(400);
  expect(await planInSession(app, person)).toBe('pro');
});

test('a user cannot switch to a plan for teams in the portal', async () => {
  await serveWithPortal({ plans: plansWith({ business: { for: ['team'] } }) });
  const person = await signUp();
  await buy(app, person, 'pro');
  expect(await changeInPortal(app, await subscriptionOf(app, person.uid), 'hearth_business_monthly')).toBe(
    400,
  );
  expect(await planInSession(app, person)).toBe('pro');
});
