import type Stripe from 'stripe';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findLostEvents } from '../functions/src/billing/reconcile/lost-events.service.ts';
import { reconcileBilling } from '../functions/src/billing/reconcile/reconcile.service.ts';
import { syncInvoiceOfEvent } from '../functions/src/billing/webhook/events/subscription-events.service.ts';
import { parse, runCommand } from '../scripts/admin/run.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import {
  buy,
  checkout,
  failPayment,
  pay,
  payInvoice,
  settled,
  signedRequest,
  stripeOf,
  subscriptionOf,
} from './support/billing.ts';
import { passAtStripe } from './support/clock.ts';
import { meterFirestore } from './support/cost.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call, locationOf } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import { mailTo } from './support/teams.ts';

/** Events that Stripe could not deliver, because the webhook was down for longer than it tries. */

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  // Own Firestore, because the reconciliation stores its position there.
  resources.use(await meterFirestore());
  app = resources.use(await serveApp({ config: { refundEndsSubscription: true } }));
});
beforeEach(() => deliver('send'));

async function deliver(mode: 'send' | 'drop'): Promise<void> {
  await call('POST', `${app.stripe.url}/_emulator/webhooks`, { json: { mode } });
}

const reconcile = async () => {
  await reconcileBilling(app.backend);
  await settled(app);
};

const statusOf = async ({ uid }: Person) => (await subscriptionOf(app, uid)).status;

/** A user who has paid for the plan pro. Events are lost from now on. */
async function paid(): Promise<{ buyer: Person; charge: string }> {
  const buyer = await signUp();
  await buy(app, buyer, 'pro');
  const { customer } = await subscriptionOf(app, buyer.uid);
  const { data } = await stripeOf(app).charges.list({ customer: customer as string });
  await deliver('drop');
  return { buyer, charge: data[0]?.id ?? '' };
}

async function eventOf(type: string): Promise<Stripe.Event> {
  const { data } = await stripeOf(app).events.list({ type, limit: 1 });
  return data[0] as Stripe.Event;
}

const isRecorded = async ({ id }: Stripe.Event) =>
  (await adminFirestore().doc(`stripeEvents/${id}`).get()).exists;

describe('while the webhook is down', () => {
  test('a refund ends the subscription with the next reconciliation, once', async () => {
    const { buyer, charge } = await paid();
    await stripeOf(app).refunds.create({ charge });
    await settled(app);
    expect(await statusOf(buyer)).toBe('active');
    await reconcile();
    expect(await statusOf(buyer)).toBe('canceled');
    expect(await isRecorded(await eventOf('charge.refunded'))).toBe(true);
    await call('DELETE', `${app.stripe.url}/_emulator/requests`);
    await reconcile();
    const log = await call('GET', `${app.stripe.url}/_emulator/requests`);
    expect(((await log.json()) as { counts: object }).counts).not.toHaveProperty('GET /v1/invoice_payments');
  });

  test('a lost dispute ends the subscription with the next reconciliation', async () => {
    const { buyer, charge } = await paid();
    await call('POST', `${app.stripe.url}/_emulator/disputes`, { json: { charge } });
    const { data } = await stripeOf(app).disputes.list({ charge });
    const evidence = { uncategorized_text: 'losing_evidence' };
    await stripeOf(app).disputes.update(data[0]?.id ?? '', { evidence, submit: true });
    await settled(app);
    expect(await statusOf(buyer)).toBe('active');
    await reconcile();
    expect(await statusOf(buyer)).toBe('canceled');
  });

  test('the open checkout page of a customer who got a plan expires with the next reconciliation', async () => {
    const person = await signUp();
    const page = locationOf(await checkout(app, person, 'pro'));
    await deliver('drop');
    const customer = (await adminFirestore().doc(`customers/${person.uid}`).get()).get('stripeId') as string;
    const card = await stripeOf(app).paymentMethods.attach('pm_card_visa', { customer });
    const items = [{ price: 'price_hearth_pro_month' }];
    await stripeOf(app).subscriptions.create({ customer, items, default_payment_method: card.id });
    await reconcile();
    expect((await fetch(page, { method: 'POST', redirect: 'manual' })).status).toBe(410);
    expect(await statusOf(person)).toBe('active');
  });

  test('a new card of the customer pays for the plan after the next reconciliation', async () => {
    const { buyer } = await paid();
    const { id, customer } = await subscriptionOf(app, buyer.uid);
    const card = await stripeOf(app).paymentMethods.attach('pm_card_mastercard', {
      customer: customer as string,
    });
    const settings = { invoice_settings: { default_payment_method: card.id } };
    await stripeOf(app).customers.update(customer as string, settings);
    await reconcile();
    expect((await subscriptionOf(app, buyer.uid)).default_payment_method).toBe(card.id);
    // The customer then chooses another card for this subscription.
    const own = await stripeOf(app).paymentMethods.attach('pm_card_visa', { customer: customer as string });
    await stripeOf(app).subscriptions.update(id, { default_payment_method: own.id });
    await reconcile();
    expect((await subscriptionOf(app, buyer.uid)).default_payment_method).toBe(own.id);
  });

  test('an event that concerns nobody is read once', async () => {
    await deliver('drop');
    const { id } = await stripeOf(app).customers.create();
    await stripeOf(app).customers.del(id);
    await reconcile();
    expect(await isRecorded(await eventOf('customer.deleted'))).toBe(true);
  });
});

test('many lost events do not delay the visits of subscriptions', async () => {
  const { buyer } = await paid();
  const { customer, id } = await subscriptionOf(app, buyer.uid);
  const copy = adminFirestore().doc(`customers/${buyer.uid}/subscriptions/${id}`);
  for (let n = 0; n < 40; n += 1) {
    await stripeOf(app).customers.update(customer as string, { metadata: { n } });
  }
  const maxCalls = 100;
  await reconcileBilling(app.backend, maxCalls);
  const { after } = (await app.backend.db.sweeps.get('events')) ?? {};
  expect(after).toEqual(expect.any(String));
  await stripeOf(app).subscriptions.cancel(id);
  await reconcileBilling(app.backend, maxCalls);
  await settled(app);
  expect((await copy.get()).get('status')).toBe('canceled');
  // Ends the round for the other tests.
  await reconcile();
});

test('a refund that meets a damaged customer is handled after the repair', async () => {
  const { buyer, charge } = await paid();
  const customer = adminFirestore().doc(`customers/${buyer.uid}`);
  const intact = (await customer.get()).data() ?? {};
  await customer.update({ creationKeyAt: 'yesterday' });
  await stripeOf(app).refunds.create({ charge });
  const event = await eventOf('charge.refunded');
  // Stripe sends an event again, and lists it as undelivered, because the answer is an error.
  const answer = await call('POST', `${app.url}/api/webhooks/stripe`, signedRequest(app, event));
  expect(answer.status).toBe(500);
  await reconcile();
  expect([await statusOf(buyer), await isRecorded(event)]).toEqual(['active', false]);
  await customer.set(intact);
  await reconcile();
  expect([await statusOf(buyer), await isRecorded(event)]).toEqual(['canceled', true]);
});

const subjectsTo = async ({ email }: Person) => (await mailTo(email)).map(({ subject }) => subject);

test('a mail is written although the sync before it has recorded the event', async () => {
  const buyer = await signUp();
  await deliver('drop');
  await buy(app, buyer, 'pro');
  const event = (await eventOf('invoice.paid')) as Stripe.InvoicePaidEvent;
  // The first step ran, and the process died before the mail.
  const customer = (await adminFirestore().doc(`customers/${buyer.uid}`).get()).get('stripeId') as string;
  expect(event.data.object.customer).toBe(customer);
  await syncInvoiceOfEvent(app.backend, event);
  expect([await isRecorded(event), await subjectsTo(buyer)]).toEqual([true, []]);
  await reconcile();
  await reconcile();
  expect(await subjectsTo(buyer)).toEqual([expect.stringMatching(/^Your receipt/)]);
});

/** An event as Stripe lists it in an API version of 2022. */
function inOldVersion(event: Stripe.InvoicePaidEvent): Stripe.Event {
  const { parent, ...invoice } = event.data.object;
  const subscription = parent?.subscription_details?.subscription;
  const old: unknown = {
    ...event,
    api_version: '2022-11-15',
    data: { object: { ...invoice, subscription } },
  };
  return old as Stripe.Event;
}

async function recoverAll(events: Stripe.Event[]): Promise<void> {
  for (const { work } of (await findLostEvents(app.backend, events)).values()) await work();
}

test('a mail about an invoice is written although Stripe lists its event in an old API version', async () => {
  const buyer = await signUp();
  await deliver('drop');
  await buy(app, buyer, 'pro');
  const event = inOldVersion((await eventOf('invoice.paid')) as Stripe.InvoicePaidEvent);
  await recoverAll([event]);
  expect(await subjectsTo(buyer)).toEqual([expect.stringMatching(/^Your receipt/)]);
});

test('an event about an invoice that does not exist at Stripe is handled once', async () => {
  await deliver('drop');
  await buy(app, await signUp(), 'pro');
  const { data, ...event } = (await eventOf('invoice.paid')) as Stripe.InvoicePaidEvent;
  const gone = { ...event, data: { object: { ...data.object, id: 'in_gone' } } };
  await recoverAll([gone]);
  expect(await isRecorded(gone)).toBe(true);
});

test('the mail before the end of a trial is written although its event was lost', async () => {
  await using trials = await serveApp({ config: { trialDays: 7 } });
  const buyer = await signUp();
  await buy(trials, buyer, 'pro');
  await call('POST', `${trials.stripe.url}/_emulator/webhooks`, { json: { mode: 'drop' } });
  await passAtStripe(trials, 5 * 86_400);
  await adminFirestore().doc('sweeps/billing').delete();
  await reconcileBilling(trials.backend);
  expect(await subjectsTo(buyer)).toEqual([expect.stringMatching(/^Your free trial of Pro ends on/)]);
});

test('events that were delivered are not handled again', async () => {
  const { id } = await stripeOf(app).customers.create();
  await stripeOf(app).customers.del(id);
  await settled(app);
  await reconcile();
  expect(await isRecorded(await eventOf('customer.deleted'))).toBe(false);
});

describe('the command of operators', () => {
  const recover = ({ backend }: AppUnderTest) =>
    runCommand(backend, { id: 'cli:ada' }, parse(['events', 'recover', '2020-01-01']));

  test('handles the events of a time without a webhook endpoint, once', async () => {
    await using quiet = await serveApp({ webhooks: false, config: { refundEndsSubscription: true } });
    const buyer = await signUp();
    await pay(quiet, locationOf(await checkout(quiet, buyer, 'pro')));
    await reconcileBilling(quiet.backend);
    const { customer } = await subscriptionOf(quiet, buyer.uid);
    const { data } = await stripeOf(quiet).charges.list({ customer: customer as string });
    await stripeOf(quiet).refunds.create({ charge: data[0]?.id ?? '' });
    // Stripe has not tried to deliver the event, so it is not among the undelivered ones.
    await reconcileBilling(quiet.backend);
    expect((await subscriptionOf(quiet, buyer.uid)).status).toBe('active');
    expect(await recover(quiet)).toMatchObject({ failed: [] });
    expect((await subscriptionOf(quiet, buyer.uid)).status).toBe('canceled');
    expect(await recover(quiet)).toEqual({ handled: 0, failed: [] });
  });

  test('writes no mail about a failed payment that was paid since, but one if it is still open', async () => {
    await using quiet = await serveApp({ webhooks: false, config: { mailReceipt: false } });
    const [payer, debtor] = [await signUp(), await signUp()];
    for (const person of [payer, debtor]) {
      await pay(quiet, locationOf(await checkout(quiet, person, 'pro')));
      const { data } = await failPayment(quiet, person.uid);
      if (person === payer) await payInvoice(quiet, data.object);
      // The failed payment is no longer the latest one.
      const { id } = await subscriptionOf(quiet, person.uid);
      const newPeriod = { billing_cycle_anchor: { type: 'now' }, proration_behavior: 'none' } as const;
      await stripeOf(quiet).subscriptions.update(id, {
        ...newPeriod,
        collection_method: 'send_invoice',
        days_until_due: 30,
      });
    }
    expect(await recover(quiet)).toMatchObject({ failed: [] });
    expect([await subjectsTo(payer), await subjectsTo(debtor)]).toEqual([
      [],
      ['Your payment for Pro has failed'],
    ]);
  });

  test('writes no mail again about an event that was delivered', async () => {
    await using delivering = await serveApp();
    const buyer = await signUp();
    await buy(delivering, buyer, 'pro');
    await settled(delivering);
    expect(await subjectsTo(buyer)).toEqual([expect.stringMatching(/^Your receipt/)]);
    expect(await recover(delivering)).toMatchObject({ failed: [] });
    expect(await subjectsTo(buyer)).toHaveLength(1);
  });
});
