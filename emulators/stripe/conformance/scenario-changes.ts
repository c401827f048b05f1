import type Stripe from 'stripe';
import { debitedCustomer, FAILING_IBAN, payInParts, PRO_MONTHLY, PRO_YEARLY, subscribe } from '../testing.ts';

/** Two pending updates of a subscription: one that is discarded, and one that is applied. */
export async function pendingUpdate(stripe: Stripe, customer: string, id: string): Promise<void> {
  const { id: failing } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
  const { id: working } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  await stripe.subscriptions.update(id, { default_payment_method: failing });
  const { items } = await stripe.subscriptions.retrieve(id);
  const change = (quantity: number) =>
    stripe.subscriptions.update(id, {
      items: [{ id: items.data[0]?.id ?? '', quantity }],
      payment_behavior: 'pending_if_incomplete',
      proration_behavior: 'always_invoice',
    });
  await change(4);
  const { latest_invoice: invoice } = await change(5);
  await stripe.invoices.pay(typeof invoice === 'string' ? invoice : '', { payment_method: working });
  await stripe.subscriptions.update(id, { default_payment_method: working });
}

export async function schedules(stripe: Stripe): Promise<void> {
  const { customer, subscription } = await subscribe(stripe);
  const begin = () => stripe.subscriptionSchedules.create({ from_subscription: subscription });
  const { id, phases } = await begin();
  const current = {
    start_date: phases[0]?.start_date ?? 0,
    end_date: phases[0]?.end_date ?? 0,
    items: [{ price: PRO_MONTHLY }],
  };
  await stripe.subscriptionSchedules.update(id, {
    end_behavior: 'cancel',
    metadata: { a: '1' },
    phases: [current, { items: [{ price: PRO_YEARLY, quantity: 2 }], metadata: { b: '2' } }],
    expand: ['subscription'],
  });
  await stripe.invoices.createPreview({ schedule: id, schedule_details: { end_behavior: 'release' } });
  await stripe.subscriptions.retrieve(subscription, { expand: ['schedule'] });
  await stripe.subscriptionSchedules.retrieve(id, { expand: ['customer'] });
  await stripe.subscriptionSchedules.list();
  await stripe.subscriptionSchedules.release(id);
  await stripe.subscriptionSchedules.cancel((await begin()).id);
  const later = await stripe.subscriptionSchedules.create({
    customer,
    end_behavior: 'release',
    phases: [{ items: [{ price: PRO_MONTHLY }], duration: { interval: 'month' } }],
    start_date: (phases[0]?.end_date ?? 0) + 86_400,
  });
  await stripe.subscriptionSchedules.list({ customer, scheduled: true });
  await stripe.subscriptionSchedules.cancel(later.id);
}

export async function givenBack(stripe: Stripe): Promise<void> {
  const { customer, subscription } = await subscribe(stripe);
  const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(subscription);
  const paid = typeof invoice === 'string' ? invoice : '';
  const [payment] = (await stripe.invoicePayments.list({ invoice: paid })).data;
  await stripe.invoicePayments.retrieve(payment?.id ?? '', {
    expand: ['payment.payment_intent.latest_charge', 'invoice.payments'],
  });
  const intent = payment?.payment.payment_intent;
  const refund = await stripe.refunds.create({
    payment_intent: typeof intent === 'string' ? intent : '',
    amount: 100,
    reason: 'requested_by_customer',
    expand: ['charge.refunds'],
  });
  await stripe.refunds.update(refund.id, { metadata: { a: '1' } });
  await stripe.refunds.retrieve(refund.id);
  await stripe.refunds.list();
  await stripe.creditNotes.preview({ invoice: paid, credit_amount: 50 });
  const { id: note } = await stripe.creditNotes.create({
    invoice: paid,
    credit_amount: 50,
    refund_amount: 25,
  });
  await stripe.creditNotes.update(note, { memo: 'Sorry' });
  await stripe.creditNotes.retrieve(note, { expand: ['invoice'] });
  await stripe.creditNotes.listLineItems(note);
  await stripe.creditNotes.list();
  const { id: card } = await stripe.paymentMethods.attach('pm_card_createDispute', { customer });
  await stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_YEARLY }],
    default_payment_method: card,
  });
  const { latest_invoice: open } = await stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }],
    payment_behavior: 'default_incomplete',
    expand: ['latest_invoice'],
  });
  await payInParts(stripe, open as Stripe.Invoice, [500, 700]);
  const [dispute] = (await stripe.disputes.list({ expand: ['data.charge'] })).data;
  await stripe.disputes.update(dispute?.id ?? '', {
    evidence: { uncategorized_text: 'It was them' },
    submit: false,
  });
  await stripe.disputes.retrieve(dispute?.id ?? '');
  await stripe.disputes.close(dispute?.id ?? '');
}

export async function taxIds(stripe: Stripe): Promise<void> {
  const { id: customer } = await stripe.customers.create({
    payment_method: 'pm_card_visa',
    business_name: 'Ada Ltd',
    individual_name: 'Ada',
    shipping: { name: 'Ada', address: { country: 'DE' } },
    tax_id_data: [{ type: 'eu_vat', value: 'DE000000000' }],
  });
  const [first] = (await stripe.customers.listTaxIds(customer)).data;
  await stripe.customers.retrieveTaxId(customer, first?.id ?? '', { expand: ['customer'] });
  await stripe.customers.deleteTaxId(customer, first?.id ?? '');
  await stripe.customers.createTaxId(customer, { type: 'us_ein', value: '12-3456789' });
  const { id } = await stripe.taxIds.create({
    type: 'gb_vat',
    value: 'GB111111111',
    owner: { type: 'customer', customer },
  });
  await stripe.taxIds.list({ owner: { type: 'customer', customer } });
  await stripe.taxIds.retrieve(id);
  await stripe.taxIds.del(id);
  await stripe.customers.update(customer, {
    invoice_settings: { custom_fields: [{ name: 'Order', value: '7' }], footer: 'Thanks' },
    preferred_locales: ['de'],
    expand: ['tax_ids'],
  });
}

/** A bank debit that is under way, and its failure. */
export async function debit(stripe: Stripe): Promise<void> {
  const start = Date.parse('2026-01-31T12:00:00Z') / 1000;
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start, name: 'Debit' });
  const { customer } = await debitedCustomer(stripe, FAILING_IBAN, { test_clock: clock.id });
  const items = [{ price: PRO_MONTHLY }];
  await stripe.subscriptions.create({
    customer,
    items,
    expand: ['customer.invoice_settings.default_payment_method'],
  });
  const payments = () =>
    Promise.all([stripe.paymentIntents.list({ customer }), stripe.charges.list({ customer })]);
  await payments();
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: start + 6 * 86_400 });
  await payments();
}
