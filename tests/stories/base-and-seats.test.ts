import type Stripe from 'stripe';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import type { ManagedSubscriptionView } from '../../functions/src/billing/subscriptions/manage/subscription.view.ts';
import { syncSubscription } from '../../functions/src/billing/subscriptions/sync/sync.service.ts';
import { extrasSchema } from '../../functions/src/settings/extras.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, subscriptionCopiesOf, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { AppClock } from '../support/clock.ts';
import { meterFirestore } from '../support/cost.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { plansWith, priceOf } from '../support/plans.ts';
import { call, visit } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';
import { addMember, castOf, inviteTo } from '../support/teams.ts';

/** Business costs 49 dollars a month for three members, and 8 dollars for each further member. */
const plans = plansWith({
  business: {
    perSeat: undefined,
    for: ['team'],
    prices: {
      month: priceOf('business_month', 4_900, {
        seat: { lookupKey: 'business_seat_month', unitAmount: 800, included: 3 },
      }),
      year: priceOf('business_year', 49_000, {
        seat: { lookupKey: 'business_seat_year', unitAmount: 8_000, included: 3 },
      }),
    },
  },
});

/** A Firestore of its own, because these tests move its clock. */
const resources = useResources();
let app: AppUnderTest;
const clock = new AppClock();
beforeAll(async () => {
  resources.use(await meterFirestore());
});
beforeEach(async () => {
  clock.reset();
  await adminFirestore().doc('sweeps/billing').delete();
  app = await serveApp({ config: { plans }, backend: { now: clock.now } });
  return () => app[Symbol.asyncDispose]();
});

const pass = (days: number) => clock.passDays(app, days);

async function answerOf<Answer>(response: Promise<Response>): Promise<Answer> {
  const { status } = await response;
  const body = (await (await response).json()) as Answer;
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const post = <Answer>(person: Person, path: string, json: object) =>
  answerOf<Answer>(
    call('POST', `${app.url}/api/auth/subscription/${path}`, { headers: person.bearer, json }),
  );

async function join(owner: Person, teamId: string, person: Person): Promise<void> {
  const { id } = await inviteTo(app.url, owner, teamId, person.email);
  const accept = `${app.url}/api/team/accept-invitation?invitationId=${id}`;
  expect((await visit(accept, person.bearer)).status).toBe(303);
  await settled(app);
}

async function leave(teamId: string, { uid, bearer }: Person): Promise<void> {
  const path = `${app.url}/api/auth/teams/${teamId}/members/${uid}`;
  expect((await call('DELETE', path, { headers: bearer })).status).toBe(204);
  await settled(app);
}

/** A team of three with Business, which covers three. */
async function coveredTeam() {
  const cast = await castOf(app.url);
  await buy(app, cast.owner, `business?team=${cast.teamId}`);
  return cast;
}

/** A team of five with Business. */
async function teamOfFive() {
  const cast = await castOf(app.url);
  for (const person of [cast.outsider, await signUp()]) await addMember(cast.teamId, person, 'member');
  await buy(app, cast.owner, `business?team=${cast.teamId}`);
  return cast;
}

const itemsOf = async (teamId: string) => quantitiesOf(await subscriptionOf(app, teamId));

/** The quantities of the line items by the lookup keys of their prices. */
function quantitiesOf({ items }: Stripe.Subscription): Record<string, number | undefined> {
  return Object.fromEntries(items.data.map(({ price, quantity }) => [price.lookup_key ?? '', quantity]));
}

async function latestInvoice({ id }: Stripe.Subscription): Promise<Stripe.Invoice | undefined> {
  return (await stripeOf(app).invoices.list({ subscription: id, limit: 1 })).data[0];
}

const teamDocument = async (teamId: string) => (await adminFirestore().doc(`teams/${teamId}`).get()).data();

test('checkout sells the base price alone while it covers all members', async () => {
  const { teamId } = await coveredTeam();
  expect(await itemsOf(teamId)).toEqual({ business_month: 1 });
  expect(await teamDocument(teamId)).toMatchObject({
    plan: 'business',
    seatLimit: 100,
    billingDependsOnMembers: true,
  });
});

test('checkout sells the base price and a seat for each further member', async () => {
  const { teamId, owner } = await teamOfFive();
  expect(await itemsOf(teamId)).toEqual({ business_month: 1, business_seat_month: 2 });
  expect(await latestInvoice(await subscriptionOf(app, teamId))).toMatchObject({ total: 4_900 + 2 * 800 });
  expect(await subscriptionCopiesOf(teamId)).toMatchObject([{ role: 'business', quantity: 1 }]);
  const url = `${app.url}/api/auth/subscription?team=${teamId}`;
  const view = await answerOf<ManagedSubscriptionView>(call('GET', url, { headers: owner.bearer }));
  expect(view).toMatchObject({ plan: 'business', quantity: 1, seats: 2, addOns: {} });
});

test('the line item of the seats follows the members, and the base price stays', async () => {
  const { teamId, owner, outsider, member } = await coveredTeam();
  await join(owner, teamId, outsider);
  expect(await itemsOf(teamId)).toEqual({ business_month: 1, business_seat_month: 1 });
  const another = await signUp();
  await join(owner, teamId, another);
  expect(await itemsOf(teamId)).toEqual({ business_month: 1, business_seat_month: 2 });
  await leave(teamId, another);
  await leave(teamId, outsider);
  expect(await itemsOf(teamId)).toEqual({ business_month: 1, business_seat_month: 0 });
  await leave(teamId, member);
  expect(await itemsOf(teamId)).toEqual({ business_month: 1, business_seat_month: 0 });
  await join(owner, teamId, outsider);
  await join(owner, teamId, another);
  expect(await itemsOf(teamId)).toEqual({ business_month: 1, business_seat_month: 1 });
});

test('the seat sync never changes the quantity of the base price', async () => {
  const { teamId, owner, outsider } = await coveredTeam();
  const { id, items } = await subscriptionOf(app, teamId);
  await stripeOf(app).subscriptions.update(id, { items: [{ id: items.data[0]?.id ?? '', quantity: 2 }] });
  await settled(app);
  await join(owner, teamId, outsider);
  expect(await itemsOf(teamId)).toEqual({ business_month: 2, business_seat_month: 1 });
});

describe('a change of plan', () => {
  test('to another interval changes both line items, for the amount of the preview', async () => {
    const { teamId, owner } = await teamOfFive();
    const change = { team: teamId, plan: 'business', interval: 'year', when: 'now' };
    const preview = await post<{ amountDue: number; prorationDate: number }>(owner, 'preview', change);
    const { prorationDate } = preview;
    const changed = await post<ManagedSubscriptionView>(owner, 'change', { ...change, prorationDate });
    expect(changed).toMatchObject({ plan: 'business', interval: 'year', quantity: 1, seats: 2 });
    expect(await itemsOf(teamId)).toEqual({ business_year: 1, business_seat_year: 2 });
    expect(await latestInvoice(await subscriptionOf(app, teamId))).toMatchObject({
      total: preview.amountDue,
      status: 'paid',
    });
  });

  test('to a plan without seats removes their line item, and back adds it', async () => {
    const { teamId, owner } = await teamOfFive();
    const change = (plan: string) => post<ManagedSubscriptionView>(owner, 'change', { team: teamId, plan });
    expect(await change('pro')).toMatchObject({ plan: 'pro', seats: null });
    await settled(app);
    expect(await itemsOf(teamId)).toEqual({ hearth_pro_monthly: 1 });
    expect(await change('business')).toMatchObject({ plan: 'business', seats: 2 });
    await settled(app);
    expect(await itemsOf(teamId)).toEqual({ business_month: 1, business_seat_month: 2 });
  });

  test('at the end of the period changes both line items then', async () => {
    const { teamId, owner } = await teamOfFive();
    const change = { team: teamId, plan: 'business', interval: 'year', when: 'period_end' };
    const planned = await post<ManagedSubscriptionView>(owner, 'change', change);
    expect(planned.plannedChange).toMatchObject({ plan: 'business', interval: 'year' });
    expect(await itemsOf(teamId)).toEqual({ business_month: 1, business_seat_month: 2 });
    await pass(32);
    expect(await itemsOf(teamId)).toEqual({ business_year: 1, business_seat_year: 2 });
  });
});

test('a seat whose payment is declined waits, and is not added twice', async () => {
  await app[Symbol.asyncDispose]();
  app = await serveApp({ config: { plans, seatProration: 'always_invoice' } });
  const { teamId, owner, outsider } = await coveredTeam();
  const stripe = stripeOf(app);
  const { id, customer } = await subscriptionOf(app, teamId);
  const card = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: customer as string,
  });
  await stripe.subscriptions.update(id, { default_payment_method: card.id });
  await join(owner, teamId, outsider);
  await app.backend.enqueueSeatSync(teamId);
  await settled(app);
  expect(await itemsOf(teamId)).toEqual({ business_month: 1 });
  const { data: invoices } = await stripe.invoices.list({ subscription: id });
  expect(invoices.map(({ status }) => status)).toEqual(['open', 'paid']);

  const good = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer as string });
  await stripe.invoices.pay(invoices[0]?.id ?? '', { payment_method: good.id });
  await settled(app);
  expect(await itemsOf(teamId)).toEqual({ business_month: 1, business_seat_month: 1 });
});

test('the reconciliation repairs the seats', async () => {
  const { teamId } = await teamOfFive();
  const { id, items } = await subscriptionOf(app, teamId);
  const seats = items.data.find(({ price }) => price.lookup_key === 'business_seat_month')?.id ?? '';
  await call('POST', `${app.stripe.url}/_emulator/webhooks`, { json: { mode: 'drop' } });
  await stripeOf(app).subscriptions.update(id, { items: [{ id: seats, deleted: true }] });
  await reconcileBilling(app.backend);
  await settled(app);
  expect(await itemsOf(teamId)).toEqual({ business_month: 1, business_seat_month: 2 });
});

test('a seat keeps its line item when its lookup key moves to a new price', async () => {
  const { teamId, owner } = await teamOfFive();
  await stripeOf(app).prices.create({
    product: 'prod_hearth_business_seat',
    currency: 'usd',
    unit_amount: 1_000,
    recurring: { interval: 'month' },
    lookup_key: 'business_seat_month',
    transfer_lookup_key: true,
  });
  await settled(app);
  await join(owner, teamId, await signUp());
  const { items } = await subscriptionOf(app, teamId);
  expect(items.data.map(({ price, quantity }) => [price.unit_amount, quantity])).toEqual([
    [4_900, 1],
    [800, 3],
  ]);
});

test('a price of the seats that was agreed with one customer is used for their seats', async () => {
  const { teamId, owner, outsider } = await coveredTeam();
  const stripe = stripeOf(app);
  await reconcileBilling(app.backend);
  const agreed = await stripe.prices.create({
    product: 'prod_hearth_business_seat',
    currency: 'usd',
    unit_amount: 500,
    recurring: { interval: 'month' },
  });
  const { id } = await subscriptionOf(app, teamId);
  await stripe.subscriptions.update(id, { items: [{ price: agreed.id, quantity: 7 }] });
  await settled(app);
  await join(owner, teamId, outsider);
  const { items } = await subscriptionOf(app, teamId);
  expect(items.data.map(({ price, quantity }) => [price.unit_amount, quantity])).toEqual([
    [4_900, 1],
    [500, 1],
  ]);
});

test('a yearly price that was agreed with one customer has the yearly seats beside it', async () => {
  const { teamId, owner, outsider } = await coveredTeam();
  await reconcileBilling(app.backend);
  const stripe = stripeOf(app);
  const agreed = await stripe.prices.create({
    product: 'prod_hearth_business',
    currency: 'usd',
    unit_amount: 40_000,
    recurring: { interval: 'year' },
  });
  const { id, items: before } = await subscriptionOf(app, teamId);
  await stripe.subscriptions.update(id, {
    billing_cycle_anchor: { type: 'now' },
    items: [{ id: before.data[0]?.id ?? '', price: agreed.id }],
  });
  await settled(app);
  await join(owner, teamId, outsider);
  const { items } = await subscriptionOf(app, teamId);
  expect(items.data.map(({ price, quantity }) => [price.unit_amount, quantity])).toEqual([
    [40_000, 1],
    [8_000, 1],
  ]);
});

test('a price that was agreed for an add-on is not used for the seats, if both have one product', async () => {
  const { teamId } = await coveredTeam();
  const stripe = stripeOf(app);
  await reconcileBilling(app.backend);
  const product = 'prod_hearth_business_seat';
  const price = { product, currency: 'usd', recurring: { interval: 'month' } } as const;
  await stripe.prices.create({ ...price, unit_amount: 700, lookup_key: 'support_month' });
  const agreed = await stripe.prices.create({ ...price, unit_amount: 500 });
  await settled(app);
  await call('POST', `${app.stripe.url}/_emulator/webhooks`, { json: { mode: 'drop' } });
  const { id } = await subscriptionOf(app, teamId);
  await stripe.subscriptions.update(id, { items: [{ price: agreed.id, quantity: 7 }] });
  const support = {
    slug: 'support',
    name: 'Support',
    description: 'By telephone',
    for: ['team'],
    plans: ['business'],
    entitlements: ['support'],
    prices: { month: priceOf('support_month', 700), year: priceOf('support_year', 7_000) },
  };
  const config = { ...app.config, extras: extrasSchema.parse({ addOns: [support] }) };
  await syncSubscription({ ...app.backend, config }, teamId, id);
  const stored = await adminFirestore().doc(`customers/${teamId}/subscriptions/${id}`).get();
  expect(stored.get('items')).toMatchObject([
    { lookupKey: 'business_month' },
    { lookupKey: null, quantity: 7 },
  ]);
});
