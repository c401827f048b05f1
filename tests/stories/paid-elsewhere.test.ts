import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { checkout, claimsOf, deliver, settled, stripeOf, subscriptionCopiesOf } from '../support/billing.ts';
import { adminAuth, adminFirestore, signUp, type Person } from '../support/people.ts';
import { call, locationOf } from '../support/requests.ts';
import { castOf } from '../support/teams.ts';

let app: AppUnderTest;
let link: Stripe.PaymentLink;
beforeAll(async () => {
  app = await serveApp();
  const line = { price: 'price_hearth_pro_month', quantity: 1 };
  link = await stripeOf(app).paymentLinks.create({ line_items: [line] });
});
afterAll(() => app[Symbol.asyncDispose]());

const verify = async (person: Person) => {
  await adminAuth().updateUser(person.uid, { emailVerified: true });
};

const customerRef = (customerId: string) => adminFirestore().doc(`customers/${customerId}`);

/** Pays by the payment link, which names a user or team. */
async function payByLink(reference: string, email: string): Promise<void> {
  const query = new URLSearchParams({ client_reference_id: reference });
  const page = locationOf(await fetch(`${link.url}?${query.toString()}`, { redirect: 'manual' }));
  const paid = await fetch(page, {
    method: 'POST',
    body: new URLSearchParams({ email }),
    redirect: 'manual',
  });
  expect(paid.status).toBe(303);
  await settled(app);
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

describe('a payment link that names a user', () => {
  test('gives the plan to a payer with the verified address of the account', async () => {
    const person = await signUp();
    await verify(person);
    await payByLink(person.uid, person.email);
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
    const customer = await stripeOf(app).customers.retrieve((await stripeIdOf(person.uid)) ?? '');
    expect(customer).toMatchObject({ email: person.email, metadata: { firebaseUID: person.uid } });
    expect(locationOf(await checkout(app, person, 'pro')).pathname).toMatch(/^\/p\/session\//);
  });

  test('also gives it after an open checkout, which can no longer be paid', async () => {
    const person = await signUp();
    await verify(person);
    const open = locationOf(await checkout(app, person, 'pro'));
    await payByLink(person.uid, person.email);
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
    expect((await fetch(open, { method: 'POST', redirect: 'manual' })).status).toBe(410);
    expect(await subscriptionCopiesOf(person.uid)).toHaveLength(1);
  });

  test.each<[what: string, isVerified: boolean, email: (person: Person) => string]>([
    ['another address', true, () => 'payer@example.com'],
    ['an address that is not verified', false, ({ email }) => email],
  ])('does not attach the payer with %s to the account', async (_what, isVerified, email) => {
    const person = await signUp();
    await adminAuth().updateUser(person.uid, { emailVerified: isVerified });
    await payByLink(person.uid, email(person));
    expect([await stripeIdOf(person.uid), await claimsOf(person)]).toEqual([undefined, {}]);
  });

  test('does not replace a Stripe customer who pays already', async () => {
    const person = await signUp();
    await verify(person);
    await payByLink(person.uid, person.email);
    const first = await stripeIdOf(person.uid);
    await payByLink(person.uid, person.email);
    expect(await stripeIdOf(person.uid)).toBe(first);
    expect(await subscriptionCopiesOf(person.uid)).toHaveLength(1);
  });
});

test('a Stripe customer whose adoption was interrupted gets the name of its user with the next event', async () => {
  const person = await signUp();
  await verify(person);
  const fault = { method: 'POST', path: '/v1/customers/:id', status: 500, times: 3 };
  await call('POST', `${app.stripe.url}/_emulator/fail`, { json: fault });
  await payByLink(person.uid, person.email);
  const stripeId = (await stripeIdOf(person.uid)) ?? '';
  const { data } = await stripeOf(app).events.list({ type: 'checkout.session.completed', limit: 1 });
  await deliver(app, data[0] as Stripe.Event);
  const named = await stripeOf(app).customers.retrieve(stripeId);
  expect(named).toMatchObject({ metadata: { firebaseUID: person.uid } });
  expect((await customerRef(person.uid).get()).get('metadataMissing')).toBeUndefined();
  expect(await contactOf(person.uid)).toMatchObject({ email: person.email });
});

test('a payment link that names a team gives it the plan, if its owner pays', async () => {
  const { teamId, owner, outsider } = await castOf(app.url);
  await Promise.all([verify(owner), verify(outsider)]);
  await payByLink(teamId, outsider.email);
  expect(await stripeIdOf(teamId)).toBeUndefined();
  await payByLink(teamId, owner.email);
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
  await payByLink(reference, 'payer@example.com');
  expect(await stripeIdOf('nobody')).toBeUndefined();
});
