import { Timestamp } from 'firebase-admin/firestore';
import { describe, expect, test, vi } from 'vitest';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import { DAY_MS } from '../../functions/src/common/durations.ts';
import { checkout, claimsOf, orderOnce, pay, purchasePage, purchasesOf } from '../support/billing.ts';
import { CREDITS } from '../support/extras.ts';
import { serveWithLateBank, type LateBank } from '../support/late-bank.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { PRO_SOLD_ONCE } from '../support/plans.ts';
import { call, errorOf, locationOf, visit } from '../support/requests.ts';

/** The logger uses the functions that the console has when it is loaded, so they are watched before. */
const { lines } = vi.hoisted(() => {
  const lines: string[] = [];
  console.error = (line: string) => {
    lines.push(line);
  };
  return { lines };
});

const plans = PRO_SOLD_ONCE;

/** The time of a reconciliation. */
const NOW = new Date();

const serve = () => serveWithLateBank({ plans, extras: CREDITS });

const balanceOf = async ({ uid }: Person): Promise<unknown> =>
  (await adminFirestore().doc(`credits/${uid}`).get()).get('balance');

/** Completes the page, and returns to the app. The payment has not arrived. */
async function complete({ app }: LateBank, person: Person, item: string): Promise<string | null> {
  const page = await purchasePage(app, person, { item, returnUrl: app.config.appUrl });
  const { pathname, search } = new URL((await pay(app, page)).headers.get('location') ?? '');
  return (await visit(app.url + pathname + search)).headers.get('location');
}

/** Reconciles when the purchase is due. The clock stays, because other tests have purchases that are due later. */
async function reconcileWhenDue({ app: { backend } }: LateBank, { uid }: Person): Promise<void> {
  const { docs } = await adminFirestore().collection(`customers/${uid}/purchases`).get();
  for (const { ref } of docs) await ref.update({ checkAt: new Date(0) });
  await reconcileBilling({ ...backend, now: () => NOW });
}

test.each(['processing', 'requires_action'] as const)(
  'a payment in %s leads back as pending, because nothing is given before it arrives',
  async (status) => {
    await using bank = await serve();
    bank.intentStatus = status;
    const person = await signUp();
    expect(await complete(bank, person, 'pro')).toContain('checkout=pending');
    expect(await purchasesOf(person.uid)).toMatchObject([{ status: 'processing' }]);
    expect(await claimsOf(person)).toEqual({});
  },
);

test('a voucher that is paid after days gives the credits with the event of the payment', async () => {
  await using bank = await serve();
  bank.intentStatus = 'requires_action';
  const person = await signUp();
  await complete(bank, person, 'hundred');
  await bank.report('checkout.session.completed');
  expect(await balanceOf(person)).toBeUndefined();
  bank.intentStatus = undefined;
  await bank.report('checkout.session.async_payment_succeeded');
  expect(await balanceOf(person)).toBe(100);
  expect(await purchasesOf(person.uid)).toMatchObject([{ status: 'paid', amount: 900, checkAt: null }]);
});

test('a voucher of which no event arrives is asked for each day, until it is paid', async () => {
  await using bank = await serve();
  bank.intentStatus = 'requires_action';
  const person = await signUp();
  await complete(bank, person, 'hundred');
  for (let day = 1; day <= 2; day++) {
    await reconcileWhenDue(bank, person);
    const [purchase] = await purchasesOf(person.uid);
    expect(purchase).toMatchObject({
      status: 'processing',
      checkAt: Timestamp.fromMillis(NOW.getTime() + DAY_MS),
    });
  }
  bank.intentStatus = undefined;
  await reconcileWhenDue(bank, person);
  expect(await balanceOf(person)).toBe(100);
  expect(await purchasesOf(person.uid)).toMatchObject([{ status: 'paid', checkAt: null }]);
});

test.each([
  ['fails', 'requires_payment_method'],
  ['is canceled', 'canceled'],
] as const)('a purchase whose payment %s is removed, and can be ordered again', async (_what, status) => {
  await using bank = await serve();
  const person = await signUp();
  await complete(bank, person, 'pro');
  bank.intentStatus = status;
  await bank.report('checkout.session.async_payment_failed');
  expect(await purchasesOf(person.uid)).toEqual([]);
  await purchasePage(bank.app, person, { item: 'pro' });
});

test('while its payment is processing, a plan and lower ones are not sold again', async () => {
  await using bank = await serve();
  const { app } = bank;
  const person = await signUp();
  const monthly = locationOf(await checkout(app, person, 'pro'));
  await complete(bank, person, 'pro');
  expect((await pay(app, monthly)).status, 'the page that was open before').toBe(410);
  const refused = { status: 409, code: 'payment_processing' };
  expect(await errorOf(await orderOnce(app, person, { item: 'pro' }))).toMatchObject(refused);
  const order = (plan: string) =>
    call('POST', `${app.url}/api/auth/checkout`, { headers: person.bearer, json: { plan } });
  expect(await errorOf(await order('pro'))).toMatchObject(refused);
  expect((await order('business')).status).toBe(200);
  await purchasePage(app, person, { item: 'hundred' });
  bank.intentStatus = 'canceled';
  await reconcileWhenDue(bank, person);
  expect((await order('pro')).status).toBe(200);
});

describe('a bank transfer for a plan', () => {
  /** The customer has chosen a bank transfer, of which `transferred` has arrived. */
  async function awaitTransfer(bank: LateBank, transferred: number): Promise<Person> {
    bank.intentStatus = 'requires_action';
    bank.transferred = transferred;
    const person = await signUp();
    await complete(bank, person, 'pro');
    return person;
  }

  const subscribe = ({ app }: LateBank, { bearer: headers }: Person) =>
    call('POST', `${app.url}/api/auth/checkout`, { headers, json: { plan: 'pro' } });

  test.each([
    [
      'once',
      async ({ app }: LateBank, person: Person) => (await orderOnce(app, person, { item: 'pro' })).status,
    ],
    ['by a subscription', async (bank: LateBank, person: Person) => (await subscribe(bank, person)).status],
  ])('is abandoned if nobody has sent it and the customer orders the plan %s', async (_how, order) => {
    await using bank = await serve();
    const person = await awaitTransfer(bank, 0);
    expect(await order(bank, person)).toBe(200);
    expect(await order(bank, person)).toBe(200);
    const purchases = await purchasesOf(person.uid);
    expect(purchases).toContainEqual(expect.objectContaining({ status: 'processing', isAbandoned: true }));
  });

  test('gives the plan if it arrives after it was abandoned, and the log says so', async () => {
    await using bank = await serve();
    const person = await awaitTransfer(bank, 0);
    expect((await subscribe(bank, person)).status).toBe(200);
    bank.intentStatus = undefined;
    await reconcileWhenDue(bank, person);
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
    expect(lines.filter((line) => line.includes(person.uid))).toEqual([
      expect.stringContaining('A bank transfer has arrived after the plan was ordered again'),
    ]);
  });

  test('that was abandoned leaves the page of the new order open, although it is asked for each day', async () => {
    await using bank = await serve();
    const person = await awaitTransfer(bank, 0);
    const { url } = (await (await subscribe(bank, person)).json()) as { url: string };
    await reconcileWhenDue(bank, person);
    expect((await fetch(url)).status).toBe(200);
  });

  test('stays if a part of it has arrived', async () => {
    await using bank = await serve();
    const person = await awaitTransfer(bank, 100);
    const refused = { status: 409, code: 'payment_processing' };
    expect(await errorOf(await orderOnce(bank.app, person, { item: 'pro' }))).toMatchObject(refused);
    expect(await errorOf(await subscribe(bank, person))).toMatchObject(refused);
  });

  test('that an operator cancels is removed with the event of its payment', async () => {
    await using bank = await serve();
    const person = await awaitTransfer(bank, 0);
    bank.intentStatus = 'canceled';
    await bank.reportCancelled();
    expect(await purchasesOf(person.uid)).toEqual([]);
  });
});

test('a voucher stays although the plan is ordered again, because it may have been paid in a shop', async () => {
  await using bank = await serve();
  bank.intentStatus = 'requires_action';
  const person = await signUp();
  await complete(bank, person, 'pro');
  const refused = { status: 409, code: 'payment_processing' };
  expect(await errorOf(await orderOnce(bank.app, person, { item: 'pro' }))).toMatchObject(refused);
});
