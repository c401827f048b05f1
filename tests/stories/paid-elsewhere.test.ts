import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Backend } from '../../functions/src/backend.ts';
import { linkStripeCustomer } from '../../functions/src/billing/customers/adoption/adopt.service.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { checkout, claimsOf, deliver, settled, stripeOf, subscriptionCopiesOf } from '../support/billing.ts';
import { adminAuth, adminFirestore, signUp, type Person } from '../support/people.ts';
import { call, errorOf, locationOf, visit } from '../support/requests.ts';
import { castOf } from '../support/teams.ts';

let app: AppUnderTest;
let link: Stripe.PaymentLink;
beforeAll(async () => {
  app = await serveApp();
  const line = { price: 'price_hearth_pro_month', quantity: 1 };
  const url = `${app.config.appUrl}/api/auth/checkout/return?session_id={CHECKOUT_SESSION_ID}`;
  link = await stripeOf(app).paymentLinks.create({
    line_items: [line],
    after_completion: { type: 'redirect', redirect: { url } },
  });
});
afterAll(() => app[Symbol.asyncDispose]());

const verify = async (person: Person) => {
  await adminAuth().updateUser(person.uid, { emailVerified: true });
};

const customerRef = (customerId: string) => adminFirestore().doc(`customers/${customerId}`);

/** Pays by the payment link, which names a user or team. @returns the id of the session */
async function payByLink(
  reference: string,
  email: string,
  parameters: Record<string, string> = {},
): Promise<string> {
  const query = new URLSearchParams({ client_reference_id: reference, ...parameters });
  const page = locationOf(await fetch(`${link.url}?${query.toString()}`, { redirect: 'manual' }));
  const body = new URLSearchParams(email === '' ? {} : { email });
  const paid = await fetch(page, { method: 'POST', body, redirect: 'manual' });
  expect(paid.status).toBe(303);
  await settled(app);
  return locationOf(paid).searchParams.get('session_id') ?? '';
}

const stripeIdOf = async (customerId: string) =>
  (await customerRef(customerId).get()).get('stripeId') as string | undefined;

/** Address and name of a customer, at Stripe and in our document. They must be the same. */
async function contactOf(customerId: string): Promise<{ email: unknown; name: unknown }> {
  const stored = (await customerRef(customerId).get()).data() ?? {};
  const customer = await stripeOf(app).customers.retrieve(stored['stripeId'] as string);
  const { email, name = null } = customer as Stripe.Customer;
  expect(stored).toMatchObject({ email, name });
  return { email, name };
}

/** Pays a checkout that our own server made for a user or team. */
async function payByServer(metadata: Record<string, string>, email: string): Promise<void> {
  const session = await stripeOf(app).checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: 'price_hearth_pro_month', quantity: 1 }],
    metadata,
    success_url: 'https://app.example.com/',
  });
  const body = new URLSearchParams({ email });
  await fetch(session.url ?? '', { method: 'POST', body, redirect: 'manual' });
  await settled(app);
}

/** Comes back from Stripe with the id of a session, as a payment link redirects its payer. */
const comeBack = (person: Person, sessionId: string) =>
  visit(`${app.url}/api/auth/checkout/return?session_id=${sessionId}&utm_source=news`, person.bearer);

/** Comes back, and expects the answer for an unknown session. */
async function expectNotFound(person: Person, sessionId: string): Promise<void> {
  const refused = { status: 404, code: 'checkout_not_found' };
  const path = `/api/auth/checkout/return?session_id=${sessionId}`;
  expect(await errorOf(await call('GET', app.url + path, { headers: person.bearer }))).toMatchObject(refused);
}

describe('a payment link that names a user', () => {
  test('gives the plan to the user who comes back from it', async () => {
    const person = await signUp();
    await verify(person);
    const session = await payByLink(person.uid, person.email);
    expect(await stripeIdOf(person.uid)).toBeUndefined();
    const back = await comeBack(person, session);
    expect([back.status, back.headers.get('location')]).toEqual([303, '/billing/success']);
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
    const customer = await stripeOf(app).customers.retrieve((await stripeIdOf(person.uid)) ?? '');
    expect(customer).toMatchObject({ email: person.email, metadata: { firebaseUID: person.uid } });
    expect(locationOf(await checkout(app, person, 'pro')).pathname).toMatch(/^\/p\/session\//);
  });

  test('also gives it after an open checkout, which can no longer be paid', async () => {
    const person = await signUp();
    await verify(person);
    const open = locationOf(await checkout(app, person, 'pro'));
    await comeBack(person, await payByLink(person.uid, person.email));
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
    expect((await fetch(open, { method: 'POST', redirect: 'manual' })).status).toBe(410);
    expect(await subscriptionCopiesOf(person.uid)).toHaveLength(1);
  });

  test('gives a stranger nothing who has put their own id and address into its URL', async () => {
    const [stranger, payer] = await Promise.all([signUp(), signUp()]);
    await verify(stranger);
    const session = await payByLink(stranger.uid, '', { locked_prefilled_email: stranger.email });
    await expectNotFound(payer, session);
    expect([await stripeIdOf(stranger.uid), await claimsOf(stranger)]).toEqual([undefined, {}]);
    expect(await stripeIdOf(payer.uid)).toBeUndefined();
  });

  test('gives nothing to another user who knows the session', async () => {
    const [person, other] = await Promise.all([signUp(), signUp()]);
    await Promise.all([verify(person), verify(other)]);
    const session = await payByLink(person.uid, other.email);
    await expectNotFound(other, session);
    await expectNotFound(other, 'cs_test_nobody');
    expect(await stripeIdOf(other.uid)).toBeUndefined();
  });

  test.each<[what: string, isVerified: boolean, email: (person: Person) => string]>([
    ['another address', true, () => 'payer@example.com'],
    ['an address that is not verified', false, ({ email }) => email],
  ])('does not attach the payer with %s to the account', async (_what, isVerified, email) => {
    const person = await signUp();
    await adminAuth().updateUser(person.uid, { emailVerified: isVerified });
    await expectNotFound(person, await payByLink(person.uid, email(person)));
    expect([await stripeIdOf(person.uid), await claimsOf(person)]).toEqual([undefined, {}]);
  });

  test('does not attach a Stripe customer whose metadata name another user', async () => {
    const [person, other] = await Promise.all([signUp(), signUp()]);
    await verify(person);
    const session = await payByLink(person.uid, person.email);
    const { customer } = await stripeOf(app).checkout.sessions.retrieve(session);
    await stripeOf(app).customers.update(customer as string, { metadata: { firebaseUID: other.uid } });
    await expectNotFound(person, session);
    expect(await stripeIdOf(person.uid)).toBeUndefined();
  });

  test('gives nothing while nothing is paid', async () => {
    const person = await signUp();
    await verify(person);
    const query = new URLSearchParams({ client_reference_id: person.uid });
    const page = locationOf(await fetch(`${link.url}?${query.toString()}`, { redirect: 'manual' }));
    await expectNotFound(person, page.pathname.split('/').at(-1) ?? '');
    expect(await stripeIdOf(person.uid)).toBeUndefined();
  });

  test('does not replace a Stripe customer who pays already', async () => {
    const person = await signUp();
    await verify(person);
    await comeBack(person, await payByLink(person.uid, person.email));
    const first = await stripeIdOf(person.uid);
    expect(first).toBeDefined();
    await expectNotFound(person, await payByLink(person.uid, person.email));
    expect(await stripeIdOf(person.uid)).toBe(first);
    expect(await subscriptionCopiesOf(person.uid)).toHaveLength(1);
  });
});

test('a Stripe customer who begins to pay while another one is linked is not replaced', async () => {
  const person = await signUp();
  await checkout(app, person, 'pro');
  const first = (await stripeIdOf(person.uid)) ?? '';
  const other = await stripeOf(app).customers.create();
  const { db } = app.backend;
  let isFirst = true;
  const run: Backend['db']['run'] = async (body) => {
    if (isFirst) {
      isFirst = false;
      const { id: card } = await stripeOf(app).paymentMethods.attach('pm_card_visa', { customer: first });
      const items = [{ price: 'price_hearth_pro_month' }];
      await stripeOf(app).subscriptions.create({ customer: first, items, default_payment_method: card });
      await settled(app);
    }
    return db.run(body);
  };
  const backend = { ...app.backend, db: { ...db, run } };
  const payer = { stripeCustomer: { id: other.id, livemode: false }, subscriptionIds: [] };
  const isLinked = await linkStripeCustomer(backend, { type: 'user', customerId: person.uid }, payer);
  expect([isLinked, await stripeIdOf(person.uid)]).toEqual([false, first]);
});

test('a Stripe customer whose adoption was interrupted gets the name of its user at the next return', async () => {
  const person = await signUp();
  await verify(person);
  const session = await payByLink(person.uid, person.email);
  const fault = { method: 'POST', path: '/v1/customers/:id', status: 500, times: 3 };
  await call('POST', `${app.stripe.url}/_emulator/fail`, { json: fault });
  expect((await comeBack(person, session)).status).toBe(503);
  expect((await comeBack(person, session)).status).toBe(303);
  await settled(app);
  const named = await stripeOf(app).customers.retrieve((await stripeIdOf(person.uid)) ?? '');
  expect(named).toMatchObject({ metadata: { firebaseUID: person.uid } });
  expect((await customerRef(person.uid).get()).get('metadataMissing')).toBeUndefined();
  expect(await contactOf(person.uid)).toMatchObject({ email: person.email });
});

test('a Stripe customer whose adoption was interrupted gets the name of its user with the next event', async () => {
  const person = await signUp();
  await verify(person);
  const fault = { method: 'POST', path: '/v1/customers/:id', status: 500, times: 3 };
  await call('POST', `${app.stripe.url}/_emulator/fail`, { json: fault });
  await payByServer({ firebaseUID: person.uid }, person.email);
  const stripeId = (await stripeIdOf(person.uid)) ?? '';
  const { data } = await stripeOf(app).events.list({ type: 'checkout.session.completed', limit: 1 });
  await deliver(app, data[0] as Stripe.Event);
  const named = await stripeOf(app).customers.retrieve(stripeId);
  expect(named).toMatchObject({ metadata: { firebaseUID: person.uid } });
  expect((await customerRef(person.uid).get()).get('metadataMissing')).toBeUndefined();
  expect(await contactOf(person.uid)).toMatchObject({ email: person.email });
});

test('a payment link that names a team gives it the plan, if a member who manages its billing pays', async () => {
  const { teamId, admin, member, outsider } = await castOf(app.url);
  const people = [outsider, member, admin];
  await Promise.all(people.map(verify));
  for (const person of [outsider, member]) {
    await expectNotFound(person, await payByLink(teamId, person.email));
    expect(await stripeIdOf(teamId)).toBeUndefined();
  }
  const back = await comeBack(admin, await payByLink(teamId, admin.email));
  expect(back.headers.get('location')).toBe(`/billing/success?team=${teamId}`);
  expect((await adminFirestore().doc(`teams/${teamId}`).get()).get('plan')).toBe('pro');
});

test('a checkout that our own server made for a user is adopted by its metadata', async () => {
  const person = await signUp();
  await payByServer({ firebaseUID: person.uid }, 'payer@example.com');
  expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
});

describe('a Stripe customer that is linked to', () => {
  test.each([
    ['a new customer', false],
    ['a customer with another Stripe customer', true],
  ])('%s gets the address and name of the user', async (_what, hasCheckout) => {
    const person = await signUp({ displayName: 'Ada' });
    await verify(person);
    if (hasCheckout) await checkout(app, person, 'pro');
    await payByServer({ firebaseUID: person.uid }, 'payer@example.com');
    expect(await contactOf(person.uid)).toEqual({ email: person.email, name: 'Ada' });
  });

  test('a user without a verified address keeps the address of the payer', async () => {
    const person = await signUp({ displayName: 'Ada' });
    await adminAuth().updateUser(person.uid, { emailVerified: false });
    await payByServer({ firebaseUID: person.uid }, 'payer@example.com');
    expect(await contactOf(person.uid)).toEqual({ email: 'payer@example.com', name: 'Ada' });
  });

  test('a team gets the billing address of the team', async () => {
    const { teamId, owner } = await castOf(app.url);
    await checkout(app, owner, `pro?team=${teamId}`);
    await adminFirestore().doc(`teams/${teamId}`).update({ billingEmail: 'books@example.com' });
    await payByServer({ teamId }, 'payer@example.com');
    expect(await contactOf(teamId)).toMatchObject({ email: 'books@example.com' });
  });
});

test.each(['nobody', 'a/b', '..'])('a payment link that names %s is ignored', async (reference) => {
  const person = await signUp();
  await verify(person);
  await expectNotFound(person, await payByLink(reference, person.email));
  expect(await stripeIdOf('nobody')).toBeUndefined();
});
