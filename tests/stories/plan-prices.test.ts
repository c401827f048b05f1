import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, checkout, subscriptionCopiesOf, subscriptionOf } from '../support/billing.ts';
import { signUp } from '../support/people.ts';
import { plansWith, priceOf } from '../support/plans.ts';
import { castOf } from '../support/teams.ts';

let app: AppUnderTest;
beforeAll(async () => {
  const plans = plansWith({
    pro: { for: ['user'], prices: { year: priceOf('hearth_pro_yearly', 9_900) } },
    business: {
      for: ['team'],
      slug: 'scale',
      formerly: ['business'],
      prices: { month: priceOf('hearth_business_monthly', 4_900) },
    },
  });
  app = await serveApp({ config: { plans } });
});
afterAll(() => app[Symbol.asyncDispose]());

test('a plan that is sold by the year is bought for a year', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ role: 'pro', status: 'active' }]);
  const { items } = await subscriptionOf(app, person.uid);
  expect(items.data[0]?.price).toMatchObject({ unit_amount: 9_900, recurring: { interval: 'year' } });
});

test('a plan that is sold by the year is not sold by the month', async () => {
  const person = await signUp();
  const response = await checkout(app, person, 'pro?interval=month');
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('cannot be paid monthly');
  expect(await subscriptionCopiesOf(person.uid)).toEqual([]);
});

test('a plan for teams is sold to a team, also by a link with its former slug, and to no user', async () => {
  const { teamId, owner } = await castOf(app.url);
  const response = await checkout(app, owner, 'scale');
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('is for teams only');
  await buy(app, owner, `business?team=${teamId}`);
  expect(await subscriptionCopiesOf(teamId)).toMatchObject([{ role: 'scale' }]);
  expect(await subscriptionCopiesOf(owner.uid)).toEqual([]);
});

test('a plan for users is sold to no team', async () => {
  const { teamId, owner } = await castOf(app.url);
  const response = await checkout(app, owner, `pro?team=${teamId}`);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('is for users only');
});
