import Stripe from 'stripe';
import { expect, test } from 'vitest';
import type { Receiver } from './testing.ts';
import { openCheckout, receiver, subscribe, testStripe, WEBHOOK_SECRET } from './testing.ts';

const stripeOf = async (endpoint: { url: string }, options = {}) =>
  testStripe({ webhooks: [{ url: endpoint.url, secret: WEBHOOK_SECRET }], ...options });

/** The received events, each verified as an application does. */
function verified({ received }: Receiver): Stripe.Event[] {
  return received.map(({ payload, signature }) =>
    Stripe.webhooks.constructEvent(payload, signature, WEBHOOK_SECRET),
  );
}

test('a paid checkout sends signed events in order', async () => {
  const endpoint = await receiver();
  const { stripe, local } = await stripeOf(endpoint);
  const { customer, subscription, session } = await subscribe(stripe);
  await local.idle();
  const events = verified(endpoint);
  expect(events.map(({ type }) => type)).toEqual([
    'customer.created',
    'payment_method.attached',
    'customer.subscription.created',
    'invoice.created',
    'invoice.finalized',
    'invoice.paid',
    'invoice.payment_succeeded',
    'customer.subscription.updated',
    'checkout.session.completed',
  ]);
  expect(events.at(-1)).toMatchObject({
    object: 'event',
    api_version: '2026-10-28.endive',
    livemode: false,
    data: { object: { id: session, status: 'complete', payment_status: 'paid', customer, subscription } },
  });
});

test('a payment does not wait for the receiver of its event', async () => {
  const answered = Promise.withResolvers<number>();
  const endpoint = await receiver(() => answered.promise);
  const { stripe, local, control } = await stripeOf(endpoint);
  await subscribe(stripe);
  const { deliveries } = (await (await control('GET', 'deliveries')).json()) as {
    deliveries: { attempts: [] }[];
  };
  expect(deliveries.map(({ attempts }) => attempts)).toEqual(Array.from({ length: 9 }, () => []));
  answered.resolve(200);
  await local.idle();
  expect(verified(endpoint)).toHaveLength(9);
});

test('an event names the request that caused it', async () => {
  const endpoint = await receiver();
  const { stripe, local } = await stripeOf(endpoint);
  const { lastResponse } = await stripe.customers.create({}, { idempotencyKey: 'key-1' });
  await local.idle();
  expect(verified(endpoint)[0]?.request).toEqual({ id: lastResponse.requestId, idempotency_key: 'key-1' });
});

test('changes, cancellations, deletions and expiry send events with the previous values', async () => {
  const { stripe } = await testStripe();
  const { customer, subscription } = await subscribe(stripe);
  await stripe.subscriptions.update(subscription, { metadata: { a: '1' } });
  await stripe.subscriptions.update(subscription, { metadata: { a: '1' } });
  await stripe.customers.update(customer, { name: 'Ada L.' });
  await stripe.subscriptions.cancel(subscription);
  await stripe.customers.del(customer);
  await stripe.checkout.sessions.expire((await openCheckout(stripe)).id);
  const { data } = await stripe.events.list({ limit: 5 });
  expect(data.map((event) => [event.type, event.data.previous_attributes])).toEqual([
    ['checkout.session.expired', undefined],
    ['customer.deleted', undefined],
    ['customer.subscription.deleted', undefined],
    ['customer.updated', { name: 'Ada' }],
    ['customer.subscription.updated', { metadata: {} }],
  ]);
});

test('events can be read later and filtered by type', async () => {
  const { stripe } = await testStripe();
  await subscribe(stripe);
  const [, event] = (await stripe.events.list({ type: 'customer.subscription.*' })).data;
  expect(event?.type).toBe('customer.subscription.created');
  expect(await stripe.events.retrieve(event?.id ?? '')).toMatchObject({ id: event?.id });
  const types = ['invoice.paid', 'customer.created'];
  expect((await stripe.events.list({ types })).data.map(({ type }) => type)).toEqual(types);
});

test.each([500, 400, 302])('an answer of %i is a failure: the same event is sent again', async (status) => {
  const endpoint = await receiver((nth) => (nth < 2 ? status : 204));
  const { stripe, local, control } = await stripeOf(endpoint);
  await stripe.customers.create();
  await local.idle();
  const ids = verified(endpoint).map(({ id }) => id);
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(1);
  expect(await (await control('GET', 'deliveries')).json()).toMatchObject({
    deliveries: [{ attempts: [status, status, 204], delivered: true }],
  });
  expect(await stripe.events.retrieve(ids[0] ?? '')).toMatchObject({ pending_webhooks: 0 });
});

test('an event is given up after the last attempt, and the next one still comes', async () => {
  const endpoint = await receiver((nth) => (nth < 3 ? 500 : 200));
  const { stripe, local } = await stripeOf(endpoint);
  await stripe.customers.create();
  await local.idle();
  await stripe.customers.create();
  await local.idle();
  const events = verified(endpoint);
  expect(events).toHaveLength(4);
  expect(await stripe.events.retrieve(events[0]?.id ?? '')).toMatchObject({ pending_webhooks: 1 });
});

test('a receiver that is down does not delay other requests', async () => {
  const { stripe, local, control } = await stripeOf({ url: 'http://127.0.0.1:1/webhook' });
  await stripe.customers.create();
  await local.idle();
  const { deliveries } = (await (await control('GET', 'deliveries')).json()) as {
    deliveries: { attempts: string[]; delivered: boolean }[];
  };
  expect(deliveries).toMatchObject([{ delivered: false }]);
  expect(deliveries[0]?.attempts).toHaveLength(3);
  expect((await stripe.customers.list()).data).toHaveLength(1);
});

test('an event can be delivered again, newly signed', async () => {
  const endpoint = await receiver();
  const { stripe, local, control } = await stripeOf(endpoint);
  await stripe.customers.create();
  const [event] = (await stripe.events.list()).data;
  expect((await control('POST', `events/${event?.id ?? ''}/deliver`)).status).toBe(204);
  await local.idle();
  expect(verified(endpoint).map(({ id }) => id)).toEqual([event?.id, event?.id]);
  expect((await control('POST', 'events/evt_x/deliver')).status).toBe(404);
});

test('events can be held, and delivered in any order, doubled or not at all', async () => {
  const endpoint = await receiver();
  const { stripe, local, control } = await stripeOf(endpoint);
  const mode = async (to: string): Promise<unknown> =>
    (await control('POST', 'webhooks', { mode: to })).json();
  expect(await mode('hold')).toEqual({ mode: 'hold', held: [] });
  for (let count = 0; count < 4; count += 1) await stripe.customers.create();
  await local.idle();
  expect(endpoint.received).toEqual([]);
  const { held } = (await (await control('GET', 'webhooks')).json()) as { held: string[] };
  const [first = '', second = '', , fourth = ''] = held;
  const order = [fourth, first, fourth, second];
  expect((await control('POST', 'events/deliver', { events: order })).status).toBe(204);
  expect(verified(endpoint).map(({ id }) => id)).toEqual(order);
  await mode('send');
  await local.idle();
  expect(verified(endpoint).map(({ id }) => id)).toEqual([...order, ...held]);
});

test('events can be dropped, and are listed nevertheless', async () => {
  const endpoint = await receiver();
  const { stripe, local, control } = await stripeOf(endpoint);
  await control('POST', 'webhooks', { mode: 'hold' });
  await stripe.customers.create();
  await control('POST', 'webhooks', { mode: 'drop' });
  await stripe.customers.create();
  await control('POST', 'webhooks', { mode: 'send' });
  await stripe.customers.create();
  await local.idle();
  expect(endpoint.received).toHaveLength(1);
  expect((await stripe.events.list()).data).toHaveLength(3);
});

test('events are listed for 30 days, by whether every endpoint has got them', async () => {
  const endpoint = await receiver((nth) => (nth < 3 ? 500 : 200));
  const { stripe, local, pass } = await stripeOf(endpoint);
  const ids = async (params: Stripe.EventListParams) =>
    (await stripe.events.list(params)).data.map(({ id }) => id);
  await stripe.customers.create();
  await local.idle();
  await stripe.customers.create();
  await local.idle();
  const [delivered, failed] = await ids({});
  expect(await ids({ delivery_success: true })).toEqual([delivered]);
  expect(await ids({ delivery_success: false })).toEqual([failed]);
  await pass(29);
  expect(await ids({})).toHaveLength(2);
  await pass(1);
  expect(await ids({})).toEqual([]);
});

test.each([
  ['webhooks', { mode: 'shout' }, 400],
  ['webhooks', {}, 400],
  ['events/deliver', { events: 'all' }, 400],
  ['events/deliver', { events: ['evt_x'] }, 404],
])('the control request %s %j is refused', async (path, order, status) => {
  const { control } = await testStripe();
  expect((await control('POST', path, order)).status).toBe(status);
});

test('every endpoint gets the event, signed with its own secret', async () => {
  const [one, two] = [await receiver(), await receiver()];
  const { stripe, local } = await testStripe({
    webhooks: [
      { url: one.url, secret: WEBHOOK_SECRET },
      { url: two.url, secret: 'whsec_two' },
    ],
  });
  await stripe.customers.create();
  await local.idle();
  expect(verified(one)).toHaveLength(1);
  expect(() => verified(two)).toThrow('signature');
});

test('signatures are recent even when the clock of the emulator is not', async () => {
  const endpoint = await receiver();
  const { stripe, local } = await stripeOf(endpoint, { now: () => new Date('2030-01-01T00:00:00Z') });
  await stripe.customers.create();
  await local.idle();
  expect(verified(endpoint)).toMatchObject([{ created: Date.parse('2030-01-01T00:00:00Z') / 1000 }]);
});

test('an endpoint that was made through the API gets the events it wants, signed with its own secret', async () => {
  const endpoint = await receiver();
  const { stripe, local } = await testStripe();
  const { id, secret = '' } = await stripe.webhookEndpoints.create({
    url: endpoint.url,
    enabled_events: ['customer.created'],
    api_version: '2026-10-28.endive',
  });
  expect(await stripe.webhookEndpoints.retrieve(id)).not.toHaveProperty('secret');

  const { id: customer } = await stripe.customers.create({});
  await stripe.customers.update(customer, { name: 'Ann' });
  await local.idle();
  const types = endpoint.received.map(
    ({ payload, signature }) => Stripe.webhooks.constructEvent(payload, signature, secret).type,
  );
  expect(types).toEqual(['customer.created']);

  await stripe.webhookEndpoints.update(id, { disabled: true });
  await stripe.customers.create({});
  await local.idle();
  expect(endpoint.received).toHaveLength(1);
});
