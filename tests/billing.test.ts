import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { pay, planInSession, returnLinkOf } from './support/billing.ts';
import { APP_URL, STRIPE_SECRET_KEY } from './support/config.ts';
import { adminFirestore, signUp, signUpByPhone, startSession, type Person } from './support/people.ts';
import { call, errorOf, locationOf, visit } from './support/requests.ts';

let app: AppUnderTest;
let stripe: Stripe;
beforeAll(async () => {
  app = await serveApp();
  stripe = new Stripe(STRIPE_SECRET_KEY, { host: '127.0.0.1', port: app.stripe.port, protocol: 'http' });
});
afterAll(() => app[Symbol.asyncDispose]());

const checkout = (person: Person, slug: string) =>
  visit(`${app.url}/api/auth/checkout/${slug}`, person.bearer);
const portal = (person: Person) => visit(`${app.url}/api/auth/portal`, person.bearer);

async function customersOf(person: Person): Promise<Stripe.Customer[]> {
  const all = await stripe.customers.list({ email: person.email, limit: 100 });
  return all.data;
}

async function sessionsOf(person: Person): Promise<Stripe.Checkout.Session[]> {
  const [customer] = await customersOf(person);
  if (customer === undefined) return [];
  return (await stripe.checkout.sessions.list({ customer: customer.id, limit: 100 })).data;
}

describe('GET /api/auth/checkout/{product-slug}', () => {
  test('redirects to the checkout page of the plan, which returns to the app', async () => {
    const person = await signUp();
    const response = await checkout(person, 'pro');
    expect(response.status).toBe(303);
    expect(locationOf(response).origin).toBe(app.stripe.url);
    const [session] = await sessionsOf(person);
    expect(session).toMatchObject({
      mode: 'subscription',
      client_reference_id: person.uid,
      success_url: `${APP_URL}/api/auth/checkout/return?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${APP_URL}/billing?checkout=cancelled`,
      metadata: { firebaseUID: person.uid, plan: 'pro' },
    });
  });

  test('answers 404 to an unknown slug and 400 to the free plan, without a call to Stripe', async () => {
    const person = await signUp();
    const ask = (slug: string) =>
      call('GET', `${app.url}/api/auth/checkout/${slug}`, { headers: person.bearer });
    const unknown = await ask('enterprise');
    const prototype = await ask('__proto__');
    const free = await ask('free');
    expect(await errorOf(unknown)).toMatchObject({ status: 404, code: 'plan_not_found' });
    expect(prototype.status).toBe(404);
    expect(await errorOf(free)).toMatchObject({ status: 400, code: 'plan_is_free' });
    expect(await customersOf(person)).toEqual([]);
  });

  test('redirects a signed-out browser to sign in and return; a program gets 401', async () => {
    const address = '/api/auth/checkout/pro';
    const browser = await visit(app.url + address);
    expect(browser.status).toBe(303);
    expect(locationOf(browser).pathname).toBe('/auth/sign-in');
    expect(locationOf(browser).searchParams.get('callback')).toBe(APP_URL + address);
    const program = await call('GET', app.url + address, { headers: { Accept: 'application/json' } });
    expect(await errorOf(program)).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  test('makes one customer and one session under ten concurrent clicks', async () => {
    const person = await signUp();
    const answers = await Promise.all(Array.from({ length: 10 }, () => checkout(person, 'pro')));
    const locations = new Set(answers.map((answer) => locationOf(answer).href));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(303));
    expect(locations.size).toBe(1);
    expect(await customersOf(person)).toHaveLength(1);
    expect(await sessionsOf(person)).toHaveLength(1);
  });

  test('continues the open checkout at the next click', async () => {
    const person = await signUp();
    const first = await checkout(person, 'pro');
    const second = await checkout(person, 'pro');
    expect(locationOf(second).href).toBe(locationOf(first).href);
  });

  test('starts a new checkout when the old one has expired', async () => {
    const person = await signUp();
    await checkout(person, 'pro');
    const [old] = await sessionsOf(person);
    await stripe.checkout.sessions.expire(old?.id ?? '');
    expect((await checkout(person, 'pro')).status).toBe(303);
    const sessions = await sessionsOf(person);
    expect(sessions.map(({ status }) => status).sort()).toEqual(['expired', 'open']);
  });

  test('ends the checkout of another plan, so that only one can be paid', async () => {
    const person = await signUp();
    await checkout(person, 'pro');
    await checkout(person, 'business');
    const sessions = await sessionsOf(person);
    expect(sessions.map(({ status, metadata }) => [metadata?.['plan'], status]).sort()).toEqual([
      ['business', 'open'],
      ['pro', 'expired'],
    ]);
  });

  test.each(['pro', 'business'])(
    'redirects a subscriber of pro who asks for %s to the portal',
    async (slug) => {
      const person = await signUp();
      await pay(app, locationOf(await checkout(person, 'pro')));
      const response = await checkout(person, slug);
      expect(response.status).toBe(303);
      expect(locationOf(response).pathname).toMatch(/^\/p\/session\//);
      expect(await sessionsOf(person)).toHaveLength(1);
    },
  );

  test('does not reuse the customer of another user with the same e-mail address', async () => {
    const person = await signUp();
    await stripe.customers.create({ email: person.email });
    await checkout(person, 'pro');
    expect(await customersOf(person)).toHaveLength(2);
  });

  test('gets the customer again that Stripe made without an answer, also without an e-mail address', async () => {
    const person = await signUpByPhone();
    await call('POST', `${app.stripe.url}/_emulator/fail`, {
      json: { method: 'POST', path: '/v1/customers', status: 'drop', when: 'after', times: 3 },
    });
    expect((await checkout(person, 'pro')).status).toBe(503);
    expect((await checkout(person, 'pro')).status).toBe(303);
    const { data } = await stripe.customers.list({ limit: 100 });
    expect(data.filter(({ metadata }) => metadata['firebaseUID'] === person.uid)).toHaveLength(1);
  });

  /** A Stripe customer whose id no process has stored. Its creation key has expired. */
  async function orphan(person: Person, email: string): Promise<string> {
    const metadata = { firebaseUID: person.uid };
    const { id } = await stripe.customers.create({ email, metadata });
    await storeForgottenKey(person);
    return id;
  }

  test('finds the customer that a dead process made a day before', async () => {
    const person = await signUp();
    const id = await orphan(person, person.email);
    await checkout(person, 'pro');
    expect((await customersOf(person)).map((customer) => customer.id)).toEqual([id]);
  });

  test('finds the customer that a dead process made a day before, also if its address has changed', async () => {
    const person = await signUp();
    const id = await orphan(person, `former-${person.email}`);
    await checkout(person, 'pro');
    expect((await adminFirestore().doc(`customers/${person.uid}`).get()).get('stripeId')).toBe(id);
  });

  test('leaves the customer of another user whose uid differs only in upper and lower case', async () => {
    const person = await signUp();
    const id = await orphan(person, `former-${person.email}`);
    // A search of Stripe ignores case, and has the newest Stripe customers first.
    await stripe.customers.create({ metadata: { firebaseUID: person.uid.toLowerCase() } });
    await stripe.customers.create({ metadata: { firebaseUID: person.uid.toUpperCase() } });
    await checkout(person, 'pro');
    expect((await adminFirestore().doc(`customers/${person.uid}`).get()).get('stripeId')).toBe(id);
  });

  /** As for a Stripe account in India. */
  const withoutSearch = () =>
    call('POST', `${app.stripe.url}/_emulator/fail`, {
      json: { method: 'GET', path: '/v1/customers/search', status: 400 },
    });

  test('finds the customer that a dead process made a day before by its address, without a search', async () => {
    const person = await signUp();
    const id = await orphan(person, person.email);
    await withoutSearch();
    expect((await checkout(person, 'pro')).status).toBe(303);
    await call('DELETE', `${app.stripe.url}/_emulator/fail`);
    expect((await customersOf(person)).map((customer) => customer.id)).toEqual([id]);
  });

  test('is possible without a search although the creation key has expired', async () => {
    const person = await signUp();
    await storeForgottenKey(person);
    await withoutSearch();
    expect((await checkout(person, 'pro')).status).toBe(303);
    expect(await customersOf(person)).toHaveLength(1);
  });

  test.each<[what: string, change: (person: Person) => Promise<string | undefined>, status: number]>([
    ['keeps the Stripe customer of a payment that was adopted', adopt, 303],
    ['is refused if the account was deleted', removeCustomer, 409],
  ])('%s while Stripe creates another one', async (_what, change, status) => {
    const person = await signUp();
    await call('POST', `${app.stripe.url}/_emulator/fail`, {
      json: { method: 'POST', path: '/v1/customers', status: 'hold', times: 1 },
    });
    const late = visit(`${app.url}/api/auth/checkout/pro`, person.bearer);
    await call('GET', `${app.stripe.url}/_emulator/held?atLeast=1`);
    const stripeId = await change(person);
    await call('POST', `${app.stripe.url}/_emulator/release`);
    expect((await late).status).toBe(status);
    const document = await adminFirestore().doc(`customers/${person.uid}`).get();
    expect(document.get('stripeId')).toBe(stripeId);
  });

  test('is not started by a prefetching browser', async () => {
    const person = await signUp();
    const response = await visit(`${app.url}/api/auth/checkout/pro`, {
      ...person.bearer,
      'Sec-Purpose': 'prefetch',
    });
    expect(response.status).toBe(403);
    expect(await customersOf(person)).toEqual([]);
  });

  test.each(['checkout/pro', 'portal'])(
    'asks first if another site has sent the browser to /api/auth/%s, and changes nothing',
    async (path) => {
      const person = await signUp();
      const cookie = await startSession(app.url, person);
      const url = `${app.url}/api/auth/${path}`;
      const response = await visit(url, { ...cookie, 'Sec-Fetch-Site': 'cross-site' });
      expect(response.status).toBe(403);
      expect(await response.text()).toMatch(
        new RegExp(
          `Another site has sent you here.*<a class="button primary" href="/api/auth/${path}">Continue<`,
          's',
        ),
      );
      expect(await customersOf(person)).toEqual([]);
      // The link of that page.
      expect((await visit(url, { ...cookie, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(303);
      // A program acts for itself.
      expect((await visit(url, { ...person.bearer, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(303);
    },
  );
});

describe('GET /api/auth/portal', () => {
  test('redirects to the portal, and creates a missing customer', async () => {
    const person = await signUp();
    const response = await portal(person);
    expect(response.status).toBe(303);
    expect(locationOf(response).href).toMatch(new RegExp(`^${app.stripe.url}/p/session/`));
    expect(await customersOf(person)).toHaveLength(1);
  });

  test('returns to the billing page of the app', async () => {
    const person = await signUp();
    const page = await fetch(locationOf(await portal(person)));
    const link = returnLinkOf(await page.text()) ?? '';
    expect(link).toContain(`${APP_URL}/api/auth/portal/return?customer=${person.uid}&`);
    expect((await visit(link.replace(APP_URL, app.url))).headers.get('location')).toBe('/billing');
  });

  test('makes one customer under ten concurrent clicks', async () => {
    const person = await signUp();
    const answers = await Promise.all(Array.from({ length: 10 }, () => portal(person)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(303));
    expect(await customersOf(person)).toHaveLength(1);
  });

  test('redirects a signed-out browser to sign in and return; a program gets 401', async () => {
    const browser = await visit(`${app.url}/api/auth/portal`);
    expect(locationOf(browser).searchParams.get('callback')).toBe(`${APP_URL}/api/auth/portal`);
    expect((await call('GET', `${app.url}/api/auth/portal`)).status).toBe(401);
  });
});

describe('paying', () => {
  test('returns to the success page, and gives the plan', async () => {
    const person = await signUp();
    const back = await pay(app, locationOf(await checkout(person, 'pro')));
    const location = locationOf(back);
    expect([back.status, location.origin, location.pathname]).toEqual([
      303,
      APP_URL,
      '/api/auth/checkout/return',
    ]);
    expect(await planInSession(app, person)).toBe('pro');
    const last = await visit(app.url + location.pathname + location.search, person.bearer);
    expect([last.status, last.headers.get('location')]).toEqual([303, '/billing/success']);
  });

  test('stores the subscription in the shape of the Stripe extension', async () => {
    const person = await signUp();
    await pay(app, locationOf(await checkout(person, 'business')));
    const copies = await adminFirestore().collection(`customers/${person.uid}/subscriptions`).get();
    expect(copies.docs.map((document) => document.data())).toEqual([
      expect.objectContaining({
        status: 'active',
        role: 'business',
        quantity: 1,
        cancel_at_period_end: false,
      }),
    ]);
  });

  test('ends with the subscription: the plan is free again', async () => {
    const person = await signUp();
    await pay(app, locationOf(await checkout(person, 'pro')));
    const [customer] = await customersOf(person);
    const subscriptions = await stripe.subscriptions.list({ customer: customer?.id ?? '' });
    await stripe.subscriptions.cancel(subscriptions.data[0]?.id ?? '');
    await app.stripe.idle();
    expect(await planInSession(app, person)).toBe('free');
  });
});

/** Links a Stripe customer as the adoption of a payment link does. */
async function adopt({ uid }: Person): Promise<string> {
  const { id } = await stripe.customers.create();
  await adminFirestore().doc(`customers/${uid}`).update({ stripeId: id });
  return id;
}

/** Removes the customer as the last step of deleting the account does. */
async function removeCustomer({ uid }: Person): Promise<undefined> {
  await adminFirestore().doc(`customers/${uid}`).delete();
}

/** Stores a customer whose idempotency key Stripe has forgotten, as a process that died long ago leaves it. */
async function storeForgottenKey({ uid, email }: Person): Promise<void> {
  const fields = { type: 'user', email, name: null, creationKey: 'forgotten', creationKeyAt: new Date(0) };
  await adminFirestore().doc(`customers/${uid}`).set(fields);
}
