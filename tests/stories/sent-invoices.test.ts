import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, planInSession, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { EXTRAS } from '../support/extras.ts';
import { signUp } from '../support/people.ts';
import { call, errorOf } from '../support/requests.ts';
import { addMember, castOf } from '../support/teams.ts';

/** An operator has made Stripe send the invoices of a customer, instead of charging a card. */

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp({ config: { seatProration: 'always_invoice', extras: EXTRAS } });
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

describe('an invoice that was sent and is not paid', () => {
  /** A person whose change to Business was invoiced. */
  async function debtor() {
    const person = await signUp();
    await buy(app, person, 'pro');
    await sendInvoices(person.uid);
    const { bearer: headers } = person;
    const ask = (action: string, json: object) =>
      call('POST', `${app.url}/api/auth/subscription/${action}`, { headers, json });
    expect((await ask('change', { plan: 'business', interval: 'year' })).status).toBe(200);
    await settled(app);
    const { id, customer } = await subscriptionOf(app, person.uid);
    return { person, ask, id, customer: customer as string };
  }

  const NOW: [action: string, json: object][] = [
    ['change', { plan: 'pro' }],
    ['preview', { plan: 'pro' }],
    ['add-ons', { addOn: 'storage', quantity: 1 }],
    ['add-ons/preview', { addOn: 'storage', quantity: 1 }],
  ];

  test.each(NOW)('is not turned into credit by a change now (%s)', async (action, json) => {
    const { ask, customer } = await debtor();
    const refused = await ask(action, json);
    expect([refused.status, await errorOf(refused)]).toMatchObject([409, { code: 'invoice_unpaid' }]);
    expect(await stripeOf(app).customers.retrieve(customer)).toMatchObject({ balance: 0 });
  });

  test('blocks a change now also behind a later invoice that is paid', async () => {
    const { ask, id, customer } = await debtor();
    const stripe = stripeOf(app);
    const [item] = (await stripe.subscriptions.retrieve(id)).items.data;
    const { latest_invoice: later } = await stripe.subscriptions.update(id, {
      items: [{ id: item?.id ?? '', quantity: 2 }],
      proration_behavior: 'always_invoice',
    });
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    await stripe.invoices.pay(later as string, { payment_method: card.id });
    expect((await ask('change', { plan: 'pro' })).status).toBe(409);
  });

  test('allows a change at the end of the period, and taking it back', async () => {
    const { ask } = await debtor();
    const planned = await ask('change', { plan: 'pro', when: 'period_end' });
    expect(await planned.json()).toMatchObject({ plannedChange: { plan: 'pro' } });
    const back = await ask('change', { plan: 'business', interval: 'year' });
    expect(await back.json()).toMatchObject({ plan: 'business', plannedChange: null });
  });

  test('allows every change after its payment', async () => {
    const { ask, id, customer } = await debtor();
    const stripe = stripeOf(app);
    const [open] = (await stripe.invoices.list({ subscription: id, status: 'open' })).data;
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    await stripe.invoices.pay(open?.id ?? '', { payment_method: card.id });
    await settled(app);
    expect((await ask('change', { plan: 'pro' })).status).toBe(200);
  });
});
