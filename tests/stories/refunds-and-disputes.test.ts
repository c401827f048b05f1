import type Stripe from 'stripe';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { AppUnderTest } from '../support/app.ts';
import { buy, buyOnce, purchasesOf, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { CREDITS } from '../support/extras.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { call } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';

/** The logger stores the console's functions when it is loaded, so they are replaced before that. */
const { errors } = vi.hoisted(() => {
  const errors: string[] = [];
  console.error = (line: string) => {
    errors.push(line);
  };
  return { errors };
});
const { serveApp } = await import('../support/app.ts');
const { handleDispute } = await import('../../functions/src/billing/webhook/reversal.service.ts');

const resources = useResources();
let app: AppUnderTest;
/** Ends subscriptions with a refund, and keeps them after a lost dispute. */
let otherApp: AppUnderTest;
beforeAll(async () => {
  app = resources.use(await serveApp({ config: { extras: CREDITS } }));
  otherApp = resources.use(
    await serveApp({ config: { refundEndsSubscription: true, disputeEndsSubscription: false } }),
  );
});

interface Paid {
  buyer: Person;
  stripe: Stripe;
  charge: Stripe.Charge;
}

/** A user who has paid for the plan pro. */
async function paid(on: AppUnderTest): Promise<Paid> {
  const buyer = await signUp();
  await buy(on, buyer, 'pro');
  const stripe = stripeOf(on);
  const { customer } = await subscriptionOf(on, buyer.uid);
  const { data } = await stripe.charges.list({ customer: customer as string });
  expect(data).toHaveLength(1);
  return { buyer, stripe, charge: data[0] as Stripe.Charge };
}

async function planOf(on: AppUnderTest, { bearer }: Person): Promise<string> {
  await settled(on);
  const session = await call('GET', `${on.url}/api/auth/session`, { headers: bearer });
  return ((await session.json()) as { plan: string }).plan;
}

/** The cardholder disputes a charge, and the bank decides by this evidence. */
async function dispute(on: AppUnderTest, { stripe, charge }: Paid, evidence: string): Promise<void> {
  await call('POST', `${on.stripe.url}/_emulator/disputes`, { json: { charge: charge.id } });
  await settled(on);
  const { data } = await stripe.disputes.list({ charge: charge.id });
  const [{ id }] = data as [Stripe.Dispute];
  await stripe.disputes.update(id, { evidence: { uncategorized_text: evidence }, submit: true });
}

describe('by default', () => {
  test('a full refund keeps the plan', async () => {
    const purchase = await paid(app);
    await purchase.stripe.refunds.create({ charge: purchase.charge.id });
    expect(await planOf(app, purchase.buyer)).toBe('pro');
  });

  test('a dispute keeps the plan until it is decided', async () => {
    const { buyer, charge } = await paid(app);
    await call('POST', `${app.stripe.url}/_emulator/disputes`, { json: { charge: charge.id } });
    expect(await planOf(app, buyer)).toBe('pro');
  });

  test('a lost dispute ends the subscription', async () => {
    const purchase = await paid(app);
    await dispute(app, purchase, 'losing_evidence');
    expect(await planOf(app, purchase.buyer)).toBe('free');
    expect((await subscriptionOf(app, purchase.buyer.uid)).status).toBe('canceled');
  });

  test('a dispute that is won keeps the plan', async () => {
    const purchase = await paid(app);
    await dispute(app, purchase, 'winning_evidence');
    expect(await planOf(app, purchase.buyer)).toBe('pro');
  });
});

test.each<[status: Stripe.Dispute.Status, isLogged: boolean]>([
  ['needs_response', true],
  ['lost', true],
  ['won', false],
  ['warning_needs_response', true],
  ['warning_closed', false],
  ['prevented', false],
])('an operator learns of a dispute with the status %s: %s', async (status, isLogged) => {
  const { charge, stripe } = await paid(otherApp);
  await call('POST', `${otherApp.stripe.url}/_emulator/disputes`, { json: { charge: charge.id } });
  await settled(otherApp);
  const [dispute] = (await stripe.disputes.list({ charge: charge.id })).data;
  errors.length = 0;
  const event = { data: { object: { ...dispute, status } } } as Stripe.ChargeDisputeClosedEvent;
  await handleDispute(otherApp.backend, event);
  expect(errors.some((line) => line.includes('A payment is disputed'))).toBe(isLogged);
});

/** Disputes the newest charge, and returns the error in the log. */
async function disputeNewest(): Promise<unknown> {
  const [charge] = (await stripeOf(app).charges.list({ limit: 1 })).data;
  errors.length = 0;
  await call('POST', `${app.stripe.url}/_emulator/disputes`, { json: { charge: charge?.id } });
  await settled(app);
  expect(errors).toHaveLength(1);
  return JSON.parse(errors[0] as string);
}

test('an operator learns of a dispute about a one-time purchase', async () => {
  const buyer = await signUp();
  await buyOnce(app, buyer, { item: 'hundred' });
  expect(await disputeNewest()).toMatchObject({
    message: 'A payment is disputed',
    customerId: buyer.uid,
    purchaseId: expect.stringMatching(/./) as string,
    disputeId: expect.stringMatching(/./) as string,
  });
});

test.each([
  ['a subscription', (buyer: Person) => buy(app, buyer, 'pro')],
  ['a one-time purchase', (buyer: Person) => buyOnce(app, buyer, { item: 'hundred' })],
])('an operator learns of a dispute about %s of a deleted account', async (_what, purchase) => {
  const buyer = await signUp();
  await purchase(buyer);
  const document = adminFirestore().doc(`customers/${buyer.uid}`);
  const stripeCustomerId = (await document.get()).get('stripeId') as string;
  await adminFirestore().recursiveDelete(document);
  expect(await disputeNewest()).toMatchObject({ message: 'A payment is disputed', stripeCustomerId });
});

test('a dispute about a payment for another product is not logged', async () => {
  const stripe = stripeOf(app);
  const { id: customer } = await stripe.customers.create();
  const { id: payment_method } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const payment = { amount: 900, currency: 'usd', customer, payment_method, confirm: true };
  const { latest_charge: charge } = await stripe.paymentIntents.create(payment);
  errors.length = 0;
  await call('POST', `${app.stripe.url}/_emulator/disputes`, { json: { charge } });
  await settled(app);
  expect(errors).toEqual([]);
});

interface RefundLine {
  message: string;
  refundId: string;
}

/** Refunds a payment, and lets the refund fail or be canceled. Returns the error in the log. */
async function endedRefund(
  { stripe, charge }: Pick<Paid, 'stripe' | 'charge'>,
  action: 'fail' | 'cancel',
): Promise<RefundLine | undefined> {
  const { id } = await stripe.refunds.create({ charge: charge.id });
  await settled(app);
  errors.length = 0;
  await call('POST', `${app.stripe.url}/_emulator/refunds/${id}/${action}`);
  await stripe.refunds.update(id, { metadata: { note: 'seen' } });
  await settled(app);
  const lines = errors.map((line) => JSON.parse(line) as RefundLine);
  expect(lines.map(({ refundId }) => refundId)).toEqual([id]);
  return lines[0];
}

test('a refund that is canceled is named once in the log, as one that fails', async () => {
  const purchase = await paid(app);
  expect(await endedRefund(purchase, 'cancel')).toMatchObject({
    message: 'A refund was canceled',
    customerId: purchase.buyer.uid,
    subscriptionId: (await subscriptionOf(app, purchase.buyer.uid)).id,
    stripeCustomerId: purchase.charge.customer,
    cause: 'Give the money back in another way. The reason is merchant_request.',
  });
});

describe('a refund that fails after Stripe has accepted it', () => {
  const failedRefund = (purchase: Pick<Paid, 'stripe' | 'charge'>) => endedRefund(purchase, 'fail');

  test('is named in the log with the customer and the subscription', async () => {
    const purchase = await paid(app);
    expect(await failedRefund(purchase)).toMatchObject({
      message: 'A refund failed',
      customerId: purchase.buyer.uid,
      subscriptionId: (await subscriptionOf(app, purchase.buyer.uid)).id,
      stripeCustomerId: purchase.charge.customer,
      cause: 'Give the money back in another way. The reason is expired_or_canceled_card.',
    });
  });

  test('is named in the log with the one-time purchase, which stays refunded', async () => {
    const buyer = await signUp();
    await buyOnce(app, buyer, { item: 'hundred' });
    const stripe = stripeOf(app);
    const [charge] = (await stripe.charges.list({ limit: 1 })).data as [Stripe.Charge];
    expect(await failedRefund({ stripe, charge })).toMatchObject({
      customerId: buyer.uid,
      purchaseId: expect.stringMatching(/./) as string,
    });
    expect(await purchasesOf(buyer.uid)).toMatchObject([{ status: 'refunded' }]);
  });

  test('is named in the log with the Stripe customer if the account was deleted', async () => {
    const purchase = await paid(app);
    const { id } = await subscriptionOf(app, purchase.buyer.uid);
    await adminFirestore().recursiveDelete(adminFirestore().doc(`customers/${purchase.buyer.uid}`));
    expect(await failedRefund(purchase)).toMatchObject({
      subscriptionId: id,
      stripeCustomerId: purchase.charge.customer,
    });
  });
});

describe('with the settings', () => {
  test('a full refund ends the subscription', async () => {
    const purchase = await paid(otherApp);
    await purchase.stripe.refunds.create({ charge: purchase.charge.id });
    expect(await planOf(otherApp, purchase.buyer)).toBe('free');
  });

  test('a partial refund keeps the plan', async () => {
    const purchase = await paid(otherApp);
    await purchase.stripe.refunds.create({ charge: purchase.charge.id, amount: 100 });
    expect(await planOf(otherApp, purchase.buyer)).toBe('pro');
  });

  test('a lost dispute keeps the plan', async () => {
    const purchase = await paid(otherApp);
    await dispute(otherApp, purchase, 'losing_evidence');
    expect(await planOf(otherApp, purchase.buyer)).toBe('pro');
  });
});
