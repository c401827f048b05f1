import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import {
  customerWith,
  halfWay,
  oneTimePrice,
  openCheckout,
  PRO_MONTHLY,
  stripeError,
  submit,
  testStripe,
} from '../../testing.ts';
import type { TestStripe } from '../../testing.ts';

const idOf = (given: string | { id: string } | null | undefined): string =>
  typeof given === 'string' ? given : (given?.id ?? '');

/** The charge and the payment intent behind the latest invoice of a subscription. */
async function paymentOf({ stripe }: Pick<TestStripe, 'stripe'>, id: string) {
  const { latest_invoice: latest } = await stripe.subscriptions.retrieve(id, {
    expand: ['latest_invoice.payments'],
  });
  const invoice = latest as Stripe.Invoice;
  const intent = await stripe.paymentIntents.retrieve(
    idOf(invoice.payments?.data[0]?.payment.payment_intent),
  );
  return { invoice: invoice.id, intent: intent.id, charge: idOf(intent.latest_charge) };
}

async function paid(card = 'pm_card_visa') {
  const world = await testStripe();
  const { customer } = await customerWith(world.stripe, card);
  const { id } = await world.stripe.subscriptions.create({ customer, items: [{ price: PRO_MONTHLY }] });
  return { ...world, customer, id, ...(await paymentOf(world, id)) };
}

test('each charged invoice has a payment intent and a charge behind it', async () => {
  const { stripe, charge, customer, intent, invoice } = await paid();
  expect(await stripe.charges.retrieve(charge)).toMatchObject({
    amount: 1200,
    customer,
    paid: true,
    payment_intent: intent,
  });
  const { data } = await stripe.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: intent },
  });
  expect(data).toMatchObject([{ invoice, amount_paid: 1200, status: 'paid' }]);
});

test('an attempt that fails is a failed charge, and another card pays the same intent', async () => {
  const world = await testStripe();
  const { stripe } = world;
  const { customer } = await customerWith(stripe, 'pm_card_chargeCustomerFail');
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price: PRO_MONTHLY }] });
  const { intent, invoice } = await paymentOf(world, id);
  const { id: visa } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  await stripe.invoices.pay(invoice, { payment_method: visa });
  const { data } = await stripe.charges.list({ payment_intent: intent });
  expect(data.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
});

test.each([
  ['paid elsewhere', (s: Stripe, id: string) => s.invoices.pay(id, { paid_out_of_band: true })],
  ['voided', (s: Stripe, id: string) => s.invoices.voidInvoice(id)],
])('the payment of an invoice that is %s is canceled', async (_case, close) => {
  const world = await testStripe();
  const { stripe } = world;
  const { customer } = await customerWith(stripe, 'pm_card_chargeCustomerFail');
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price: PRO_MONTHLY }] });
  const { intent, invoice } = await paymentOf(world, id);
  await close(stripe, invoice);
  expect((await stripe.invoicePayments.list({ invoice })).data).toMatchObject([{ status: 'canceled' }]);
  expect(await stripe.paymentIntents.retrieve(intent)).toMatchObject({ status: 'canceled' });
});

test('a charge is refunded in parts, and never more than was paid', async () => {
  const world = await paid();
  const { stripe, charge, intent } = world;
  await world.happened();
  const part = await stripe.refunds.create({ charge, amount: 500, reason: 'duplicate' });
  expect(part).toMatchObject({ amount: 500, status: 'succeeded', payment_intent: intent });
  expect(await stripe.charges.retrieve(charge)).toMatchObject({ amount_refunded: 500, refunded: false });
  const more = stripe.refunds.create({ charge, amount: 701 });
  expect(await stripeError(more)).toMatchObject({ param: 'amount' });
  expect(await stripe.refunds.create({ payment_intent: intent })).toMatchObject({ amount: 700 });
  expect(await stripe.charges.retrieve(charge, { expand: ['refunds'] })).toMatchObject({
    refunded: true,
    refunds: { data: [{ amount: 700 }, { amount: 500 }] },
  });
  expect(await stripeError(stripe.refunds.create({ charge }))).toMatchObject({
    code: 'charge_already_refunded',
  });
  expect(await world.happened()).toEqual([
    'refund.created',
    'charge.refunded',
    'refund.created',
    'charge.refunded',
  ]);
});

test('a refund that was accepted can fail later, and its charge can then be refunded again', async () => {
  const world = await paid();
  const { stripe, charge } = world;
  const { id } = await stripe.refunds.create({ charge });
  await world.happened();
  expect((await world.control('POST', `refunds/${id}/fail`)).status).toBe(200);
  expect(await stripe.refunds.retrieve(id)).toMatchObject({
    failure_reason: 'expired_or_canceled_card',
    status: 'failed',
  });
  expect(await stripe.charges.retrieve(charge)).toMatchObject({ amount_refunded: 0, refunded: false });
  expect(await world.happened()).toEqual(['refund.updated', 'refund.failed']);
  expect((await world.control('POST', `refunds/${id}/fail`)).status).toBe(404);
  expect(await stripe.refunds.create({ charge })).toMatchObject({ amount: 1200 });
});

test('a refund that was accepted can be canceled, which is an update and no failure', async () => {
  const world = await paid();
  const { stripe, charge } = world;
  const { id } = await stripe.refunds.create({ charge });
  await world.happened();
  expect((await world.control('POST', `refunds/${id}/cancel`)).status).toBe(200);
  expect(await stripe.refunds.retrieve(id)).toMatchObject({
    failure_reason: 'merchant_request',
    status: 'canceled',
  });
  expect(await stripe.charges.retrieve(charge)).toMatchObject({ amount_refunded: 0, refunded: false });
  expect(await world.happened()).toEqual(['refund.updated']);
});

test('a refund changes neither the invoice nor the subscription', async () => {
  const { stripe, charge, id, invoice } = await paid();
  await stripe.refunds.create({ charge });
  expect(await stripe.invoices.retrieve(invoice)).toMatchObject({ status: 'paid', amount_paid: 1200 });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
});

test('a payment of a checkout is refunded like any other', async () => {
  const { stripe } = await testStripe();
  const price = await oneTimePrice(stripe);
  const session = await openCheckout(stripe, {
    mode: 'payment',
    line_items: [{ price, quantity: 1 }],
    invoice_creation: { enabled: true },
  });
  await submit(session.url, { email: 'ada@example.com' });
  const { invoice, payment_intent: intent } = await stripe.checkout.sessions.retrieve(session.id);
  expect((await stripe.invoicePayments.list({ invoice: idOf(invoice) })).data).toMatchObject([
    { payment: { payment_intent: intent }, status: 'paid' },
  ]);
  expect(await stripe.refunds.create({ payment_intent: idOf(intent) })).toMatchObject({ amount: 3000 });
});

test.each([
  ['nothing', {}, { code: 'parameter_missing' }],
  ['an unknown charge', { charge: 'ch_x' }, { code: 'resource_missing', param: 'charge' }],
  ['an unknown intent', { payment_intent: 'pi_x' }, { code: 'resource_missing', param: 'payment_intent' }],
])('a refund of %s is refused', async (_case, params, expected) => {
  const { stripe } = await testStripe();
  expect(await stripeError(stripe.refunds.create(params))).toMatchObject({ statusCode: 400, ...expected });
});

test('a test card disputes its payments, and the evidence decides', async () => {
  const world = await paid('pm_card_createDispute');
  const { stripe, charge, intent } = world;
  const [dispute] = (await stripe.disputes.list({ payment_intent: intent })).data;
  expect(dispute).toMatchObject({ amount: 1200, charge, reason: 'fraudulent', status: 'needs_response' });
  expect(await stripe.charges.retrieve(charge)).toMatchObject({ disputed: true });
  expect((await world.happened()).slice(-3)).toEqual([
    'customer.subscription.updated',
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
  ]);
  expect(await stripeError(stripe.refunds.create({ charge }))).toMatchObject({ code: 'charge_disputed' });
  const won = await stripe.disputes.update(dispute?.id ?? '', {
    evidence: { uncategorized_text: 'winning_evidence' },
  });
  expect(won).toMatchObject({ status: 'won', evidence_details: { has_evidence: true } });
  expect(await world.happened()).toEqual([
    'charge.dispute.updated',
    'charge.dispute.closed',
    'charge.dispute.funds_reinstated',
  ]);
  expect(await stripeError(stripe.disputes.close(dispute?.id ?? ''))).toMatchObject({
    code: 'dispute_closed',
  });
  expect(await stripe.refunds.create({ charge })).toMatchObject({ status: 'succeeded' });
});

test.each([
  [
    'losing evidence',
    (s: Stripe, id: string) => s.disputes.update(id, { evidence: { uncategorized_text: 'losing_evidence' } }),
  ],
  ['giving up', (s: Stripe, id: string) => s.disputes.close(id)],
])('%s loses a dispute', async (_case, lose) => {
  const world = await paid('pm_card_createDisputeProductNotReceived');
  const [dispute] = (await world.stripe.disputes.list()).data;
  await lose(world.stripe, dispute?.id ?? '');
  expect(await world.stripe.disputes.retrieve(dispute?.id ?? '')).toMatchObject({ status: 'lost' });
  expect((await world.happened()).at(-1)).toBe('charge.dispute.closed');
});

test('an inquiry withdraws no money, and its charge can still be refunded', async () => {
  const world = await paid('pm_card_createDisputeInquiry');
  expect((await world.stripe.disputes.list()).data).toMatchObject([{ status: 'warning_needs_response' }]);
  expect(await world.happened()).not.toContain('charge.dispute.funds_withdrawn');
  expect(await world.stripe.refunds.create({ charge: world.charge })).toMatchObject({ amount: 1200 });
});

test('any charge can be disputed by the control endpoint', async () => {
  const world = await paid();
  const { charge, stripe } = world;
  expect((await world.control('POST', 'disputes', { charge })).status).toBe(200);
  expect((await stripe.disputes.list({ charge })).data).toMatchObject([{ reason: 'fraudulent' }]);
  expect((await world.control('POST', 'disputes', { charge })).status).toBe(404);
  expect((await world.control('POST', 'disputes', {})).status).toBe(400);
});

test('a credit note gives back a paid invoice, in money or as credit', async () => {
  const world = await paid();
  const { stripe, charge, customer, invoice } = world;
  await world.happened();
  const note = await stripe.creditNotes.create({
    invoice,
    amount: 1000,
    refund_amount: 600,
    credit_amount: 400,
    memo: 'Sorry',
    reason: 'order_change',
  });
  expect(note).toMatchObject({ type: 'post_payment', post_payment_amount: 1000, status: 'issued' });
  expect(await stripe.charges.retrieve(charge)).toMatchObject({ amount_refunded: 600 });
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: -400 });
  expect(await stripe.invoices.retrieve(invoice)).toMatchObject({
    status: 'paid',
    post_payment_credit_notes_amount: 1000,
  });
  expect(await world.happened()).toEqual([
    'customer.updated',
    'refund.created',
    'charge.refunded',
    'credit_note.created',
    'invoice.updated',
  ]);
  const more = stripe.creditNotes.create({ invoice, refund_amount: 201 });
  expect(await stripeError(more)).toMatchObject({ param: 'amount' });
  const unclear = stripe.creditNotes.create({ invoice, amount: 100 });
  expect(await stripeError(unclear)).toMatchObject({ param: 'amount' });
});

test('a credit note reduces an open invoice, down to nothing', async () => {
  const world = await halfWay('pm_card_chargeCustomerFail');
  const { stripe, id } = world;
  await world.pass(15);
  const { invoice } = await paymentOf(world, id);
  await stripe.creditNotes.create({ invoice, amount: 1000 });
  expect(await stripe.invoices.retrieve(invoice)).toMatchObject({ status: 'open', amount_remaining: 200 });
  expect(await stripe.creditNotes.preview({ invoice, amount: 200 })).toMatchObject({ type: 'pre_payment' });
  expect(await stripe.invoices.retrieve(invoice)).toMatchObject({ amount_remaining: 200 });
  await stripe.creditNotes.create({ invoice, amount: 200 });
  expect(await stripe.invoices.retrieve(invoice)).toMatchObject({ status: 'paid', amount_paid: 0 });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
});
