import Stripe from 'stripe';
import { beforeAll, describe, expect, test } from 'vitest';
import { setAddOn } from '../../functions/src/billing/subscriptions/add-ons/add-ons.service.ts';
import { changePlan } from '../../functions/src/billing/subscriptions/manage/change.service.ts';
import type { ManagedSubscriptionView } from '../../functions/src/billing/subscriptions/manage/subscription.view.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, payInvoice, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { AppClock } from '../support/clock.ts';
import { meterFirestore } from '../support/cost.ts';
import { EXTRAS } from '../support/extras.ts';
import { signUp, type Person } from '../support/people.ts';
import { call } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';

/** A Firestore of its own, because these tests move its clock. */
const resources = useResources();
let app: AppUnderTest;
const clock = new AppClock();
beforeAll(async () => {
  resources.use(await meterFirestore());
  app = resources.use(await serveApp({ config: { extras: EXTRAS }, backend: { now: clock.now } }));
});

async function change(person: Person, json: object): Promise<ManagedSubscriptionView> {
  const response = await call('POST', `${app.url}/api/auth/subscription/change`, {
    headers: person.bearer,
    json,
  });
  const body = (await response.json()) as ManagedSubscriptionView;
  expect(response.status, JSON.stringify(body)).toBe(200);
  await settled(app);
  return body;
}

/** A person with Business who has planned to change to Pro. */
async function withPlannedChange(): Promise<Person> {
  const person = await signUp();
  await buy(app, person, 'business');
  await change(person, { plan: 'pro', when: 'period_end' });
  return person;
}

async function useCard(customerId: string, token: string): Promise<void> {
  const stripe = stripeOf(app);
  const { id, customer } = await subscriptionOf(app, customerId);
  const card = await stripe.paymentMethods.attach(token, { customer: customer as string });
  await stripe.subscriptions.update(id, { default_payment_method: card.id });
}

const lookupKeysOf = async (customerId: string) =>
  (await subscriptionOf(app, customerId)).items.data.map(({ price }) => price.lookup_key);

const YEARLY = { plan: 'business', interval: 'year' };
const PLANNED = { plannedChange: { plan: 'pro', interval: 'month' } };

describe('a planned change stays', () => {
  test('if the payment of a change now is declined and never made', async () => {
    const person = await withPlannedChange();
    await useCard(person.uid, 'pm_card_chargeCustomerFail');
    expect(await change(person, YEARLY)).toMatchObject({ ...PLANNED, payment: { currency: 'usd' } });
    await useCard(person.uid, 'pm_card_visa');
    await clock.passDays(app, 32);
    expect(await lookupKeysOf(person.uid)).toEqual(['hearth_pro_monthly']);
  });

  test('if Stripe is down', async () => {
    const person = await withPlannedChange();
    const client = stripeOf(app);
    client.subscriptions.update = () =>
      Promise.reject(new Stripe.errors.StripeConnectionError({ message: '' }));
    const backend = { ...app.backend, stripe: () => Promise.resolve(client) };
    const subject = { type: 'user', customerId: person.uid } as never;
    await expect(
      changePlan(backend, subject, { plan: 'business', interval: 'year', when: 'now' }),
    ).rejects.toMatchObject({ code: 'billing_unavailable' });
    await clock.passDays(app, 32);
    expect(await lookupKeysOf(person.uid)).toEqual(['hearth_pro_monthly']);
  });
});

describe('a planned change is discarded', () => {
  test('when a change now is paid later', async () => {
    const person = await withPlannedChange();
    await useCard(person.uid, 'pm_card_chargeCustomerFail');
    await change(person, YEARLY);
    const { latest_invoice: latest } = await subscriptionOf(app, person.uid);
    await payInvoice(app, await stripeOf(app).invoices.retrieve(latest as string));
    expect(await subscriptionOf(app, person.uid)).toMatchObject({ schedule: null, pending_update: null });
    await useCard(person.uid, 'pm_card_visa');
    await clock.passDays(app, 32);
    expect(await lookupKeysOf(person.uid)).toEqual(['hearth_business_yearly']);
  });

  test('before a change now that Stripe refuses because of the schedule', async () => {
    const person = await withPlannedChange();
    const client = stripeOf(app);
    const { subscriptions } = stripeOf(app);
    client.subscriptions.update = async (id, params, options) => {
      if ((await subscriptions.retrieve(id)).schedule === null)
        return subscriptions.update(id, params, options);
      const message = 'The subscription is managed by the subscription schedule `sub_sched_1`.';
      throw new Stripe.errors.StripeInvalidRequestError({ message, type: 'invalid_request_error' });
    };
    const backend = { ...app.backend, stripe: () => Promise.resolve(client) };
    const subject = { type: 'user', customerId: person.uid } as never;
    await changePlan(backend, subject, { plan: 'business', interval: 'year', when: 'now' });
    expect(await lookupKeysOf(person.uid)).toEqual(['hearth_business_yearly']);
    expect(await subscriptionOf(app, person.uid)).toMatchObject({ schedule: null });
  });
});

test('a change of plan that is planned after another one was discarded takes effect', async () => {
  const person = await withPlannedChange();
  await change(person, { plan: 'pro', interval: 'year' });
  expect(await change(person, { plan: 'business', interval: 'year', when: 'period_end' })).toMatchObject({
    plannedChange: { plan: 'business', interval: 'year' },
  });
  expect((await subscriptionOf(app, person.uid)).schedule).not.toBeNull();
});

test('an add-on whose payment fails leaves a schedule without a planned change, which is removed with the payment', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  const { id } = await subscriptionOf(app, person.uid);
  await stripeOf(app).subscriptionSchedules.create({ from_subscription: id });
  await useCard(person.uid, 'pm_card_chargeCustomerFail');
  const subject = { type: 'user', customerId: person.uid } as never;
  await setAddOn(app.backend, subject, { slug: 'storage', quantity: 1 });
  const { latest_invoice: latest, schedule } = await subscriptionOf(app, person.uid);
  expect(schedule).not.toBeNull();
  await payInvoice(app, await stripeOf(app).invoices.retrieve(latest as string));
  expect(await subscriptionOf(app, person.uid)).toMatchObject({ schedule: null });
  expect(await lookupKeysOf(person.uid)).toEqual(['hearth_pro_monthly', 'hearth_storage_month']);
});
