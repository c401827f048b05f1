import type Stripe from 'stripe';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ManagedSubscriptionView } from '../../functions/src/billing/subscriptions/manage/subscription.view.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, stripeOf, subscriptionOf } from '../support/billing.ts';
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

describe('a schedule that support has made at Stripe', () => {
  type Phases = NonNullable<Stripe.SubscriptionScheduleUpdateParams['phases']>;
  const phase = (price: string) => ({ items: [{ price, quantity: 1 }], duration: MONTH });
  const YEAR_LATER = [phase('price_hearth_pro_month'), phase('price_hearth_business_month')];

  async function scheduled(
    person: Person,
    later: Phases,
    end: 'cancel' | 'release',
  ): Promise<Stripe.SubscriptionSchedule> {
    const { subscriptionSchedules: schedules } = stripeOf(app);
    const { id } = await subscriptionOf(app, person.uid);
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
    for (const [action, body] of [
      ['change', { plan: 'business', when: 'period_end' }],
      ['change', { plan: 'business' }],
      ['change', { plan: 'pro', when: 'period_end' }],
      ['preview', { plan: 'business' }],
      ['add-ons', { addOn: 'storage', quantity: 1 }],
      ['resume', {}],
    ] as const) {
      const response = await ask(ada, action, body);
      expect([response.status, await errorOf(response)], action).toMatchObject([
        409,
        {
          code: 'plan_change_planned',
          error: 'Support has planned changes of this subscription. Ask support to change it.',
        },
      ]);
    }
    expect(await stripeOf(app).subscriptionSchedules.retrieve(before.id)).toEqual(before);
  });

  test('is discarded if the customer cancels', async () => {
    const ada = await subscriber();
    const { id } = await scheduled(ada, YEAR_LATER, 'release');
    const response = await ask(ada, 'cancel', {});
    expect(response.status).toBe(200);
    expect(((await response.json()) as ManagedSubscriptionView).endsAt).not.toBeNull();
    expect(await stripeOf(app).subscriptionSchedules.retrieve(id)).toMatchObject({ status: 'released' });
  });
});
