import { expect, test } from 'vitest';
import { syncSeats } from '../../functions/src/billing/subscriptions/sync/seats.service.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, checkout, payInvoice, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { passAtStripe } from '../support/clock.ts';
import { adminFirestore } from '../support/people.ts';
import { call, locationOf, visit } from '../support/requests.ts';
import { addMember, castOf } from '../support/teams.ts';

/** From now on the card of a team is declined. Returns the id of its subscription. */
async function declineCard(app: AppUnderTest, teamId: string): Promise<string> {
  const stripe = stripeOf(app);
  const { id, customer } = await subscriptionOf(app, teamId);
  const card = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: customer as string,
  });
  await stripe.subscriptions.update(id, { default_payment_method: card.id });
  return id;
}

test('a seat that waits for its payment is charged once, however often it is synced', async () => {
  // No event and no queue repeats the sync.
  await using app = await serveApp({
    webhooks: false,
    config: { seatProration: 'always_invoice' },
    backend: { enqueueSeatSync: () => Promise.resolve() },
  });
  const { teamId, owner, outsider } = await castOf(app.url);
  const page = locationOf(await checkout(app, owner, `business?team=${teamId}`));
  await fetch(page, { method: 'POST', redirect: 'manual' });
  const session = (await adminFirestore().doc(`customers/${teamId}`).get()).get(
    'checkout.sessionId',
  ) as string;
  await visit(`${app.url}/api/auth/checkout/return?session_id=${session}`, owner.bearer);

  const stripe = stripeOf(app);
  const id = await declineCard(app, teamId);
  await addMember(teamId, outsider, 'member');
  for (let sync = 0; sync < 3; sync++) await syncSeats(app.backend, teamId);
  const { data } = await stripe.invoices.list({ subscription: id });
  expect(data.map(({ status }) => status)).toEqual(['open', 'paid']);
});

/** A team of three whose change to yearly payment waits for its payment, and that gets a fourth member meanwhile. */
async function teamWithWaitingChange(app: AppUnderTest) {
  const { teamId, owner, outsider } = await castOf(app.url);
  await buy(app, owner, `business?team=${teamId}`);
  const id = await declineCard(app, teamId);
  const changed = await call('POST', `${app.url}/api/auth/subscription/change`, {
    headers: owner.bearer,
    json: { team: teamId, plan: 'business', interval: 'year' },
  });
  expect(await changed.json()).toMatchObject({ interval: 'month', payment: { currency: 'usd' } });
  await addMember(teamId, outsider, 'member');
  await syncSeats(app.backend, teamId);
  await settled(app);
  const latest = (await subscriptionOf(app, teamId)).latest_invoice as string;
  return { teamId, invoice: await stripeOf(app).invoices.retrieve(latest), id };
}

/** The price and the quantity that a team pays for. */
async function planItemOf(app: AppUnderTest, teamId: string) {
  const { items } = await subscriptionOf(app, teamId);
  return items.data.map(({ price, quantity }) => [price.lookup_key, quantity]);
}

test.each(['create_prorations', 'always_invoice'] as const)(
  'a new member leaves the invoice of a change of plan open, and is billed after it is paid, with %s',
  async (seatProration) => {
    await using app = await serveApp({ config: { seatProration } });
    const { teamId, invoice } = await teamWithWaitingChange(app);
    expect(invoice.status).toBe('open');
    expect(await planItemOf(app, teamId)).toEqual([['hearth_business_monthly', 3]]);
    await payInvoice(app, invoice);
    const paidItem = ['hearth_business_yearly', seatProration === 'always_invoice' ? 3 : 4];
    expect(await planItemOf(app, teamId)).toEqual([paidItem]);
  },
);

test('a new member is billed after a change of plan that was never paid has expired', async () => {
  await using app = await serveApp({ config: { seatProration: 'create_prorations' } });
  const { teamId, invoice } = await teamWithWaitingChange(app);
  await passAtStripe(app, 86_400);
  expect((await stripeOf(app).invoices.retrieve(invoice.id)).status).toBe('void');
  expect(await planItemOf(app, teamId)).toEqual([['hearth_business_monthly', 4]]);
});
