import { setTimeout } from 'node:timers/promises';
import {
  getCurrentUserPayment,
  getCurrentUserPayments,
  onCurrentUserPaymentUpdate,
  type PaymentSnapshot,
} from '@invertase/firestore-stripe-payments';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { syncPrice, syncProduct } from '../../functions/src/billing/catalogue/catalogue.service.ts';
import { createCheckoutHandler } from '../../functions/src/billing/extension/checkout-sessions.service.ts';
import {
  copyInvoicePayment,
  copyPaymentIntent,
} from '../../functions/src/billing/extension/payments.service.ts';
import { idOf } from '../../functions/src/billing/stripe/stripe-ids.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, deliver, pay, stripeOf, subscriptionOf } from '../support/billing.ts';
import { APP_URL } from '../support/config.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { extensionClientOf } from '../support/stripe-extension.ts';

/** An app that was written for the Stripe extension: it only uses the extension's web SDK. */
let app: AppUnderTest;
let prices: Record<string, string>;
beforeAll(async () => {
  app = await serveApp();
  const { data } = await stripeOf(app).prices.list({ limit: 100 });
  prices = Object.fromEntries(data.map(({ id, lookup_key: key }) => [key ?? '', id]));
  // The plans existed before the webhook.
  for (const price of data) {
    await syncProduct(app.backend, idOf(price.product));
    await syncPrice(app.backend, price);
  }
});
afterAll(() => app[Symbol.asyncDispose]());

const priceOf = (key: string) => prices[key] ?? `There is no price ${key}.`;

const URLS = { success_url: `${APP_URL}/paid`, cancel_url: `${APP_URL}/prices` };

/** Creates a checkout session as the SDK does, waits for its answer, and returns the document. */
async function request(person: Person, fields: object): Promise<Record<string, unknown>> {
  const session = adminFirestore().collection(`customers/${person.uid}/checkout_sessions`).doc();
  await session.create({ mode: 'subscription', ...URLS, ...fields });
  await createCheckoutHandler(app.backend)(person.uid, session.id);
  return (await session.get()).data() ?? {};
}

const stripeIdOf = async ({ uid }: Person) =>
  (await adminFirestore().doc(`customers/${uid}`).get()).get('stripeId') as string;

describe('the payments of a customer', () => {
  test('have the last state at Stripe, also if an earlier copy was delayed', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    const payments = adminFirestore().collection(`customers/${person.uid}/payments`);
    const [id = ''] = (await payments.get()).docs.map((payment) => payment.id);
    const stripe = stripeOf(app);
    let later: Promise<void> | undefined;
    const retrieve = async (intentId: string) => {
      const intent = await stripe.paymentIntents.retrieve(intentId);
      if (later !== undefined) return intent;
      later = copyPaymentIntent(app.backend, person.uid, id);
      // The later copy ends first, unless it waits for the lock of this one.
      await Promise.race([later, setTimeout(1_000)]);
      return { ...intent, status: 'processing' };
    };
    const delayed = Object.create(stripe, { paymentIntents: { value: { retrieve } } }) as Stripe;
    await copyPaymentIntent({ ...app.backend, stripe: () => Promise.resolve(delayed) }, person.uid, id);
    await later;
    expect((await payments.doc(id).get()).get('status')).toBe('succeeded');
  });

  test('are read by the SDK: an invoice that was paid', async () => {
    const person = await signUp();
    const payments = await extensionClientOf(person);
    const { promise: paid, resolve } = Promise.withResolvers<PaymentSnapshot>();
    const unsubscribe = onCurrentUserPaymentUpdate(payments, (snapshot) => {
      if (!snapshot.empty) resolve(snapshot);
    });
    const { url } = await request(person, { price: priceOf('hearth_pro_monthly') });
    await pay(app, new URL(url as string));

    const { latest_invoice: invoice, customer } = await subscriptionOf(app, person.uid);
    const { data: links } = await stripeOf(app).invoicePayments.list({ invoice: idOf(invoice ?? '') });
    const intent = idOf(links[0]?.payment.payment_intent ?? '');
    const expected = {
      id: intent,
      invoice,
      customer,
      uid: person.uid,
      amount: 1200,
      amount_received: 1200,
      currency: 'usd',
      status: 'succeeded',
      prices: [{ product: 'prod_hearth_pro', price: priceOf('hearth_pro_monthly') }],
      created: expect.stringMatching(/GMT$/) as string,
    };
    expect(await getCurrentUserPayments(payments)).toMatchObject([expected]);
    expect(await getCurrentUserPayments(payments, { status: 'requires_action' })).toEqual([]);
    expect(await getCurrentUserPayment(payments, intent)).toMatchObject(expected);
    expect((await paid).payments).toMatchObject([expected]);
    unsubscribe();
  });

  test('are read by the SDK: a single payment with its price', async () => {
    const person = await signUp();
    await request(person, { price: priceOf('hearth_pro_monthly') });
    const customer = await stripeIdOf(person);
    const stripe = stripeOf(app);
    const price = await stripe.prices.create({
      product: 'prod_hearth_pro',
      currency: 'usd',
      unit_amount: 500,
    });
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      customer,
      line_items: [{ price: price.id, quantity: 3 }],
      success_url: URLS.success_url,
    });
    await pay(app, new URL(session.url ?? ''));

    const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(session.id);
    const payments = await extensionClientOf(person);
    expect(await getCurrentUserPayment(payments, idOf(intent ?? ''))).toMatchObject({
      id: intent,
      invoice: null,
      amount: 1500,
      amount_received: 1500,
      payment_method_types: ['card'],
      status: 'succeeded',
      prices: [{ product: 'prod_hearth_pro', price: price.id }],
    });
    // The event of the payment intent may arrive last. It knows no prices.
    const object = await stripe.paymentIntents.retrieve(idOf(intent ?? ''));
    const type = 'payment_intent.succeeded';
    await deliver(app, { id: `evt_${crypto.randomUUID()}`, object: 'event', type, data: { object } });
    expect((await getCurrentUserPayment(payments, idOf(intent ?? ''))).prices).toHaveLength(1);
  });

  test('have all prices of an invoice, although an answer of Stripe has only its first ten lines', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    const stripe = stripeOf(app);
    const items: { price: string }[] = [];
    for (let amount = 101; amount <= 112; amount++) {
      const { id: price } = await stripe.prices.create({
        product: 'prod_hearth_pro',
        currency: 'usd',
        unit_amount: amount,
        recurring: { interval: 'month' },
      });
      items.push({ price });
    }
    const { customer, default_payment_method: card } = await subscriptionOf(app, person.uid);
    const { latest_invoice: invoice } = await stripe.subscriptions.create({
      customer: idOf(customer),
      default_payment_method: idOf(card ?? ''),
      items,
    });
    await copyInvoicePayment(app.backend, person.uid, idOf(invoice ?? ''));
    const payments = await getCurrentUserPayments(await extensionClientOf(person));
    const copied = payments.find((payment) => payment.invoice === invoice)?.prices.map(({ price }) => price);
    expect(copied?.toSorted()).toEqual(items.map(({ price }) => price).toSorted());
  });

  test('have the id of the payment intent that paid an invoice', async () => {
    const person = await signUp();
    const { url } = await request(person, { price: priceOf('hearth_pro_monthly') });
    await pay(app, new URL(url as string));
    const { latest_invoice: invoiceId } = await subscriptionOf(app, person.uid);
    const intent = {
      amount: 1200,
      amount_capturable: 0,
      amount_received: 1200,
      created: 1,
      currency: 'usd',
      customer: null,
      description: null,
      metadata: {},
      payment_method_types: ['card'],
      status: 'succeeded',
    };
    const stripe = {
      invoices: {
        retrieve: async (id: string) => ({
          ...(await stripeOf(app).invoices.retrieve(id)),
          payments: {
            data: [{ status: 'paid', payment: { type: 'payment_intent', payment_intent: 'pi_1' } }],
          },
        }),
      },
      paymentIntents: { retrieve: () => Promise.resolve(intent) },
    } as unknown as Stripe;
    const backend = { ...app.backend, stripe: () => Promise.resolve(stripe) };
    await copyInvoicePayment(backend, person.uid, idOf(invoiceId ?? ''));
    const stored = await adminFirestore().doc(`customers/${person.uid}/payments/pi_1`).get();
    expect(stored.data()).toMatchObject({ amount: 1200, invoice: invoiceId, status: 'succeeded' });
  });

  test('have none for the first invoice of a trial, which has a zero amount', async () => {
    const person = await signUp();
    await using trials = await serveApp({ config: { trialDays: 14 } });
    await buy(trials, person, 'pro');
    expect((await adminFirestore().collection(`customers/${person.uid}/payments`).get()).size).toBe(0);
  });

  test('are not copied for a customer who was deleted', async () => {
    const person = await signUp();
    const { url } = await request(person, { price: priceOf('hearth_pro_monthly') });
    await pay(app, new URL(url as string));
    const { latest_invoice: invoiceId } = await subscriptionOf(app, person.uid);
    const firestore = adminFirestore();
    await firestore.recursiveDelete(firestore.doc(`customers/${person.uid}`));
    await copyInvoicePayment(app.backend, person.uid, idOf(invoiceId ?? ''));
    expect((await firestore.collection(`customers/${person.uid}/payments`).get()).size).toBe(0);
  });
});
