import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { adminAuth, adminFirestore, signIn, signUp, startSession, type Person } from '../support/people.ts';
import { call } from '../support/requests.ts';
import { castOf } from '../support/teams.ts';

/**
 * Address or name of a Stripe customer were changed at Stripe: the checkout page writes the name of a business with a
 * tax id, and a customer can enter another address in the portal.
 */

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function patch({ bearer }: Person, path: string, json: object): Promise<void> {
  const response = await call('PATCH', `${app.url}/api/auth/${path}`, { headers: bearer, json });
  expect(response.ok, await response.text()).toBe(true);
  await settled(app);
}

/** Changes the Stripe customer of a user or team, as Stripe's pages do. */
async function changeAtStripe(customerId: string, change: Stripe.CustomerUpdateParams): Promise<void> {
  const { customer } = await subscriptionOf(app, customerId);
  await stripeOf(app).customers.update(customer as string, change);
  await settled(app);
}

async function atStripe(customerId: string): Promise<Pick<Stripe.Customer, 'email' | 'name'>> {
  const { customer } = await subscriptionOf(app, customerId);
  const { email, name } = (await stripeOf(app).customers.retrieve(customer as string)) as Stripe.Customer;
  return { email, ...(name !== undefined && { name }) };
}

async function subscriber(): Promise<Person> {
  const person = await signUp({ displayName: 'Ada' });
  await startSession(app.url, person);
  await buy(app, person, 'pro');
  return person;
}

test('a new address of a user leaves the name of their business', async () => {
  const person = await subscriber();
  await changeAtStripe(person.uid, { name: 'Acme GmbH' });
  const email = `${randomUUID()}@example.com`;
  await adminAuth().updateUser(person.uid, { email, emailVerified: true });
  await startSession(app.url, await signIn({ ...person, email }));
  await settled(app);
  expect(await atStripe(person.uid)).toEqual({ email, name: 'Acme GmbH' });
});

test('a billing address of a team leaves the name of its business', async () => {
  const { teamId, owner } = await castOf(app.url);
  await buy(app, owner, `pro?team=${teamId}`);
  await changeAtStripe(teamId, { name: 'Acme GmbH' });
  await patch(owner, `teams/${teamId}`, { billingEmail: 'invoices@acme.example' });
  expect(await atStripe(teamId)).toEqual({ email: 'invoices@acme.example', name: 'Acme GmbH' });
});

test('a new name leaves the address that was entered in the portal', async () => {
  const person = await subscriber();
  await changeAtStripe(person.uid, { email: 'invoices@acme.example' });
  await patch(person, 'user', { displayName: 'Ada Lovelace' });
  expect(await atStripe(person.uid)).toEqual({ email: 'invoices@acme.example', name: 'Ada Lovelace' });
});

test('the reconciliation leaves both', async () => {
  const person = await subscriber();
  const changed = { email: 'invoices@acme.example', name: 'Acme GmbH' };
  await changeAtStripe(person.uid, changed);
  await adminFirestore().doc('sweeps/billing').delete();
  await reconcileBilling(app.backend);
  await settled(app);
  expect(await atStripe(person.uid)).toEqual(changed);
});
