import type Stripe from 'stripe';
import { beforeAll, describe, expect, test } from 'vitest';
import { syncAndResolveOverlaps } from '../../functions/src/billing/subscriptions/overlap/overlap.service.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { checkout, payInParts, planInSession, settled, stripeOf } from '../support/billing.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { call, locationOf } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';

/** Stripe lets several payments pay one invoice. */
const PRO = 'price_hearth_pro_month';

const resources = useResources();
/** Ends subscriptions with a refund. */
let app: AppUnderTest;
/** Gets no events from Stripe. */
let quiet: AppUnderTest;
beforeAll(async () => {
  app = resources.use(await serveApp({ config: { refundEndsSubscription: true } }));
  quiet = resources.use(await serveApp({ webhooks: false }));
});

const stripeIdOf = async ({ uid }: Person) =>
  (await adminFirestore().doc(`customers/${uid}`).get()).get('stripeId') as string;

describe('a subscription whose invoice of 12 dollars was paid in two parts', () => {
  async function paidInParts(): Promise<{ buyer: Person; invoice: string; charges: string[] }> {
    const buyer = await signUp();
    await checkout(app, buyer, 'pro');
    const [stripe, customer] = [stripeOf(app), await stripeIdOf(buyer)];
    const { latest_invoice: invoice } = await stripe.subscriptions.create({
      customer,
      items: [{ price: PRO }],
      payment_behavior: 'default_incomplete',
      expand: ['latest_invoice'],
    });
    const { id } = invoice as Stripe.Invoice;
    await payInParts(stripe, invoice as Stripe.Invoice, [500, 700]);
    expect(await planOf(buyer)).toBe('pro');
    const { data } = await stripe.charges.list({ customer });
    return { buyer, invoice: id, charges: data.map((charge) => charge.id) };
  }

  async function planOf(buyer: Person): Promise<string> {
    await settled(app);
    return planInSession(app, buyer);
  }

  test('goes on after a refund of one part, and ends after that of the other one', async () => {
    const { buyer, charges } = await paidInParts();
    const plans: string[] = [];
    for (const charge of charges) {
      await stripeOf(app).refunds.create({ charge });
      plans.push(await planOf(buyer));
    }
    expect(plans).toEqual(['pro', 'free']);
  });

  test.each(['first', 'last'])('ends after a lost dispute about the %s part', async (which) => {
    const { buyer, charges } = await paidInParts();
    const charge = charges.at(which === 'first' ? -1 : 0) ?? '';
    const { disputes } = stripeOf(app);
    await call('POST', `${app.stripe.url}/_emulator/disputes`, { json: { charge } });
    const [dispute] = (await disputes.list({ charge })).data;
    await disputes.update(dispute?.id ?? '', {
      evidence: { uncategorized_text: 'losing_evidence' },
      submit: true,
    });
    expect(await planOf(buyer)).toBe('free');
  });

  test('has a copy of each part with the invoice and the prices, as the Stripe extension writes it', async () => {
    const { buyer, invoice } = await paidInParts();
    const { docs } = await adminFirestore().collection(`customers/${buyer.uid}/payments`).get();
    const copies = docs.map((copy) => copy.data()).sort((a, b) => Number(a['amount']) - Number(b['amount']));
    expect(copies).toMatchObject([
      { amount: 500, invoice, prices: [expect.anything()] },
      { amount: 700, invoice, prices: [expect.anything()] },
    ]);
  });
});

test('a duplicate is refunded in full if one of its invoices was paid in parts', async () => {
  const person = await signUp();
  const page = locationOf(await checkout(quiet, person, 'pro'));
  const [stripe, customer] = [stripeOf(quiet), await stripeIdOf(person)];
  const { id: visa } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const kept = await stripe.subscriptions.create({
    customer,
    items: [{ price: PRO }],
    default_payment_method: visa,
  });
  expect((await fetch(page, { method: 'POST', redirect: 'manual' })).status).toBe(303);
  const { data } = await stripe.subscriptions.list({ customer });
  const duplicate = data.find(({ id }) => id !== kept.id);
  const { id: failing } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
  const { latest_invoice: invoice } = await stripe.subscriptions.update(duplicate?.id ?? '', {
    items: [{ id: duplicate?.items.data[0]?.id ?? '', quantity: 2 }],
    default_payment_method: failing,
    proration_behavior: 'always_invoice',
    expand: ['latest_invoice'],
  });
  await payInParts(stripe, invoice as Stripe.Invoice, [500, 700]);

  await syncAndResolveOverlaps(quiet.backend, person.uid, kept.id);
  await syncAndResolveOverlaps(quiet.backend, person.uid, duplicate?.id ?? '');

  const charges = (await stripe.charges.list({ customer })).data.filter(({ paid }) => paid);
  expect(charges.map((charge) => [charge.amount, charge.refunded])).toEqual([
    [700, true],
    [500, true],
    [1200, true],
    [1200, false],
  ]);
  expect((await stripe.subscriptions.list({ customer })).data.map(({ id }) => id)).toEqual([kept.id]);
});
