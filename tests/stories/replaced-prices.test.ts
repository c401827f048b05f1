import { beforeAll, expect, test } from 'vitest';
import type { ManagedSubscriptionView } from '../../functions/src/billing/subscriptions/manage/subscription.view.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { EXTRAS } from '../support/extras.ts';
import { signUp, type Person } from '../support/people.ts';
import { call } from '../support/requests.ts';
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

async function send(person: Person, action: string, json: object): Promise<ManagedSubscriptionView> {
  const path = `${app.url}/api/auth/subscription/${action}`;
  const response = await call('POST', path, { headers: person.bearer, json });
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
