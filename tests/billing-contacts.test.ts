import { randomUUID } from 'node:crypto';
import { FieldValue } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { syncContact } from '../functions/src/billing/customers/contacts/contact.service.ts';
import { compPlan } from '../functions/src/billing/grants/comp.service.ts';
import { reconcileBilling } from '../functions/src/billing/reconcile/reconcile.service.ts';
import { DAY_MS } from '../functions/src/common/durations.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { buy, buyOnce, checkout, settled, stripeOf, subscriptionOf } from './support/billing.ts';
import { CREDITS } from './support/extras.ts';
import { adminAuth, adminFirestore, signIn, signUp, startSession, type Person } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { addMember, auditLogOf, castOf, createTeam, offerTo } from './support/teams.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = (person: Person, method: string, path: string, json?: unknown) =>
  call(method, `${app.url}/api/auth/${path}`, { headers: person.bearer, json });

async function ok(person: Person, method: string, path: string, json?: unknown): Promise<void> {
  const response = await ask(person, method, path, json);
  expect(response.ok, await response.text()).toBe(true);
  await settled(app);
}

const customerRef = (customerId: string) => adminFirestore().doc(`customers/${customerId}`);

/** Address and name of a customer, at Stripe and in our document. They must be the same. */
async function contactOf(customerId: string): Promise<{ email: string | null; name: string | null }> {
  const stored = (await customerRef(customerId).get()).data() ?? {};
  const customer = await stripeOf(app).customers.retrieve(stored['stripeId'] as string);
  const { email, name = null } = customer as Stripe.Customer;
  expect(stored).toMatchObject({ email, name });
  expect(stored).not.toHaveProperty('contactLease');
  return { email, name };
}

/** Counts the updates of customers that were sent to Stripe since the last call. */
async function updates(): Promise<number> {
  const log = (await (await call('GET', `${app.stripe.url}/_emulator/requests`)).json()) as {
    counts: Record<string, number>;
  };
  await call('DELETE', `${app.stripe.url}/_emulator/requests`);
  return log.counts['POST /v1/customers/:id'] ?? 0;
}

const fail = (times: number, when: 'before' | 'after' = 'before') =>
  call('POST', `${app.stripe.url}/_emulator/fail`, {
    json: { method: 'POST', path: '/v1/customers/:id', times, status: 500, when },
  });

async function changeAddress(person: Person, emailVerified = true): Promise<Person> {
  const email = `${randomUUID()}@example.com`;
  await adminAuth().updateUser(person.uid, { email, emailVerified });
  return signIn({ ...person, email });
}

describe('the Stripe customer of a user', () => {
  test('gets the new name', async () => {
    const person = await signUp({ displayName: 'Ada' });
    await buy(app, person, 'pro');
    await ok(person, 'PATCH', 'user', { displayName: 'Ada Lovelace' });
    expect(await contactOf(person.uid)).toEqual({ email: person.email, name: 'Ada Lovelace' });
    await ok(person, 'PATCH', 'user', { displayName: null });
    expect(await contactOf(person.uid)).toEqual({ email: person.email, name: null });
  });

  test('gets the new address at the next sign-in, once it is verified', async () => {
    const person = await signUp();
    await startSession(app.url, person);
    await buy(app, person, 'pro');
    const unverified = await changeAddress(person, false);
    await startSession(app.url, unverified);
    await settled(app);
    expect(await contactOf(person.uid)).toMatchObject({ email: person.email });
    const verified = await changeAddress(unverified);
    await startSession(app.url, verified);
    await settled(app);
    expect(await contactOf(person.uid)).toMatchObject({ email: verified.email });
  });

  test('is not updated by a sign-in or a request that changes nothing', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    await updates();
    await startSession(app.url, person);
    await ok(person, 'PATCH', 'user', { photoURL: 'https://example.com/ada.png' });
    await app.backend.enqueueContactSync(person.uid);
    await settled(app);
    expect(await updates()).toBe(0);
  });

  test('loses an address that Stripe rejects', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    await adminAuth().updateUser(person.uid, { email: 'adä@example.com', emailVerified: true });
    await syncContact(app.backend, person.uid);
    const stored = await customerRef(person.uid).get();
    const customer = await stripeOf(app).customers.retrieve(stored.get('stripeId') as string);
    expect([stored.get('email'), (customer as Stripe.Customer).email]).toEqual(['adä@example.com', null]);
    await updates();
    await syncContact(app.backend, person.uid);
    expect(await updates()).toBe(0);
  });
});

describe('the Stripe customer of a team', () => {
  test('gets the new name of the team', async () => {
    const { teamId, owner } = await castOf(app.url);
    await buy(app, owner, `pro?team=${teamId}`);
    await ok(owner, 'PATCH', `teams/${teamId}`, { name: 'Acme & Sons' });
    expect(await contactOf(teamId)).toEqual({ email: owner.email, name: 'Acme & Sons' });
  });

  test.each<[how: string, act: (cast: Awaited<ReturnType<typeof castOf>>) => Promise<void>]>([
    ['is removed', ({ owner, admin, teamId }) => ok(owner, 'DELETE', `teams/${teamId}/members/${admin.uid}`)],
    ['leaves', ({ admin, teamId }) => ok(admin, 'DELETE', `teams/${teamId}/members/${admin.uid}`)],
    [
      'becomes a plain member',
      ({ owner, admin, teamId }) =>
        ok(owner, 'PATCH', `teams/${teamId}/members/${admin.uid}`, { role: 'member' }),
    ],
    ['deletes the account', ({ admin }) => ok(admin, 'DELETE', 'user')],
  ])('gets the address of the responsible owner when the buyer %s', async (_, act) => {
    const cast = await castOf(app.url);
    await buy(app, cast.admin, `pro?team=${cast.teamId}`);
    expect(await contactOf(cast.teamId)).toMatchObject({ email: cast.admin.email });
    await act(cast);
    expect(await contactOf(cast.teamId)).toMatchObject({ email: cast.owner.email });
  });

  test('keeps the address of a buyer who may still manage its billing', async () => {
    const { teamId, owner, admin, member } = await castOf(app.url);
    await buy(app, admin, `pro?team=${teamId}`);
    await ok(owner, 'DELETE', `teams/${teamId}/members/${member.uid}`);
    expect(await contactOf(teamId)).toMatchObject({ email: admin.email });
  });

  test('gets the address of the new responsible owner', async () => {
    const { teamId, owner, admin } = await castOf(app.url);
    await buy(app, owner, `pro?team=${teamId}`);
    await offerTo(teamId, owner, admin);
    await ok(admin, 'POST', `teams/${teamId}/transfer/accept`);
    expect(await contactOf(teamId)).toMatchObject({ email: admin.email });
  });

  test('gets the new address of its buyer, and that of its responsible owner', async () => {
    const { teamId, owner, admin } = await castOf(app.url);
    const ownTeamId = await createTeam(app.url, owner);
    await Promise.all([startSession(app.url, owner), startSession(app.url, admin)]);
    await buy(app, admin, `pro?team=${teamId}`);
    await buy(app, owner, `pro?team=${ownTeamId}`);
    const [newAdmin, newOwner] = await Promise.all([changeAddress(admin), changeAddress(owner)]);
    await Promise.all([startSession(app.url, newAdmin), startSession(app.url, newOwner)]);
    await settled(app);
    expect(await contactOf(teamId)).toMatchObject({ email: newAdmin.email });
    expect(await contactOf(ownTeamId)).toMatchObject({ email: newOwner.email });
  });

  test('that has bought credits only gets the billing address of the team', async () => {
    await using shop = await serveApp({ config: { extras: CREDITS } });
    const { teamId, owner } = await castOf(shop.url);
    await buyOnce(shop, owner, { item: 'hundred', team: teamId });
    const billingEmail = 'invoices@acme.example';
    await call('PATCH', `${shop.url}/api/auth/teams/${teamId}`, {
      headers: owner.bearer,
      json: { billingEmail },
    });
    await settled(shop);
    expect((await customerRef(teamId).get()).get('email')).toBe(billingEmail);
  });

  test('gets a change that is made while its first checkout is open', async () => {
    const { teamId, owner, admin } = await castOf(app.url);
    await checkout(app, admin, `pro?team=${teamId}`);
    expect(await contactOf(teamId)).toMatchObject({ email: admin.email });
    await ok(owner, 'DELETE', `teams/${teamId}/members/${admin.uid}`);
    expect(await contactOf(teamId)).toMatchObject({ email: owner.email });
    await ok(owner, 'PATCH', `teams/${teamId}`, { billingEmail: 'invoices@acme.example' });
    expect(await contactOf(teamId)).toMatchObject({ email: 'invoices@acme.example' });
  });

  test('keeps its first buyer as contact, also if it had a comped plan before', async () => {
    const { teamId, owner, admin } = await castOf(app.url);
    const comped = { type: 'team', customerId: teamId, email: owner.email, name: 'Acme' } as const;
    const until = new Date(Date.now() + DAY_MS);
    await compPlan(app.backend, comped, { planSlug: 'pro', until }, () => undefined);
    await buy(app, admin, `pro?team=${teamId}`);
    await stripeOf(app).subscriptions.cancel((await subscriptionOf(app, teamId)).id);
    await settled(app);
    await checkout(app, owner, `pro?team=${teamId}`);
    await ok(owner, 'PATCH', `teams/${teamId}`, { name: 'Newer' });
    expect(await contactOf(teamId)).toEqual({ email: admin.email, name: 'Newer' });
  });

  test('has the contact of its buyer, also if it was stored by an older version', async () => {
    const { teamId, owner, admin } = await castOf(app.url);
    await buy(app, admin, `pro?team=${teamId}`);
    await customerRef(teamId).update({ firstBuyerId: FieldValue.delete() });
    await ok(owner, 'PATCH', `teams/${teamId}`, { name: 'Older' });
    expect(await contactOf(teamId)).toEqual({ email: admin.email, name: 'Older' });
  });
});

describe('the billing address of a team', () => {
  test('replaces the address of the buyer until it is removed', async () => {
    const { teamId, owner, admin, member } = await castOf(app.url);
    await buy(app, owner, `pro?team=${teamId}`);
    await ok(admin, 'PATCH', `teams/${teamId}`, { billingEmail: ' Invoices@Acme.Example ' });
    expect(await contactOf(teamId)).toMatchObject({ email: 'invoices@acme.example' });
    const view: unknown = await (await ask(member, 'GET', `teams/${teamId}`)).json();
    expect(view).toMatchObject({ billingEmail: 'invoices@acme.example' });
    await ok(admin, 'PATCH', `teams/${teamId}`, { name: 'Acme Two' });
    expect(await contactOf(teamId)).toEqual({ email: 'invoices@acme.example', name: 'Acme Two' });
    await ok(admin, 'PATCH', `teams/${teamId}`, { billingEmail: null });
    expect(await contactOf(teamId)).toMatchObject({ email: owner.email });
    const changes = (await auditLogOf(teamId)).filter(({ action }) => action === 'team.updated');
    expect(changes.map(({ details }) => details)).toEqual([
      { billingEmail: 'set' },
      { name: 'Acme Two' },
      { billingEmail: 'removed' },
    ]);
  });

  test('is used for a new Stripe customer', async () => {
    const { teamId, owner } = await castOf(app.url);
    await ok(owner, 'PATCH', `teams/${teamId}`, { billingEmail: 'invoices@acme.example' });
    await buy(app, owner, `pro?team=${teamId}`);
    expect(await contactOf(teamId)).toMatchObject({ email: 'invoices@acme.example' });
  });

  test('is set by owners and admins only, and is an address', async () => {
    const { teamId, owner, member } = await castOf(app.url);
    const refused = await ask(member, 'PATCH', `teams/${teamId}`, { billingEmail: 'a@b.example' });
    expect(await errorOf(refused)).toMatchObject({ status: 403, code: 'forbidden' });
    const wrong = await ask(owner, 'PATCH', `teams/${teamId}`, { billingEmail: 'nobody' });
    expect(await errorOf(wrong)).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  test.each<[how: string, act: (cast: Awaited<ReturnType<typeof castOf>>) => Promise<void>]>([
    ['is removed', ({ owner, admin, teamId }) => ok(owner, 'DELETE', `teams/${teamId}/members/${admin.uid}`)],
    ['deletes the account', ({ admin }) => ok(admin, 'DELETE', 'user')],
  ])('is forgotten when the member with this address %s', async (_, act) => {
    const cast = await castOf(app.url);
    await buy(app, cast.owner, `pro?team=${cast.teamId}`);
    await ok(cast.owner, 'PATCH', `teams/${cast.teamId}`, { billingEmail: cast.admin.email });
    await act(cast);
    expect(await contactOf(cast.teamId)).toMatchObject({ email: cast.owner.email });
    const team = await adminFirestore().doc(`teams/${cast.teamId}`).get();
    expect(team.get('billingEmail')).toBeUndefined();
  });
});

describe('a sync of the contact', () => {
  const rename = ({ uid }: Person, displayName: string) => adminAuth().updateUser(uid, { displayName });

  test('is done by the queue after Stripe was down', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    await fail(4);
    await ok(person, 'PATCH', 'user', { displayName: 'Grace' });
    expect(await contactOf(person.uid)).toMatchObject({ name: 'Grace' });
  });

  test('that died after its call to Stripe is completed by the next one', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    await rename(person, 'Grace');
    await fail(3, 'after');
    await expect(syncContact(app.backend, person.uid)).rejects.toMatchObject({ code: 'billing_unavailable' });
    expect((await customerRef(person.uid).get()).get('name')).toBeNull();
    await rename(person, 'Grace Hopper');
    await syncContact(app.backend, person.uid);
    expect(await contactOf(person.uid)).toMatchObject({ name: 'Grace Hopper' });
  });

  test('leaves the latest contact, however many run at the same time', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    await updates();
    const names = ['A', 'B', 'C', 'D', 'E'];
    for (const name of names) {
      await rename(person, name);
      await app.backend.enqueueContactSync(person.uid);
    }
    await Promise.all(names.map(() => app.backend.enqueueContactSync(person.uid)));
    await settled(app);
    expect(await contactOf(person.uid)).toMatchObject({ name: 'E' });
    expect(await updates()).toBeLessThanOrEqual(names.length);
  });

  test('waits no longer for a dead task than its lease', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    await rename(person, 'Grace');
    const died = { key: 'of the dead', until: new Date(Date.now() + 3_600_000) };
    await customerRef(person.uid).update({ contactLease: died });
    await expect(syncContact(app.backend, person.uid)).rejects.toMatchObject({ status: 503 });
    const afterwards = { ...app.backend, now: () => new Date(Date.now() + 3_601_000) };
    await syncContact(afterwards, person.uid);
    expect(await contactOf(person.uid)).toMatchObject({ name: 'Grace' });
  });

  test('does nothing for a user without a customer, and for a customer that Stripe does not have yet', async () => {
    const person = await signUp();
    await syncContact(app.backend, person.uid);
    expect((await customerRef(person.uid).get()).exists).toBe(false);
    const reserved = {
      type: 'user',
      email: person.email,
      name: 'Old',
      creationKey: 'k',
      creationKeyAt: new Date(),
    };
    await customerRef(person.uid).set(reserved);
    await updates();
    await syncContact(app.backend, person.uid);
    expect([await updates(), (await customerRef(person.uid).get()).get('name')]).toEqual([0, 'Old']);
  });

  test('is made up for by the reconciliation when the queue has failed', async () => {
    const broken = await serveApp({
      backend: { enqueueContactSync: () => Promise.reject(new Error('down')) },
    });
    const { teamId, owner, admin } = await castOf(broken.url);
    await buy(broken, admin, `pro?team=${teamId}`);
    await buy(broken, owner, 'pro');
    const as = (person: Person, method: string, path: string, json?: unknown) =>
      call(method, `${broken.url}/api/auth/${path}`, { headers: person.bearer, json });
    expect((await as(owner, 'DELETE', `teams/${teamId}/members/${admin.uid}`)).status).toBe(204);
    expect((await as(owner, 'PATCH', 'user', { displayName: 'Grace' })).status).toBe(200);
    await adminFirestore().doc('sweeps/billing').delete();
    await reconcileBilling(broken.backend);
    const [ofTeam, ofOwner] = await Promise.all([customerRef(teamId).get(), customerRef(owner.uid).get()]);
    expect(ofTeam.data()).toMatchObject({ email: owner.email, name: 'Acme' });
    expect(ofOwner.data()).toMatchObject({ name: 'Grace' });
    const atStripe = await stripeOf(broken).customers.retrieve(ofTeam.get('stripeId') as string);
    expect(atStripe).toMatchObject({ email: owner.email });
    await broken[Symbol.asyncDispose]();
  });
});

test('a new contact of a member who does not pay enqueues nothing', async () => {
  const { owner, admin, teamId } = await castOf(app.url);
  await addMember(teamId, await signUp(), 'member');
  app.contactQueue.enqueued.length = 0;
  await ok(owner, 'PATCH', `teams/${teamId}`, { name: 'Not paying' });
  await ok(owner, 'PATCH', 'user', { displayName: 'Not paying' });
  await ok(owner, 'DELETE', `teams/${teamId}/members/${admin.uid}`);
  expect(app.contactQueue.enqueued).toEqual([]);
});
