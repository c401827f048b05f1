import { FieldValue, type DocumentReference } from 'firebase-admin/firestore';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanUpAccount } from '../functions/src/account/delete.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { buy, checkout, settled, stripeOf, subscriptionOf } from './support/billing.ts';
import { adminAuth, adminFirestore, signUp, type Person } from './support/people.ts';
import { call, errorOf, locationOf } from './support/requests.ts';
import { addMember, createTeam } from './support/teams.ts';

/** Documents in `customers` that an operator or another program has damaged. */
let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const customerOf = (customerId: string) => adminFirestore().doc(`customers/${customerId}`);
const exists = async (document: DocumentReference) => (await document.get()).exists;
const request = (person: Person, method: string, path: string) =>
  call(method, `${app.url}/api/auth/${path}`, { headers: person.bearer });

const DAMAGES: [damage: string, change: () => Record<string, unknown>][] = [
  ['a reference in a field', () => ({ plan: adminFirestore().doc('products/pro') })],
  ['a missing field', () => ({ creationKey: FieldValue.delete() })],
  ['a field of another type', () => ({ creationKeyAt: 'yesterday' })],
  ['a damaged checkout', () => ({ checkout: { key: 7 } })],
  ['no id of its Stripe customer but a number', () => ({ stripeId: 7 })],
];

describe.each(DAMAGES)('a customer with %s', (_damage, change) => {
  test('is reported by checkout, portal and the return from checkout', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    const { customer } = await subscriptionOf(app, person.uid);
    const { data } = await stripeOf(app).checkout.sessions.list({ customer: customer as string });
    await customerOf(person.uid).update(change());

    const damaged = { status: 500, code: 'document_damaged' };
    expect(await errorOf(await request(person, 'GET', 'checkout/pro'))).toMatchObject(damaged);
    expect(await errorOf(await request(person, 'GET', 'portal'))).toMatchObject(damaged);
    const back = await request(person, 'GET', `checkout/return?session_id=${data[0]?.id ?? ''}`);
    const isFound = !('stripeId' in change());
    expect(await errorOf(back)).toMatchObject(
      isFound ? damaged : { status: 404, code: 'checkout_not_found' },
    );
  });

  test('can be deleted with the account, and no longer pays', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    const { id } = await subscriptionOf(app, person.uid);
    await customerOf(person.uid).update(change());

    expect((await request(person, 'DELETE', 'user')).status).toBe(204);
    expect(await stripeOf(app).subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' });
    expect(await exists(customerOf(person.uid))).toBe(false);
    expect(await exists(adminFirestore().doc(`users/${person.uid}`))).toBe(false);
  });

  test('can be deleted with the team, and its open checkout cannot be paid', async () => {
    const owner = await signUp();
    const teamId = await createTeam(app.url, owner);
    const page = locationOf(await checkout(app, owner, `pro?team=${teamId}`));
    await customerOf(teamId).update(change());

    expect((await request(owner, 'DELETE', `teams/${teamId}`)).status).toBe(204);
    expect((await fetch(page, { method: 'POST', redirect: 'manual' })).status).toBe(410);
    expect(await exists(customerOf(teamId))).toBe(false);
    expect(await exists(adminFirestore().doc(`teams/${teamId}`))).toBe(false);
  });

  test('is deleted with the team of a deleted account, and no longer pays', async () => {
    const owner = await signUp();
    const teamId = await createTeam(app.url, owner);
    await buy(app, owner, `business?team=${teamId}`);
    const { id } = await subscriptionOf(app, teamId);
    await customerOf(teamId).update(change());

    await adminAuth().deleteUser(owner.uid);
    await cleanUpAccount(app.backend, owner);
    expect(await stripeOf(app).subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' });
    expect(await exists(customerOf(teamId))).toBe(false);
    expect(await exists(adminFirestore().doc(`teams/${teamId}`))).toBe(false);
  });

  test('does not contain the address and uid of a deleted member of its team', async () => {
    const [owner, admin] = await Promise.all([signUp(), signUp()]);
    const teamId = await createTeam(app.url, owner);
    await addMember(teamId, admin, 'admin');
    await checkout(app, admin, `pro?team=${teamId}`);
    await customerOf(teamId).update(change());

    expect((await request(admin, 'DELETE', 'user')).status).toBe(204);
    const { checkout: stored, email } = (await customerOf(teamId).get()).data() ?? {};
    expect(JSON.stringify(stored)).not.toContain(admin.uid);
    expect(email).toBeNull();
  });
});

test('a damaged customer can be deleted with the account if Stripe offers no search', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  await customerOf(person.uid).update({ stripeId: 7 });
  await call('POST', `${app.stripe.url}/_emulator/fail`, {
    json: { method: 'GET', path: '/v1/customers/search', status: 400 },
  });
  expect((await request(person, 'DELETE', 'user')).status).toBe(204);
  expect(await exists(customerOf(person.uid))).toBe(false);
});

test('a customer with unknown fields is intact', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  await customerOf(person.uid).update({ addedByAnAdmin: adminFirestore().doc('notes/1') });
  expect((await request(person, 'GET', 'portal')).status).toBe(303);
  expect((await request(person, 'DELETE', 'user')).status).toBe(204);
  await settled(app);
  expect(await exists(customerOf(person.uid))).toBe(false);
});

test('an account whose Stripe customer does not exist can be deleted', async () => {
  const person = await signUp();
  await request(person, 'GET', 'portal');
  await customerOf(person.uid).update({ stripeId: 'cus_of_another_account' });
  expect((await request(person, 'DELETE', 'user')).status).toBe(204);
  expect(await exists(customerOf(person.uid))).toBe(false);
});

test('an account with a damaged trial can be deleted, and its address gets no other trial', async () => {
  await using trials = await serveApp({ config: { trialDays: 7 } });
  const { email, uid, bearer } = await signUp();
  const trial = adminFirestore().doc(`trials/${uid}`);
  await trial.set({ customerId: uid });
  expect((await call('DELETE', `${trials.url}/api/auth/user`, { headers: bearer })).status).toBe(204);
  expect(await exists(trial)).toBe(false);

  const again = await signUp({ email });
  await buy(trials, again, 'pro');
  expect((await subscriptionOf(trials, again.uid)).status).toBe('active');
});
