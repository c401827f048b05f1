import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, planInSession, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { signUp } from '../support/people.ts';
import { call } from '../support/requests.ts';
import { addMember, castOf } from '../support/teams.ts';

/** An operator has made Stripe send the invoices of a customer, instead of charging a card. */

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp({ config: { seatProration: 'always_invoice' } });
});
afterAll(() => app[Symbol.asyncDispose]());

async function sendInvoices(customerId: string): Promise<void> {
  const { id } = await subscriptionOf(app, customerId);
  await stripeOf(app).subscriptions.update(id, { collection_method: 'send_invoice', days_until_due: 30 });
  await settled(app);
}

test('a change of plan takes effect at once, and its invoice can be paid', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  await sendInvoices(person.uid);
  const response = await call('POST', `${app.url}/api/auth/subscription/change`, {
    headers: person.bearer,
    json: { plan: 'business' },
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    plan: 'business',
    status: 'active',
    payment: { url: expect.any(String) as string },
  });
  expect(await planInSession(app, person)).toBe('business');
});

test('a new seat is on an invoice at once', async () => {
  const { owner, teamId } = await castOf(app.url);
  await buy(app, owner, `business?team=${teamId}`);
  await sendInvoices(teamId);
  const before = (await subscriptionOf(app, teamId)).items.data[0]?.quantity ?? 0;
  await addMember(teamId, await signUp(), 'member');
  await app.backend.enqueueSeatSync(teamId);
  await settled(app);
  const { id, status, items } = await subscriptionOf(app, teamId);
  expect([status, items.data[0]?.quantity]).toEqual(['active', before + 1]);
  const [sent] = (await stripeOf(app).invoices.list({ subscription: id })).data;
  expect(sent).toMatchObject({ status: 'open', billing_reason: 'subscription_update' });
});
