import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { passAtStripe } from '../support/clock.ts';
import { adminFirestore, type Person } from '../support/people.ts';
import { call, visit } from '../support/requests.ts';
import { castOf, inviteTo, mailTo } from '../support/teams.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp({ config: { seatProration: 'always_invoice', pastDueGraceDays: 0 } });
});
afterAll(() => app[Symbol.asyncDispose]());

const teamDocument = async (teamId: string) => (await adminFirestore().doc(`teams/${teamId}`).get()).data();

/** The default card of a subscription, such as `pm_card_visa`. */
async function useCard({ id, customer }: Stripe.Subscription, token: string): Promise<void> {
  const stripe = stripeOf(app);
  const card = await stripe.paymentMethods.attach(token, { customer: customer as string });
  await stripe.subscriptions.update(id, { default_payment_method: card.id });
  await settled(app);
}

async function join(owner: Person, teamId: string, person: Person): Promise<void> {
  const { id } = await inviteTo(app.url, owner, teamId, person.email);
  const accept = `${app.url}/api/team/accept-invitation?invitationId=${id}`;
  expect((await visit(accept, person.bearer)).status).toBe(303);
  await settled(app);
}

const seatsOf = ({ items, pending_update: pending }: Stripe.Subscription) => [
  items.data[0]?.quantity,
  pending?.subscription_items?.[0]?.quantity,
];

const invoicesOf = async ({ customer }: Stripe.Subscription) =>
  (await stripeOf(app).invoices.list({ customer: customer as string })).data;

async function reconcile(): Promise<void> {
  await adminFirestore().doc('sweeps/billing').delete();
  await reconcileBilling(app.backend);
  await settled(app);
}

/** A team that pays for three seats, and whose card is then declined for a fourth one. */
async function teamWithDeclinedSeat() {
  const cast = await castOf(app.url);
  const { owner, outsider, teamId } = cast;
  await buy(app, owner, `business?team=${teamId}`);
  await useCard(await subscriptionOf(app, teamId), 'pm_card_chargeCustomerFail');
  await join(owner, teamId, outsider);
  return cast;
}

test('a declined seat leaves the team its plan and the member in the team, and is paid later', async () => {
  const { teamId, owner, outsider } = await teamWithDeclinedSeat();
  const declined = await subscriptionOf(app, teamId);
  expect([declined.status, ...seatsOf(declined)]).toEqual(['active', 3, 4]);
  expect(await teamDocument(teamId)).toMatchObject({ plan: 'business', seatLimit: 100 });
  const members = await call('GET', `${app.url}/api/auth/teams/${teamId}/members`, {
    headers: outsider.bearer,
  });
  expect(((await members.json()) as { members: object[] }).members).toHaveLength(4);
  const subjects = (await mailTo(owner.email)).map(({ subject }) => subject);
  expect(subjects).toContain('Your payment for Business has failed');

  const [open] = await invoicesOf(declined);
  await useCard(declined, 'pm_card_visa');
  await stripeOf(app).invoices.pay(open?.id ?? '', { payment_method: await cardOf(declined) });
  await settled(app);
  const paid = await subscriptionOf(app, teamId);
  expect([paid.status, ...seatsOf(paid)]).toEqual(['active', 4, undefined]);
});

test('a seat that waits for its payment is charged once, and again after it has expired', async () => {
  const { teamId } = await teamWithDeclinedSeat();
  const before = await invoicesOf(await subscriptionOf(app, teamId));
  await app.backend.enqueueSeatSync(teamId);
  await reconcile();
  expect((await adminFirestore().doc(`customers/${teamId}`).get()).get('wrongSeats')).toBeUndefined();
  const waiting = await subscriptionOf(app, teamId);
  expect(await invoicesOf(waiting)).toHaveLength(before.length);

  await useCard(waiting, 'pm_card_visa');
  await passAtStripe(app, 86_400);
  await reconcile();
  const retried = await subscriptionOf(app, teamId);
  expect([retried.status, ...seatsOf(retried)]).toEqual(['active', 4, undefined]);
});

test('a member who leaves again needs no payment', async () => {
  const { teamId, owner, outsider } = await teamWithDeclinedSeat();
  const path = `${app.url}/api/auth/teams/${teamId}/members/${outsider.uid}`;
  expect((await call('DELETE', path, { headers: owner.bearer })).status).toBe(204);
  await settled(app);
  const subscription = await subscriptionOf(app, teamId);
  expect([subscription.status, subscription.items.data[0]?.quantity]).toEqual(['active', 3]);
});

async function cardOf(subscription: Stripe.Subscription): Promise<string> {
  const { default_payment_method: card } = await stripeOf(app).subscriptions.retrieve(subscription.id);
  return card as string;
}
