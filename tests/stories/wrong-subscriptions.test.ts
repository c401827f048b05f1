import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import { syncSeats } from '../../functions/src/billing/subscriptions/sync/seats.service.ts';
import { HOUR_MS } from '../../functions/src/common/durations.ts';
import type { Config } from '../../functions/src/settings/config.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { meterFirestore, type MeteredFirestore } from '../support/cost.ts';
import { METERS } from '../support/extras.ts';
import { adminFirestore, signUp } from '../support/people.ts';
import { plansWith, priceOf } from '../support/plans.ts';
import { addMember, castOf } from '../support/teams.ts';

/** The logger uses the function that the console has when it is loaded, so it is watched before. */
const { lines } = vi.hoisted(() => {
  const lines: string[] = [];
  console.error = (line: string) => {
    lines.push(line);
  };
  return { lines };
});

/** A Firestore of its own, because the reconciliation stores its position in it. */
let firestore: MeteredFirestore;
let app: AppUnderTest;
beforeAll(async () => {
  firestore = await meterFirestore();
});
afterEach(() => app[Symbol.asyncDispose]());
afterAll(() => firestore[Symbol.asyncDispose]());

const errors = () => lines.map((line) => (JSON.parse(line) as { message: string }).message);

/** A person with Pro, whose only line item then gets the price of Business in Stripe's dashboard. */
async function changeInDashboard(config: Partial<Config>): Promise<void> {
  await adminFirestore().doc('sweeps/billing').delete();
  app = await serveApp({ config });
  const person = await signUp();
  await buy(app, person, 'pro');
  const { id, items } = await subscriptionOf(app, person.uid);
  const stripe = stripeOf(app);
  const [price] = (await stripe.prices.list({ lookup_keys: ['other_month'] })).data;
  lines.length = 0;
  const item = { id: items.data[0]?.id ?? '', price: price?.id ?? '' };
  await stripe.subscriptions.update(id, { items: [item] });
  await settled(app);
}

/** Expects the error after the event of the change, and in each pass of the reconciliation. */
async function expectError(message: string): Promise<void> {
  expect(errors()).toContain(message);
  for (const pass of ['first', 'second']) {
    lines.length = 0;
    await reconcileBilling(app.backend);
    await settled(app);
    expect(errors(), pass).toContain(message);
  }
}

test('a subscription without the line item of its usage is logged', async () => {
  const metered = [{ meter: 'calls', lookupKey: 'other_calls', unitAmount: 5 }];
  const other = { perSeat: false, prices: { month: priceOf('other_month', 4_900, { metered }) } };
  await changeInDashboard({ plans: plansWith({ business: other }), extras: METERS });
  await expectError('A subscription does not bill the usage of its plan');
});

test('a subscription of a user to a plan for teams is logged', async () => {
  const other = { for: ['team'], prices: { month: priceOf('other_month', 4_900) } };
  await changeInDashboard({ plans: plansWith({ business: other }) });
  await expectError('A subscription gives a plan that is not for its customer');
});

test('seats that no task corrects are logged after two days, and a later change counts anew', async () => {
  await adminFirestore().doc('sweeps/billing').delete();
  let hours = 0;
  const now = () => new Date(Date.now() + hours * HOUR_MS);
  // The queue is paused.
  app = await serveApp({ backend: { now, enqueueSeatSync: () => Promise.resolve() } });
  const { owner, outsider, teamId } = await castOf(app.url);
  await buy(app, owner, `business?team=${teamId}`);
  const messagesAfter = async (time: number) => {
    hours = time;
    lines.length = 0;
    await reconcileBilling(app.backend);
    await settled(app);
    return errors();
  };
  await addMember(teamId, outsider, 'member');
  for (const time of [0, 10, 20, 30, 40]) expect(await messagesAfter(time), `${time} hours`).toEqual([]);
  expect(await messagesAfter(50)).toEqual(['The seats of a team stay wrong']);
  expect(lines[0]).toContain(teamId);

  await syncSeats(app.backend, teamId);
  await addMember(teamId, await signUp(), 'member');
  // Another number is wrong now, and then the visits were too far apart.
  expect(await messagesAfter(60)).toEqual([]);
  expect(await messagesAfter(110)).toEqual([]);
});
