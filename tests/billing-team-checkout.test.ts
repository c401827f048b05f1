import { FieldValue } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../functions/src/app.ts';
import { beginCheckout } from '../functions/src/billing/checkout/checkout.service.ts';
import type { Subject } from '../functions/src/billing/subject.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { checkout, pay, returnLinkOf, stripeOf } from './support/billing.ts';
import { APP_URL } from './support/config.ts';
import { listen } from './support/listen.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call, locationOf, visit } from './support/requests.ts';
import { castOf, createTeam, setRole } from './support/teams.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** The subject of a request after its owner was authorized. */
const subjectOf = (teamId: string, { uid, email }: Person): Subject => ({
  customerId: teamId,
  type: 'team',
  email,
  name: null,
  ownerId: uid,
  actor: { uid, email, emailVerified: true },
});

test('two admins who click for one team at the same time share one checkout', async () => {
  const { teamId, owner, admin } = await castOf(app.url);
  const pages = await Promise.all(
    [owner, admin, owner, admin].map((person) => checkout(app, person, `pro?team=${teamId}`)),
  );
  expect(pages.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
  expect(new Set(pages.map((page) => locationOf(page).href)).size).toBe(1);
});

test('another admin continues the checkout of a dead process, and gets a new one after a change of settings', async () => {
  const { teamId, owner, admin } = await castOf(app.url);
  const customer = adminFirestore().doc(`customers/${teamId}`);
  const first = locationOf(await checkout(app, owner, `pro?team=${teamId}`));
  await customer.update({ 'checkout.sessionId': FieldValue.delete() });
  expect(locationOf(await checkout(app, admin, `pro?team=${teamId}`)).href).toBe(first.href);

  await customer.update({ 'checkout.sessionId': FieldValue.delete() });
  const backend = { ...app.backend, config: { ...app.config, promotionCodes: true } };
  const anew = await beginCheckout(backend, subjectOf(teamId, owner), { slug: 'pro', interval: 'month' });
  expect(anew.url).not.toBe(first.href);
  expect((await pay(app, new URL(anew.url))).status).toBe(303);
});

test('the checkout of a dead process gets a new page if its page has expired', async () => {
  const person = await signUp();
  const page = locationOf(await checkout(app, person, 'pro'));
  const customer = adminFirestore().doc(`customers/${person.uid}`);
  const sessionId = (await customer.get()).get('checkout.sessionId') as string;
  await customer.update({ 'checkout.sessionId': FieldValue.delete() });
  await stripeOf(app).checkout.sessions.expire(sessionId);
  const anew = locationOf(await checkout(app, person, 'pro'));
  expect(anew.href).not.toBe(page.href);
  expect((await pay(app, anew)).status).toBe(303);
});

test('the portal of a team returns to the billing page of the team', async () => {
  const { teamId, admin } = await castOf(app.url);
  const portal = await visit(`${app.url}/api/auth/portal?team=${teamId}`, admin.bearer);
  const page = await fetch(locationOf(portal));
  const link = returnLinkOf(await page.text()) ?? '';
  expect((await visit(link.replace(APP_URL, app.url))).headers.get('location')).toBe(
    `/billing?team=${teamId}`,
  );
});

test.each<[what: string, end: (teamId: string) => Promise<unknown>]>([
  ['marked for deletion', (id) => adminFirestore().doc(`teams/${id}`).update({ deletingSince: new Date() })],
  ['gone', (id) => adminFirestore().doc(`teams/${id}`).delete()],
])('no checkout is created for a team that is %s after its admin was authorized', async (_what, end) => {
  const owner = await signUp();
  const teamId = await createTeam(app.url, owner);
  await end(teamId);
  const late = beginCheckout(app.backend, subjectOf(teamId, owner), { slug: 'pro', interval: 'month' });
  await expect(late).rejects.toMatchObject({ status: 404, code: 'team_not_found' });
});

test.each<[what: string, change: (teamId: string, admin: Person) => Promise<unknown>, status: number]>([
  ['was removed', (teamId, { uid }) => adminFirestore().doc(`teams/${teamId}/members/${uid}`).delete(), 404],
  ['got a lower role', (teamId, admin) => setRole(teamId, admin, 'member'), 403],
])('no checkout is created for an admin who %s after they were authorized', async (_what, change, status) => {
  const { teamId, admin } = await castOf(app.url);
  await call('POST', `${app.stripe.url}/_emulator/fail`, {
    json: { method: 'POST', path: '/v1/customers', status: 'hold', times: 1 },
  });
  const late = checkout(app, admin, `pro?team=${teamId}`);
  await call('GET', `${app.stripe.url}/_emulator/held?atLeast=1`);
  await change(teamId, admin);
  await call('POST', `${app.stripe.url}/_emulator/release`);
  expect((await late).status).toBe(status);
  const customer = await adminFirestore().doc(`customers/${teamId}`).get();
  expect([customer.get('type'), customer.get('checkout')]).toEqual(['team', undefined]);
});

test('instances with different settings open one page', async () => {
  const person = await signUp();
  const [asked, answered] = [Promise.withResolvers<true>(), Promise.withResolvers<true>()];
  const stripe = await app.backend.stripe();
  const sessions = Object.assign(Object.create(stripe.checkout.sessions) as typeof stripe.checkout.sessions, {
    create: async (...call: Parameters<typeof stripe.checkout.sessions.create>) => {
      asked.resolve(true);
      await answered.promise;
      return stripe.checkout.sessions.create(...call);
    },
  });
  const slow = Object.assign(Object.create(stripe) as Stripe, {
    checkout: Object.assign(Object.create(stripe.checkout) as Stripe['checkout'], { sessions }),
  });
  const deployed = await listen(
    createApp({
      ...app.backend,
      config: { ...app.config, promotionCodes: !app.config.promotionCodes },
      stripe: () => Promise.resolve(slow),
    }),
  );
  const overtaken = visit(`${deployed.url}/api/auth/checkout/pro`, person.bearer);
  await asked.promise;
  const page = locationOf(await checkout(app, person, 'pro'));
  answered.resolve(true);
  expect(locationOf(await overtaken).href).toBe(page.href);
  const { data } = await stripe.checkout.sessions.list({});
  const own = data.filter(({ client_reference_id: id }) => id === person.uid);
  expect(own.map(({ status }) => status)).toEqual(['open']);
  deployed.close();
});
