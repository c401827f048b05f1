import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import {
  buy,
  checkout,
  subscriptionCopiesOf,
  pay,
  settled,
  stripeOf,
  subscriptionOf,
} from '../support/billing.ts';
import { passAtStripe } from '../support/clock.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { plansWith, priceOf } from '../support/plans.ts';
import { call, errorOf, locationOf } from '../support/requests.ts';

const DAY = 86_400;

/** The sample plans, but only `pro` has a price in euros as well. */
const inTwoCurrencies = () =>
  plansWith({
    pro: { prices: { month: priceOf('hearth_pro_monthly', 1_200, { currencies: { eur: 1_100 } }) } },
  });

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp({ config: { plans: inTwoCurrencies() } });
});
afterAll(() => app[Symbol.asyncDispose]());

const pageOf = async (person: Person, slugAndQuery: string) => {
  const page = locationOf(await checkout(app, person, slugAndQuery));
  return { page, text: await (await fetch(page)).text() };
};

/** The amount of the first invoice of a person's subscription. */
async function paidBy(person: Person): Promise<number> {
  const { id } = await subscriptionOf(app, person.uid);
  const { data } = await stripeOf(app).invoices.list({ subscription: id });
  return data.at(-1)?.amount_paid ?? 0;
}

async function expectRefused(person: Person, slugAndQuery: string, message: string): Promise<void> {
  const response = await checkout(app, person, slugAndQuery);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(message);
  expect(await subscriptionCopiesOf(person.uid)).toEqual([]);
}

describe('a plan with a price in several currencies', () => {
  test('is paid in the currency of the link', async () => {
    const person = await signUp();
    await buy(app, person, 'pro?currency=eur');
    expect((await subscriptionOf(app, person.uid)).currency).toBe('eur');
    expect(await paidBy(person)).toBe(1_100);
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ role: 'pro', status: 'active' }]);
  });

  test('is paid in its first currency without a choice', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    expect((await subscriptionOf(app, person.uid)).currency).toBe('usd');
  });

  test('is not sold in another one', async () => {
    await expectRefused(await signUp(), 'pro?currency=jpy', 'no price in this currency');
  });

  test('is offered anew when another currency is chosen', async () => {
    const person = await signUp();
    const first = await pageOf(person, 'pro');
    const second = await pageOf(person, 'pro?currency=eur');
    expect(second.page.href).not.toBe(first.page.href);
    expect((await pageOf(person, 'pro?currency=eur')).page.href).toBe(second.page.href);
  });
});

describe('a customer whose paused subscription is in euros', () => {
  test('can replace it in euros only, until it has ended', async () => {
    let now = Date.now();
    await using trying = await serveApp({
      config: { plans: inTwoCurrencies(), trialDays: 7, trialWithoutCard: 'pause' },
      backend: { now: () => new Date(now) },
    });
    const person = await signUp();
    await buy(trying, person, 'pro?currency=eur');
    now += 8 * DAY * 1000;
    await passAtStripe(trying, 8 * DAY);
    const paused = await subscriptionOf(trying, person.uid);
    expect(paused.status).toBe('paused');

    const open = (query: string) => checkout(trying, person, `pro?${query}`);
    const refused = await open('currency=usd');
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain(
      'Only EUR is possible, because there is already a subscription or an invoice in it.',
    );
    const onlyDollars = await checkout(trying, person, 'business');
    expect(onlyDollars.status).toBe(400);
    expect(await onlyDollars.text()).toContain('Only EUR is possible');
    expect((await open('currency=eur')).status).toBe(303);
    expect((await open('')).status).toBe(303);

    await stripeOf(trying).subscriptions.cancel(paused.id);
    await settled(trying);
    expect((await open('currency=usd')).status).toBe(303);
  });
});

describe('a subscription in euros', () => {
  const ask = (person: Person, action: string, json: object) =>
    call('POST', `${app.url}/api/auth/subscription/${action}`, { headers: person.bearer, json });

  test('cannot change to a plan without a price in euros', async () => {
    const person = await signUp();
    await buy(app, person, 'pro?currency=eur');
    for (const [action, when] of [
      ['preview', 'now'],
      ['change', 'now'],
      ['change', 'period_end'],
    ] as const) {
      expect(await errorOf(await ask(person, action, { plan: 'business', when }))).toMatchObject({
        status: 400,
        code: 'currency_not_offered',
        error: 'Only EUR is possible, because there is already a subscription or an invoice in it.',
      });
    }
    expect((await ask(person, 'change', { plan: 'pro', when: 'now' })).status).toBe(200);
  });
});

describe('a link with a promotion code', () => {
  const createCode = async (code: string, rest: object = {}) => {
    const stripe = stripeOf(app);
    const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'once' });
    return stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code, ...rest });
  };

  test('gives its discount, whatever the case of its letters', async () => {
    await createCode('SPRING');
    const person = await signUp();
    await buy(app, person, 'pro?code=spring');
    expect(await paidBy(person)).toBe(600);
  });

  test('is refused with a code that does not exist or is not active', async () => {
    const { id } = await createCode('WINTER');
    await stripeOf(app).promotionCodes.update(id, { active: false });
    const person = await signUp();
    await expectRefused(person, 'pro?code=WINTER', 'This promotion code is not valid');
    await expectRefused(person, 'pro?code=AUTUMN', 'This promotion code is not valid');
    await buy(app, person, 'pro');
  });

  test('is refused with the code of another customer', async () => {
    const other = await stripeOf(app).customers.create({});
    await createCode('VIP', { customer: other.id });
    await expectRefused(await signUp(), 'pro?code=VIP', 'This promotion code is not valid');
  });

  test('gives the discount of the customer if others have a code with the same text', async () => {
    const person = await signUp();
    await checkout(app, person, 'pro');
    const customer = (await adminFirestore().doc(`customers/${person.uid}`).get()).get('stripeId') as string;
    await createCode('HELLO', { customer });
    for (let others = 0; others < 2; others++) {
      const { id } = await stripeOf(app).customers.create({});
      await createCode('HELLO', { customer: id });
    }
    await buy(app, person, 'pro?code=HELLO');
    expect(await paidBy(person)).toBe(600);
    await expectRefused(await signUp(), 'pro?code=HELLO', 'This promotion code is not valid');
  });

  test('is refused if the code is for first payments only and the customer has paid before', async () => {
    await createCode('WELCOME', { restrictions: { first_time_transaction: true } });
    const person = await signUp();
    await buy(app, person, 'pro?code=WELCOME');
    await stripeOf(app).subscriptions.cancel((await subscriptionOf(app, person.uid)).id);
    await settled(app);
    const response = await checkout(app, person, 'pro?code=WELCOME');
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('This promotion code is not valid');
  });
});

describe.each([
  ['pause', 'paused'],
  ['cancel', 'canceled'],
] as const)('a trial without a card, with %s at its end', (trialWithoutCard, status) => {
  test('gives the plan without a payment method until the trial ends', async () => {
    let now = Date.now();
    await using trying = await serveApp({
      config: { trialDays: 7, trialWithoutCard },
      backend: { now: () => new Date(now) },
    });
    const person = await signUp();
    const page = locationOf(await checkout(trying, person, 'pro'));
    expect(await (await fetch(page)).text()).not.toContain('Card number');
    expect((await pay(trying, page)).status).toBe(303);
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ role: 'pro', status: 'trialing' }]);

    now += 8 * DAY * 1000;
    await passAtStripe(trying, 8 * DAY);
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status }]);
    const session = await call('GET', `${trying.url}/api/auth/session`, { headers: person.bearer });
    expect(await session.json()).toMatchObject({ plan: 'free' });

    const again = locationOf(await checkout(trying, person, 'pro'));
    expect(await (await fetch(again)).text()).toContain('Card number');
    expect((await pay(trying, again)).status).toBe(303);
    expect(await subscriptionCopiesOf(person.uid)).toContainEqual(
      expect.objectContaining({ status: 'active', role: 'pro' }),
    );
  });
});
