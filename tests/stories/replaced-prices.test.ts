import { beforeAll, expect, test } from 'vitest';
import type { ManagedSubscriptionView } from '../../functions/src/billing/subscriptions/manage/subscription.view.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { EXTRAS } from '../support/extras.ts';
import { signUp, type Person } from '../support/people.ts';
import { call, errorOf } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';

const resources = useResources();
let app: AppUnderTest;
beforeAll(async () => {
  app = resources.use(await serveApp({ config: { extras: EXTRAS } }));
});

/** Makes another price with the lookup key of a price, as an operator does to change what new customers pay. */
async function replacePrice(id: string): Promise<string> {
  const { prices } = stripeOf(app);
  const { product, currency, lookup_key, recurring, unit_amount } = await prices.retrieve(id);
  const created = await prices.create({
    product: product as string,
    currency,
    lookup_key: lookup_key ?? '',
    transfer_lookup_key: true,
    recurring: { interval: recurring?.interval ?? 'month' },
    unit_amount: 2 * (unit_amount ?? 0),
  });
  await settled(app);
  return created.id;
}

const post = ({ bearer: headers }: Person, action: string, json: object) =>
  call('POST', `${app.url}/api/auth/subscription/${action}`, { headers, json });

async function send(person: Person, action: string, json: object): Promise<ManagedSubscriptionView> {
  const response = await post(person, action, json);
  const body = (await response.json()) as ManagedSubscriptionView;
  expect(response.status, JSON.stringify(body)).toBe(200);
  await settled(app);
  return body;
}

async function subscriber(): Promise<Person> {
  const person = await signUp();
  await buy(app, person, 'pro');
  return person;
}

/** The prices and quantities of the line items. */
async function itemsOf({ uid }: Person): Promise<unknown[]> {
  const { items } = await subscriptionOf(app, uid);
  return items.data.map(({ price, quantity }) => [price.id, quantity]);
}

test('a customer at a former price who goes back to their plan keeps this price', async () => {
  const ada = await subscriber();
  const before = await itemsOf(ada);
  await replacePrice('price_hearth_pro_month');
  await send(ada, 'change', { plan: 'business', when: 'period_end' });
  for (const when of ['period_end', 'now']) {
    const { plannedChange } = await send(ada, 'change', { plan: 'pro', when });
    expect(plannedChange).toBeNull();
    expect(await itemsOf(ada)).toEqual(before);
  }
});

test('a planned change can be taken back by two requests at the same time', async () => {
  const ada = await subscriber();
  await send(ada, 'change', { plan: 'business', when: 'period_end' });
  const back = { plan: 'pro', when: 'period_end' };
  const views = await Promise.all([send(ada, 'change', back), send(ada, 'change', back)]);
  expect(views.map(({ plannedChange }) => plannedChange)).toEqual([null, null]);
});

/** A customer with two units of the add-on at the former price, and one unit at the price that has replaced it. */
async function holderOfTwoPrices(): Promise<{ ada: Person; former: string; price: string }> {
  const ada = await subscriber();
  await send(ada, 'add-ons', { addOn: 'storage', quantity: 2 });
  const { id, items } = await subscriptionOf(app, ada.uid);
  const former = items.data[1]?.price.id ?? '';
  const price = await replacePrice(former);
  await stripeOf(app).subscriptions.update(id, { items: [{ price, quantity: 1 }] });
  await settled(app);
  expect((await itemsOf(ada)).slice(1)).toEqual([
    [former, 2],
    [price, 1],
  ]);
  return { ada, former, price };
}

test('the units of an add-on at two prices are set together', async () => {
  const { ada, former } = await holderOfTwoPrices();
  await send(ada, 'add-ons', { addOn: 'storage', quantity: 1 });
  expect((await itemsOf(ada)).slice(1)).toEqual([[former, 1]]);
});

test('a change of plan joins the units of an add-on at two prices', async () => {
  const { ada, price } = await holderOfTwoPrices();
  await send(ada, 'change', { plan: 'business' });
  expect((await itemsOf(ada)).slice(1)).toEqual([[price, 3]]);
});

/** Archives the price of the first line item. */
async function archivePrice({ uid }: Person): Promise<void> {
  const [item] = (await subscriptionOf(app, uid)).items.data;
  const former = item?.price.id ?? '';
  await replacePrice(former);
  await stripeOf(app).prices.update(former, { active: false });
}

/** Gives the subscription a coupon, which is deleted afterwards. */
async function deleteCoupon({ uid }: Person): Promise<void> {
  const { coupons, subscriptions } = stripeOf(app);
  const { id: coupon } = await coupons.create({ percent_off: 50, duration: 'forever' });
  await subscriptions.update((await subscriptionOf(app, uid)).id, { discounts: [{ coupon }] });
  await coupons.del(coupon);
}

test.each([
  ['price was archived', archivePrice],
  ['coupon was deleted', deleteCoupon],
])('a customer whose %s cannot plan a change, and can change now', async (_what, withdraw) => {
  const ada = await subscriber();
  await withdraw(ada);
  const refused = await post(ada, 'change', { plan: 'business', when: 'period_end' });
  expect([refused.status, await errorOf(refused)]).toMatchObject([409, { code: 'change_not_plannable' }]);
  expect(await send(ada, 'change', { plan: 'business', when: 'now' })).toMatchObject({ plan: 'business' });
  expect(await send(ada, 'cancel', {})).toMatchObject({ plannedChange: null, plan: 'business' });
});

test('the units of an add-on at an archived price can be changed', async () => {
  const ada = await subscriber();
  await send(ada, 'add-ons', { addOn: 'storage', quantity: 2 });
  const [, item] = (await subscriptionOf(app, ada.uid)).items.data;
  const former = item?.price.id ?? '';
  await replacePrice(former);
  await stripeOf(app).prices.update(former, { active: false });
  await send(ada, 'add-ons', { addOn: 'storage', quantity: 1 });
  expect((await itemsOf(ada)).slice(1)).toEqual([[former, 1]]);
});
