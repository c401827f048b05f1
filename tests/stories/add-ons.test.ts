import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import type { ManagedSubscriptionView } from '../../functions/src/billing/subscriptions/manage/subscription.view.ts';
import { extrasSchema } from '../../functions/src/settings/extras.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, claimsOf, pay, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { AppClock } from '../support/clock.ts';
import { meterFirestore } from '../support/cost.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { plansWith, priceOf } from '../support/plans.ts';
import { call, errorOf } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';
import { auditLogOf, castOf } from '../support/teams.ts';

const plans = plansWith({ pro: { limits: { seats: 10, storageMegabytes: 1, fileMegabytes: 1 } } });
const extras = extrasSchema.parse({
  addOns: [
    {
      slug: 'storage',
      name: 'Storage',
      description: 'One more megabyte',
      plans: ['pro', 'business'],
      limits: { storageMegabytes: 1 },
      maxQuantity: 3,
      prices: { month: priceOf('storage_month', 300), year: priceOf('storage_year', 3_000) },
    },
    {
      slug: 'crew',
      name: 'Crew',
      description: 'Five more seats, and single sign-on',
      for: ['team'],
      plans: ['pro'],
      limits: { seats: 5 },
      entitlements: ['sso'],
      maxQuantity: 2,
      prices: { month: priceOf('crew_month', 2_000), year: priceOf('crew_year', 20_000) },
    },
  ],
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
  app = await serveApp({ config: { plans, extras }, backend: { now: clock.now } });
  return () => app[Symbol.asyncDispose]();
});

const pass = (days: number) => clock.passDays(app, days);

const ask = (person: Person, method: string, path: string, json?: object) =>
  call(method, `${app.url}/api/auth/${path}`, { headers: person.bearer, json });

async function answerOf<Answer>(response: Promise<Response>): Promise<Answer> {
  const { status } = await response;
  const body = (await (await response).json()) as Answer;
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const request = (person: Person, json: object) => ask(person, 'POST', 'subscription/add-ons', json);

/** Sets the units of an add-on. */
const set = (person: Person, addOn: string, quantity: number, rest: object = {}) =>
  answerOf<ManagedSubscriptionView>(request(person, { addOn, quantity, ...rest }));

const change = (person: Person, json: object) =>
  answerOf<ManagedSubscriptionView>(ask(person, 'POST', 'subscription/change', json));

const sessionOf = (person: Person) =>
  answerOf<{ plan: string; addOns?: Record<string, number> }>(ask(person, 'GET', 'session'));

const dataOf = async (path: string): Promise<unknown> => (await adminFirestore().doc(path).get()).data();
const customerOf = (id: string) => dataOf(`customers/${id}`);
const teamDocument = (id: string) => dataOf(`teams/${id}`);

/** The quantities of the line items by the lookup keys of their prices. */
async function itemsOf(customerId: string): Promise<Record<string, number | undefined>> {
  const { items } = await subscriptionOf(app, customerId);
  return Object.fromEntries(items.data.map(({ price, quantity }) => [price.lookup_key ?? '', quantity]));
}

async function invoicesOf(customerId: string): Promise<(string | number | null)[][]> {
  const { id } = await subscriptionOf(app, customerId);
  const { data } = await stripeOf(app).invoices.list({ subscription: id });
  return data.map(({ total, status }) => [total, status]);
}

/** Sends a picture of 600 kilobytes for the caller. */
async function upload(person: Person): Promise<number> {
  const form = new FormData();
  const bytes = new Uint8Array(600_000).fill(32);
  form.set('file', new File([bytes], 'notes.txt', { type: 'text/plain' }));
  const sent = await fetch(`${app.url}/api/upload`, { method: 'POST', headers: person.bearer, body: form });
  return sent.status;
}

/** A person with Pro by the month. */
async function subscriber(): Promise<Person> {
  const person = await signUp();
  await buy(app, person, 'pro');
  return person;
}

describe('an add-on that is bought with the plan', () => {
  test('is on the same invoice, and raises the limits of a team immediately', async () => {
    const { teamId, owner } = await castOf(app.url);
    const json = { plan: 'pro', team: teamId, addOns: { crew: 2, storage: 1 } };
    const { url } = await answerOf<{ url: string }>(ask(owner, 'POST', 'checkout', json));
    expect((await pay(app, new URL(url))).status).toBe(303);
    expect(await itemsOf(teamId)).toEqual({ hearth_pro_monthly: 1, crew_month: 2, storage_month: 1 });
    expect(await invoicesOf(teamId)).toEqual([[1_200 + 2 * 2_000 + 300, 'paid']]);
    const addOns = { crew: 2, storage: 1 };
    expect(await teamDocument(teamId)).toMatchObject({ plan: 'pro', seatLimit: 20, addOns });
    expect(await customerOf(teamId)).toMatchObject({ plan: 'pro', addOns });
    const team = await answerOf<object>(ask(owner, 'GET', `teams/${teamId}`));
    expect(team).toMatchObject({ seatLimit: 20, addOns });
  });

  test('is named in the refusal if its price was archived', async () => {
    const person = await signUp();
    const [price] = (await stripeOf(app).prices.list({ lookup_keys: ['storage_month'] })).data;
    await stripeOf(app).prices.update(price?.id ?? '', { active: false });
    const refused = await ask(person, 'POST', 'checkout', { plan: 'pro', addOns: { storage: 1 } });
    expect(await errorOf(refused)).toMatchObject({
      status: 409,
      code: 'price_not_available',
      error: 'Storage cannot be bought at the moment.',
    });
  });

  test('is part of the cart: another choice starts another checkout', async () => {
    const person = await signUp();
    const open = async (addOns: object) =>
      (await answerOf<{ url: string }>(ask(person, 'POST', 'checkout', { plan: 'pro', addOns }))).url;
    const first = await open({ storage: 1 });
    expect(await open({ storage: 1 })).toBe(first);
    expect(await open({ storage: 2 })).not.toBe(first);
    await pay(app, new URL(await open({})));
    expect(await itemsOf(person.uid)).toEqual({ hearth_pro_monthly: 1 });
  });
});

describe('an add-on on a running subscription', () => {
  test('is charged as its preview says, and gives its limit immediately', async () => {
    const ada = await subscriber();
    expect([await upload(ada), await upload(ada)]).toEqual([200, 403]);
    const body = { addOn: 'storage', quantity: 2 };
    const preview = await answerOf<{ amountDue: number; prorationDate: number }>(
      ask(ada, 'POST', 'subscription/add-ons/preview', body),
    );
    expect(await itemsOf(ada.uid)).toEqual({ hearth_pro_monthly: 1 });
    const { prorationDate } = preview;
    const changed = await set(ada, 'storage', 2, { prorationDate });
    expect(changed).toMatchObject({ plan: 'pro', quantity: 1, addOns: { storage: 2 }, payment: null });
    expect(await invoicesOf(ada.uid)).toEqual([
      [preview.amountDue, 'paid'],
      [1_200, 'paid'],
    ]);
    expect(await sessionOf(ada)).toMatchObject({ plan: 'pro', addOns: { storage: 2 } });
    expect(await claimsOf(ada)).toEqual({ plan: 'pro', stripeRole: 'pro', addOns: { storage: 2 } });
    expect(await upload(ada)).toBe(200);
  });

  test('is credited when it is removed, and no longer gives anything', async () => {
    const ada = await subscriber();
    await set(ada, 'storage', 3);
    expect(await set(ada, 'storage', 1)).toMatchObject({ addOns: { storage: 1 } });
    expect(await set(ada, 'storage', 0)).toMatchObject({ addOns: {} });
    await settled(app);
    expect(await itemsOf(ada.uid)).toEqual({ hearth_pro_monthly: 1 });
    expect(await customerOf(ada.uid)).toMatchObject({ addOns: {} });
    expect(await claimsOf(ada)).toEqual({ plan: 'pro', stripeRole: 'pro' });
    const totals = (await invoicesOf(ada.uid)).map(([total]) => Number(total));
    expect(totals.reduce((sum, total) => sum + total, 0)).toBe(1_200);
  });

  test('that is set to its current quantity changes nothing', async () => {
    const ada = await subscriber();
    await set(ada, 'storage', 2);
    expect(await set(ada, 'storage', 2)).toMatchObject({ addOns: { storage: 2 } });
    expect(await invoicesOf(ada.uid)).toHaveLength(2);
  });

  test('changes nothing until the invoice is paid if the payment is declined', async () => {
    const ada = await subscriber();
    const stripe = stripeOf(app);
    const { id, customer } = await subscriptionOf(app, ada.uid);
    const attached = { customer: customer as string };
    const card = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', attached);
    await stripe.subscriptions.update(id, { default_payment_method: card.id });
    const declined = await set(ada, 'storage', 2);
    expect(declined).toMatchObject({ status: 'active', addOns: {}, payment: { currency: 'usd' } });
    await settled(app);
    expect(await itemsOf(ada.uid)).toEqual({ hearth_pro_monthly: 1 });
    expect(await sessionOf(ada)).not.toHaveProperty('addOns');

    expect((await pay(app, new URL(declined.payment?.url ?? ''))).status).toBeLessThan(400);
    expect(await itemsOf(ada.uid)).toEqual({ hearth_pro_monthly: 1, storage_month: 2 });
    expect(await sessionOf(ada)).toMatchObject({ addOns: { storage: 2 } });
  });

  test('is added once, although another request comes before Stripe has answered', async () => {
    const ada = await subscriber();
    const order = { method: 'POST', path: '/v1/subscriptions/:id', status: 'hold' };
    await call('POST', `${app.stripe.url}/_emulator/fail`, { json: order });
    const first = request(ada, { addOn: 'storage', quantity: 1 });
    await call('GET', `${app.stripe.url}/_emulator/held?atLeast=1`);
    const second = await errorOf(await request(ada, { addOn: 'storage', quantity: 1 }));
    await call('POST', `${app.stripe.url}/_emulator/release`);
    expect((await first).status).toBe(200);
    expect(second).toMatchObject({ status: 503, code: 'busy' });
    await settled(app);
    const { items } = await subscriptionOf(app, ada.uid);
    expect(items.data).toHaveLength(2);
  });

  test('is recorded for a team, and only owners and admins can buy it', async () => {
    const { teamId, owner, member } = await castOf(app.url);
    await buy(app, owner, `pro?team=${teamId}`);
    const json = { team: teamId, addOn: 'crew', quantity: 1 };
    expect(await errorOf(await request(member, json))).toMatchObject({ status: 403, code: 'forbidden' });
    await set(owner, 'crew', 1, { team: teamId });
    expect(await teamDocument(teamId)).toMatchObject({ seatLimit: 15, addOns: { crew: 1 } });
    const [entry] = (await auditLogOf(teamId)).filter(({ action }) => action === 'billing.add_on_requested');
    expect(entry).toMatchObject({ actorId: owner.uid, details: { addOn: 'crew', quantity: '1' } });
  });
});

describe('a change of plan', () => {
  test('to another interval changes the price of the add-on', async () => {
    const ada = await subscriber();
    await set(ada, 'storage', 2);
    const changed = await change(ada, { plan: 'pro', interval: 'year' });
    expect(changed).toMatchObject({ interval: 'year', addOns: { storage: 2 } });
    expect(await itemsOf(ada.uid)).toEqual({ hearth_pro_yearly: 1, storage_year: 2 });
  });

  test('to a plan that cannot have the add-on removes it, and keeps the others', async () => {
    const { teamId, owner } = await castOf(app.url);
    await buy(app, owner, `pro?team=${teamId}`);
    await set(owner, 'crew', 1, { team: teamId });
    await set(owner, 'storage', 1, { team: teamId });
    const changed = await change(owner, { plan: 'business', team: teamId });
    expect(changed).toMatchObject({ plan: 'business', quantity: 3, addOns: { storage: 1 } });
    expect(await itemsOf(teamId)).toEqual({ hearth_business_monthly: 3, storage_month: 1 });
    expect(await teamDocument(teamId)).toMatchObject({ seatLimit: 100, addOns: { storage: 1 } });
  });

  test('at the end of the period keeps the add-on, and no add-on can be changed before then', async () => {
    const ada = await subscriber();
    await set(ada, 'storage', 2);
    const planned = await change(ada, { plan: 'pro', interval: 'year', when: 'period_end' });
    expect(planned.plannedChange).toMatchObject({ plan: 'pro', interval: 'year' });
    const refused = await errorOf(await request(ada, { addOn: 'storage', quantity: 1 }));
    expect(refused).toMatchObject({ status: 409, code: 'plan_change_planned' });
    await pass(32);
    expect(await itemsOf(ada.uid)).toEqual({ hearth_pro_yearly: 1, storage_year: 2 });
    expect(await sessionOf(ada)).toMatchObject({ plan: 'pro', addOns: { storage: 2 } });
  });
});

test('an add-on gives nothing after its subscription has ended', async () => {
  const { teamId, owner } = await castOf(app.url);
  await buy(app, owner, `pro?team=${teamId}`);
  await set(owner, 'crew', 2, { team: teamId });
  await stripeOf(app).subscriptions.cancel((await subscriptionOf(app, teamId)).id);
  await settled(app);
  expect(await teamDocument(teamId)).toMatchObject({ plan: 'free', seatLimit: 3, addOns: {} });
  expect(await customerOf(teamId)).toMatchObject({ plan: 'free', addOns: {} });
});

test.each<[what: string, json: object, status: number, code: string]>([
  ['does not exist', { addOn: 'towels', quantity: 1 }, 404, 'add_on_not_found'],
  ['is for teams only', { addOn: 'crew', quantity: 1 }, 400, 'add_on_not_offered'],
  ['is sold fewer times', { addOn: 'storage', quantity: 4 }, 400, 'add_on_quantity_too_high'],
  ['has a part of a unit', { addOn: 'storage', quantity: 0.5 }, 400, 'invalid_request'],
])('an add-on that %s is refused', async (_what, json, status, code) => {
  const ada = await subscriber();
  expect(await errorOf(await request(ada, json))).toMatchObject({ status, code });
  expect(await itemsOf(ada.uid)).toEqual({ hearth_pro_monthly: 1 });
});

test('a checkout with an add-on that the plan cannot have is refused', async () => {
  const { teamId, owner } = await castOf(app.url);
  const json = { plan: 'business', team: teamId, addOns: { crew: 1 } };
  const refused = await errorOf(await ask(owner, 'POST', 'checkout', json));
  expect(refused).toMatchObject({ status: 400, code: 'add_on_not_offered' });
});

test('an add-on needs a running subscription that does not end', async () => {
  const bob = await signUp();
  const json = { addOn: 'storage', quantity: 1 };
  expect(await errorOf(await request(bob, json))).toMatchObject({ code: 'subscription_not_found' });
  const ada = await subscriber();
  await answerOf(ask(ada, 'POST', 'subscription/cancel', {}));
  expect(await errorOf(await request(ada, json))).toMatchObject({ code: 'subscription_ending' });
});

describe('an add-on that was added in the dashboard', () => {
  test('is found by the reconciliation when no event arrives', async () => {
    const { teamId, owner } = await castOf(app.url);
    await buy(app, owner, `pro?team=${teamId}`);
    await call('POST', `${app.stripe.url}/_emulator/webhooks`, { json: { mode: 'drop' } });
    const { id } = await subscriptionOf(app, teamId);
    const items = [{ price: 'price_hearth_crew_month', quantity: 1 }];
    await stripeOf(app).subscriptions.update(id, { items });
    await reconcileBilling(app.backend);
    expect(await teamDocument(teamId)).toMatchObject({ seatLimit: 15, addOns: { crew: 1 } });
  });

  test('counts from the moment that it is configured', async () => {
    const ada = await subscriber();
    const { id } = await subscriptionOf(app, ada.uid);
    const stripe = stripeOf(app);
    const price = await stripe.prices.create({
      product: 'prod_hearth_pro',
      currency: 'usd',
      unit_amount: 700,
      recurring: { interval: 'month' },
      lookup_key: 'support_month',
    });
    await stripe.subscriptions.update(id, { items: [{ price: price.id, quantity: 1 }] });
    await settled(app);
    expect(await sessionOf(ada)).not.toHaveProperty('addOns');
    expect(await dataOf(`customers/${ada.uid}/subscriptions/${id}`)).toMatchObject({
      items: [{ lookupKey: 'hearth_pro_monthly' }, { lookupKey: 'support_month' }],
    });

    const support = {
      slug: 'support',
      name: 'Support',
      description: 'By telephone',
      plans: ['pro'],
      entitlements: ['support'],
      prices: { month: priceOf('support_month', 700), year: priceOf('support_year', 7_000) },
    };
    const config = { ...app.config, extras: extrasSchema.parse({ addOns: [support] }) };
    await reconcileBilling({ ...app.backend, config });
    expect(await customerOf(ada.uid)).toMatchObject({ addOns: { support: 1 } });
    expect(await claimsOf(ada)).toMatchObject({ addOns: { support: 1 } });
  });
});
