import type Stripe from 'stripe';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ManagedSubscriptionView } from '../../functions/src/billing/subscriptions/manage/subscription.view.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { EXTRAS } from '../support/extras.ts';
import { signUp, type Person } from '../support/people.ts';
import { call, errorOf } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';

const MONTH = { interval: 'month', interval_count: 1 } as const;

const resources = useResources();
let app: AppUnderTest;
beforeAll(async () => {
  app = resources.use(await serveApp({ config: { extras: EXTRAS } }));
});

/** A person with the plan pro. */
async function subscriber(): Promise<Person> {
  const person = await signUp();
  await buy(app, person, 'pro');
  return person;
}

const ask = (person: Person, action: string, json: object) =>
  call('POST', `${app.url}/api/auth/subscription/${action}`, { headers: person.bearer, json });

const REFUSED = [
  409,
  {
    code: 'plan_change_planned',
    error: 'Support has planned changes of this subscription. Ask support to change it.',
  },
];

/** Every request that would replace or release the schedule is refused. */
async function expectRefused(person: Person): Promise<void> {
  for (const [action, body] of [
    ['change', { plan: 'business', when: 'period_end' }],
    ['change', { plan: 'business' }],
    ['change', { plan: 'pro', when: 'period_end' }],
    ['change', { plan: 'pro' }],
    ['preview', { plan: 'business' }],
    ['add-ons', { addOn: 'storage', quantity: 1 }],
    ['resume', {}],
  ] as const) {
    const response = await ask(person, action, body);
    expect([response.status, await errorOf(response)], action).toMatchObject(REFUSED);
  }
}

describe('a schedule that an operator has made at Stripe', () => {
  type Phases = NonNullable<Stripe.SubscriptionScheduleUpdateParams['phases']>;
  const phase = (price: string) => ({ items: [{ price, quantity: 1 }], duration: MONTH });
  const YEAR_LATER = [phase('price_hearth_pro_month'), phase('price_hearth_business_month')];

  async function scheduled(
    person: Person,
    later: Phases,
    end: 'cancel' | 'release',
    at = app,
  ): Promise<Stripe.SubscriptionSchedule> {
    const { subscriptionSchedules: schedules } = stripeOf(at);
    const { id } = await subscriptionOf(at, person.uid);
    const made = await schedules.create({ from_subscription: id });
    const current = made.phases.map(({ start_date, end_date }) => ({
      ...phase('price_hearth_pro_month'),
      duration: undefined,
      start_date,
      end_date,
    }));
    return schedules.update(made.id, { end_behavior: end, phases: [...current, ...later] as Phases });
  }

  test.each<[what: string, later: Phases, end: 'cancel' | 'release']>([
    ['two later phases', YEAR_LATER, 'release'],
    ['an end of the subscription', [], 'cancel'],
  ])('stays as it is, with %s', async (_what, later, end) => {
    const ada = await subscriber();
    const before = await scheduled(ada, later, end);
    await expectRefused(ada);
    expect(await stripeOf(app).subscriptionSchedules.retrieve(before.id)).toEqual(before);
  });

  test('is another one than a planned change that an immediate change has replaced', async () => {
    // Without webhooks, no sync discards the replaced schedule.
    await using quiet = await serveApp({ webhooks: false });
    const ada = await signUp();
    await buy(quiet, ada, 'pro');
    const replaced = await scheduled(ada, [phase('price_hearth_pro_month')], 'release', quiet);
    const { id } = await subscriptionOf(quiet, ada.uid);
    await stripeOf(quiet).subscriptions.update(id, { metadata: { replacedSchedule: replaced.id } });
    for (const action of ['cancel', 'resume']) {
      const url = `${quiet.url}/api/auth/subscription/${action}`;
      expect((await call('POST', url, { headers: ada.bearer, json: {} })).status, action).toBe(200);
    }
  });

  test('is discarded if the customer cancels', async () => {
    const ada = await subscriber();
    const { id } = await scheduled(ada, YEAR_LATER, 'release');
    const response = await ask(ada, 'cancel', {});
    expect(response.status).toBe(200);
    expect(((await response.json()) as ManagedSubscriptionView).endsAt).not.toBeNull();
    expect(await stripeOf(app).subscriptionSchedules.retrieve(id)).toMatchObject({ status: 'released' });
  });

  /** Another price of the plan pro by the month. With its lookup key, new customers pay it too. */
  async function higherPrice(withLookupKey: boolean): Promise<string> {
    const { prices } = stripeOf(app);
    const { product, currency, lookup_key } = await prices.retrieve('price_hearth_pro_month');
    const { id } = await prices.create({
      product: product as string,
      currency,
      ...(withLookupKey && { lookup_key: lookup_key ?? 'pro_month', transfer_lookup_key: true }),
      recurring: { interval: 'month' },
      unit_amount: 9_900,
    });
    await settled(app);
    return id;
  }

  describe.each([
    ['the lookup key', true],
    ['no lookup key', false],
  ])('that gives the present plan a price with %s', (_what, withLookupKey) => {
    async function withHigherPrice(): Promise<{ ada: Person; schedule: Stripe.SubscriptionSchedule }> {
      const ada = await subscriber();
      const later = [phase(await higherPrice(withLookupKey))];
      return { ada, schedule: await scheduled(ada, later, 'release') };
    }

    test('stays as it is', async () => {
      const { ada, schedule } = await withHigherPrice();
      await expectRefused(ada);
      expect(await stripeOf(app).subscriptionSchedules.retrieve(schedule.id)).toEqual(schedule);
      const { bearer: headers } = ada;
      const response = await call('GET', `${app.url}/api/auth/subscription`, { headers });
      const { plannedChange } = (await response.json()) as ManagedSubscriptionView;
      expect(plannedChange).toMatchObject({ plan: 'pro', interval: 'month' });
    });

    test('is not lost by a cancellation that the customer takes back', async () => {
      const { ada, schedule } = await withHigherPrice();
      for (let time = 0; time < 2; time++) expect((await ask(ada, 'cancel', {})).status).toBe(200);
      const response = await ask(ada, 'resume', {});
      expect([response.status, await errorOf(response)]).toMatchObject(REFUSED);
      expect(await subscriptionOf(app, ada.uid)).toMatchObject({
        cancel_at_period_end: true,
        metadata: { discardedSchedule: schedule.id },
      });
    });
  });

  test('does not keep the customer from resuming after the operator has resumed the subscription', async () => {
    const ada = await subscriber();
    await scheduled(ada, YEAR_LATER, 'release');
    expect((await ask(ada, 'cancel', {})).status).toBe(200);
    const { id } = await subscriptionOf(app, ada.uid);
    await stripeOf(app).subscriptions.update(id, {
      cancel_at_period_end: false,
      metadata: { discardedSchedule: '' },
    });
    for (const action of ['resume', 'cancel', 'resume']) {
      expect((await ask(ada, action, {})).status, action).toBe(200);
    }
  });
});
