import { expect, test } from 'vitest';
import { syncSeats } from '../../functions/src/billing/subscriptions/sync/seats.service.ts';
import { serveApp } from '../support/app.ts';
import { checkout, stripeOf, subscriptionOf } from '../support/billing.ts';
import { adminFirestore } from '../support/people.ts';
import { locationOf, visit } from '../support/requests.ts';
import { addMember, castOf } from '../support/teams.ts';

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
  const { id, customer } = await subscriptionOf(app, teamId);
  const card = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: customer as string,
  });
  await stripe.subscriptions.update(id, { default_payment_method: card.id });
  await addMember(teamId, outsider, 'member');
  for (let sync = 0; sync < 3; sync++) await syncSeats(app.backend, teamId);
  const { data } = await stripe.invoices.list({ subscription: id });
  expect(data.map(({ status }) => status)).toEqual(['open', 'paid']);
});
