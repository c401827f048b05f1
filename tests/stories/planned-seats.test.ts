import type Stripe from 'stripe';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import { syncSeats } from '../../functions/src/billing/subscriptions/sync/seats.service.ts';
import { planListSchema } from '../../functions/src/settings/plans.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { AppClock } from '../support/clock.ts';
import { meterFirestore } from '../support/cost.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { plansWith, priceOf } from '../support/plans.ts';
import { call, errorOf, visit } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';
import { addMember, castOf, inviteTo } from '../support/teams.ts';

/**
 * Office has a base price for four members and a price for each further member. Business is paid per seat, and Pro has
 * a flat price.
 */
const plans = planListSchema.parse([
  ...plansWith({
    pro: { prices: { month: priceOf('pro_month', 1_200), year: priceOf('pro_year', 12_000) } },
    business: {
      for: ['team'],
      prices: { month: priceOf('business_month', 4_900), year: priceOf('business_year', 49_000) },
    },
  }),
  {
    slug: 'office',
    name: 'Office',
    description: 'For an office',
    for: ['team'],
    limits: { seats: 100, storageMegabytes: 100_000, fileMegabytes: 1_000 },
    prices: {
      month: priceOf('office_month', 3_000, { seat: seat('office_seat_month', 500) }),
      year: priceOf('office_year', 30_000, { seat: seat('office_seat_year', 5_000) }),
    },
  },
]);

function seat(lookupKey: string, unitAmount: number) {
  return { lookupKey, unitAmount, included: 4 };
}

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
  await serve('none');
});
afterEach(() => app[Symbol.asyncDispose]());

async function serve(seatProration: 'none' | 'create_prorations'): Promise<void> {
  app = await serveApp({
    config: { plans, seatProration },
    backend: { now: clock.now },
  });
}

const pass = (days: number) => clock.passDays(app, days);

const change = ({ bearer: headers }: Person, json: object) =>
  call('POST', `${app.url}/api/auth/subscription/change`, { headers, json });

async function plan(owner: Person, team: string, wanted: object): Promise<void> {
  const response = await change(owner, { team, when: 'period_end', ...wanted });
  expect(response.status, await response.text()).toBe(200);
  await settled(app);
}

async function join(owner: Person, teamId: string, count = 1): Promise<Person[]> {
  const joined: Person[] = [];
  for (let index = 0; index < count; index++) {
    const person = await signUp();
    const { id } = await inviteTo(app.url, owner, teamId, person.email);
    const accept = `${app.url}/api/team/accept-invitation?invitationId=${id}`;
    expect((await visit(accept, person.bearer)).status).toBe(303);
    joined.push(person);
  }
  await settled(app);
  return joined;
}

async function leave(teamId: string, people: readonly Person[]): Promise<void> {
  for (const { uid, bearer: headers } of people) {
    const path = `${app.url}/api/auth/teams/${teamId}/members/${uid}`;
    expect((await call('DELETE', path, { headers })).status).toBe(204);
  }
  await settled(app);
}

/** A team of three, or of more, with a plan that is paid monthly. */
async function teamWith(slug: string, more = 0) {
  const { owner, teamId } = await castOf(app.url);
  const others: Person[] = [];
  for (let index = 0; index < more; index++) {
    const person = await signUp();
    await addMember(teamId, person, 'member');
    others.push(person);
  }
  await buy(app, owner, `${slug}?team=${teamId}&interval=month`);
  return { owner, teamId, others };
}

/** The quantities of line items by the lookup keys of their prices. */
async function itemsOf(teamId: string): Promise<Record<string, number | undefined>> {
  const { items } = await subscriptionOf(app, teamId);
  return Object.fromEntries(items.data.map(({ price, quantity }) => [price.lookup_key ?? '', quantity]));
}

async function scheduleOf(teamId: string): Promise<Stripe.SubscriptionSchedule> {
  const { schedule } = await subscriptionOf(app, teamId);
  return stripeOf(app).subscriptionSchedules.retrieve(schedule as string, {
    expand: ['phases.items.price'],
  });
}

/** The quantities of the line items in the planned phase. */
async function plannedItemsOf(teamId: string): Promise<Record<string, number | undefined>> {
  const items = (await scheduleOf(teamId)).phases.at(-1)?.items ?? [];
  return Object.fromEntries(
    items.map(({ price, quantity }) => [(price as Stripe.Price).lookup_key ?? '', quantity]),
  );
}

/** The totals of all invoices, the first one first. */
async function totalsOf(teamId: string): Promise<number[]> {
  const { customer } = await subscriptionOf(app, teamId);
  const { data } = await stripeOf(app).invoices.list({ customer: customer as string });
  return data.map(({ total }) => total).reverse();
}

const YEARLY = { plan: 'business', interval: 'year' };

describe('a planned change bills the members at the end of the period', () => {
  test('after members have left', async () => {
    const { owner, teamId, others } = await teamWith('business', 7);
    await plan(owner, teamId, YEARLY);
    await leave(teamId, others);
    expect(await itemsOf(teamId)).toEqual({ business_month: 3 });
    await pass(32);
    expect(await itemsOf(teamId)).toEqual({ business_year: 3 });
    expect(await totalsOf(teamId)).toEqual([10 * 4_900, 3 * 49_000]);
  });

  test('after members have joined, also with prorations', async () => {
    await app[Symbol.asyncDispose]();
    await serve('create_prorations');
    const { owner, teamId } = await teamWith('business');
    await plan(owner, teamId, YEARLY);
    await join(owner, teamId, 2);
    await pass(32);
    expect(await itemsOf(teamId)).toEqual({ business_year: 5 });
    const { customer } = await subscriptionOf(app, teamId);
    const pending = await stripeOf(app).invoiceItems.list({ customer: customer as string, pending: true });
    expect(pending.data).toEqual([]);
    const [latest] = (await stripeOf(app).invoices.list({ customer: customer as string })).data;
    expect(latest?.lines.data.map(({ quantity, amount }) => [quantity, amount])).toContainEqual([
      5,
      5 * 49_000,
    ]);
  });

  test('from a flat price to a price per seat', async () => {
    const { owner, teamId } = await teamWith('pro');
    await plan(owner, teamId, YEARLY);
    await join(owner, teamId, 2);
    expect(await itemsOf(teamId)).toEqual({ pro_month: 1 });
    expect(await plannedItemsOf(teamId)).toEqual({ business_year: 5 });
    await pass(32);
    expect(await totalsOf(teamId)).toEqual([1_200, 5 * 49_000]);
  });

  test('from a price per seat to a flat price', async () => {
    const { owner, teamId } = await teamWith('business');
    await plan(owner, teamId, { plan: 'pro', interval: 'year' });
    await join(owner, teamId, 2);
    await pass(32);
    expect(await itemsOf(teamId)).toEqual({ pro_year: 1 });
  });
});

test('the seats beside a planned base price are added, changed and left out', async () => {
  const { owner, teamId } = await teamWith('pro');
  await plan(owner, teamId, { plan: 'office', interval: 'year' });
  expect(await plannedItemsOf(teamId)).toEqual({ office_year: 1 });
  const [first, second, third] = await join(owner, teamId, 3);
  expect(await plannedItemsOf(teamId)).toEqual({ office_year: 1, office_seat_year: 2 });
  await leave(teamId, [first as Person]);
  expect(await plannedItemsOf(teamId)).toEqual({ office_year: 1, office_seat_year: 1 });
  await leave(teamId, [second as Person]);
  expect(await plannedItemsOf(teamId)).toEqual({ office_year: 1 });
  await leave(teamId, [third as Person]);
  expect(await plannedItemsOf(teamId)).toEqual({ office_year: 1 });
  expect(await itemsOf(teamId)).toEqual({ pro_month: 1 });
});

test('the seats beside a base price follow in both phases', async () => {
  const { owner, teamId } = await teamWith('office', 3);
  await plan(owner, teamId, { plan: 'office', interval: 'year' });
  await join(owner, teamId);
  expect(await itemsOf(teamId)).toEqual({ office_month: 1, office_seat_month: 3 });
  expect(await plannedItemsOf(teamId)).toEqual({ office_year: 1, office_seat_year: 3 });
  await pass(32);
  expect(await itemsOf(teamId)).toEqual({ office_year: 1, office_seat_year: 3 });
});

describe('a seat sync', () => {
  /** Adds two members without a seat sync. */
  async function grow(teamId: string): Promise<void> {
    for (const person of [await signUp(), await signUp()]) await addMember(teamId, person, 'member');
  }

  /** A backend whose process dies before the call of the Stripe SDK with this name. */
  function dyingBefore(resource: 'subscriptions' | 'subscriptionSchedules'): AppUnderTest['backend'] {
    const client = stripeOf(app);
    client[resource].update = () => Promise.reject(new Error('The process died.'));
    return { ...app.backend, stripe: () => Promise.resolve(client) };
  }

  test.each(['subscriptions', 'subscriptionSchedules'] as const)(
    'that ended half-way, before the update of %s, is made up for by the next one',
    async (resource) => {
      const { owner, teamId } = await teamWith('business');
      await plan(owner, teamId, YEARLY);
      await grow(teamId);
      await expect(syncSeats(dyingBefore(resource), teamId)).rejects.toThrow('The process died.');
      await syncSeats(app.backend, teamId);
      await settled(app);
      expect(await itemsOf(teamId)).toEqual({ business_month: 5 });
      expect(await plannedItemsOf(teamId)).toEqual({ business_year: 5 });
    },
  );

  test('that was lost is made up for by the reconciliation, if only the planned change is wrong', async () => {
    const { owner, teamId } = await teamWith('pro');
    await plan(owner, teamId, YEARLY);
    await grow(teamId);
    await reconcileBilling(app.backend);
    await settled(app);
    expect(await plannedItemsOf(teamId)).toEqual({ business_year: 5 });
  });

  test('changes nothing the second time', async () => {
    const { owner, teamId } = await teamWith('business');
    await plan(owner, teamId, YEARLY);
    await join(owner, teamId);
    const before = await scheduleOf(teamId);
    const client = stripeOf(app);
    client.subscriptions.update = () => Promise.reject(new Error('An update of the subscription.'));
    client.subscriptionSchedules.update = () => Promise.reject(new Error('An update of the schedule.'));
    await syncSeats({ ...app.backend, stripe: () => Promise.resolve(client) }, teamId);
    expect(await scheduleOf(teamId)).toEqual(before);
  });

  test('sends the current number also if a price of the planned change was archived', async () => {
    const { owner, teamId } = await teamWith('business');
    await plan(owner, teamId, YEARLY);
    await stripeOf(app).prices.update('price_hearth_business_year', { active: false });
    await join(owner, teamId);
    expect(await itemsOf(teamId)).toEqual({ business_month: 4 });
    expect(await plannedItemsOf(teamId)).toEqual({ business_year: 3 });
  });

  test('sends the current number also if the planned seats are no longer sold', async () => {
    const { owner, teamId } = await teamWith('business');
    await plan(owner, teamId, { plan: 'office', interval: 'year' });
    const [price] = (await stripeOf(app).prices.list({ lookup_keys: ['office_seat_year'] })).data;
    await stripeOf(app).prices.update(price?.id ?? '', { active: false });
    await join(owner, teamId, 2);
    expect(await itemsOf(teamId)).toEqual({ business_month: 5 });
    expect(await plannedItemsOf(teamId)).toEqual({ office_year: 1 });
  });

  test.each([
    ['leaves a schedule of an operator as it is', ['business_year', 'business_year'], { business_year: 40 }],
    [
      'follows the members also at a price that an operator has planned',
      ['business_month'],
      { business_month: 4 },
    ],
  ])('%s', async (_what, later, planned) => {
    const { owner, teamId } = await teamWith('business');
    const { id } = await subscriptionOf(app, teamId);
    const { subscriptionSchedules: schedules } = stripeOf(app);
    const made = await schedules.create({ from_subscription: id });
    const [current] = made.phases;
    await schedules.update(made.id, {
      end_behavior: 'release',
      phases: [
        {
          items: [{ price: 'price_hearth_business_month', quantity: 3 }],
          start_date: current?.start_date ?? 0,
          end_date: current?.end_date ?? 0,
        },
        ...later.map((key) => ({ items: [{ price: `price_hearth_${key}`, quantity: 40 }] })),
      ],
    });
    await settled(app);
    await join(owner, teamId);
    expect(await itemsOf(teamId)).toEqual({ business_month: 4 });
    expect(await plannedItemsOf(teamId)).toEqual(planned);
  });

  test('does not bring back a planned change that was taken back meanwhile', async () => {
    const { owner, teamId } = await teamWith('business');
    await plan(owner, teamId, YEARLY);
    await grow(teamId);
    const client = stripeOf(app);
    const { subscriptionSchedules: schedules } = stripeOf(app);
    client.subscriptionSchedules.update = async (id, params) => {
      await schedules.release(id);
      return schedules.update(id, params);
    };
    await syncSeats({ ...app.backend, stripe: () => Promise.resolve(client) }, teamId);
    expect(await subscriptionOf(app, teamId)).toMatchObject({ schedule: null });
    expect(await itemsOf(teamId)).toEqual({ business_month: 5 });
  });
});

test.each([
  ['office', 'pro', 5, { pro_month: 1 }],
  ['business', 'office', 4, { office_month: 1 }],
  ['business', 'pro', 4, { pro_month: 1 }],
])(
  'a change from %s to %s while a seat sync sends its number is refused, and right afterwards',
  async (from, to, members, items) => {
    const { owner, teamId } = await teamWith(from);
    for (let count = 3; count < members; count++) await addMember(teamId, await signUp(), 'member');
    const changeNow = async () => (await change(owner, { team: teamId, when: 'now', plan: to })).status;
    const client = stripeOf(app);
    const { subscriptions } = stripeOf(app);
    const answers: number[] = [];
    client.subscriptions.update = async (id, params) => {
      answers.push(await changeNow());
      return subscriptions.update(id, params);
    };
    await syncSeats({ ...app.backend, stripe: () => Promise.resolve(client) }, teamId);
    expect(answers).toEqual([503]);
    expect(await changeNow()).toBe(200);
    await settled(app);
    expect(await itemsOf(teamId)).toEqual(items);
  },
);

test.each([
  ['change', { plan: 'pro', when: 'now' }],
  ['change', { ...YEARLY, when: 'period_end' }],
  ['cancel', {}],
  ['resume', {}],
])('a team cannot make the request %s %j while a seat sync works', async (path, json) => {
  const { owner, teamId } = await teamWith('business');
  const until = new Date(Date.now() + 60_000);
  const customer = adminFirestore().doc(`customers/${teamId}`);
  await customer.update({ lineItemsLease: { key: 'other', until } });
  const url = `${app.url}/api/auth/subscription/${path}`;
  const refused = await call('POST', url, { headers: owner.bearer, json: { team: teamId, ...json } });
  expect([refused.status, await errorOf(refused)]).toMatchObject([503, { code: 'busy' }]);
});
