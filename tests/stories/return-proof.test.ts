import { beforeAll, describe, expect, test } from 'vitest';
import { createHearthClient } from '../../client/src/index.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { claimsOf, pay, returnLinkOf } from '../support/billing.ts';
import { APP_URL } from '../support/config.ts';
import { meterFirestore } from '../support/cost.ts';
import { CREDITS } from '../support/extras.ts';
import { signUp, type Person } from '../support/people.ts';
import { call, visit } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';

const DAY = 86_400;

/** A Firestore of its own, because these tests move its clock. No webhook arrives. */
const resources = useResources();
let app: AppUnderTest;
/** Seconds by which the time of the app is ahead. */
let ahead = 0;
beforeAll(async () => {
  resources.use(await meterFirestore());
  app = resources.use(
    await serveApp({
      webhooks: false,
      config: { extras: CREDITS, returnUrls: ['myapp://paid'], checkoutsPerHour: 5 },
      backend: { now: () => new Date(Date.now() + ahead * 1000) },
    }),
  );
});

const billingOf = ({ idToken }: Person) =>
  createHearthClient({ baseUrl: app.url, idToken: () => Promise.resolve(idToken) }).billing;

/** Opens a URL of the app in a browser where nobody is signed in. */
const open = (url: URL | string) => visit(String(url).replace(APP_URL, app.url));

/** Buys a plan. @returns the URL to which Stripe's page leads back */
async function buy(person: Person, returnUrl?: string): Promise<URL> {
  const page = await billingOf(person).checkout('pro', returnUrl === undefined ? {} : { returnUrl });
  const back = await pay(app, new URL(page));
  return new URL(back.headers.get('location') ?? '');
}

/** Counts the calls to Stripe during a request. */
async function callsToStripe(request: () => Promise<unknown>): Promise<number> {
  await call('DELETE', `${app.stripe.url}/_emulator/requests`);
  await request();
  const log = await call('GET', `${app.stripe.url}/_emulator/requests`);
  const { counts } = (await log.json()) as { counts: Record<string, number> };
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Expects that the return only redirects. */
async function expectRedirectOnly(url: URL, location: string): Promise<void> {
  const calls = await callsToStripe(async () => {
    expect((await open(url)).headers.get('location')).toBe(location);
  });
  expect(calls).toBe(0);
}

describe('a signed-out return from a checkout', () => {
  test('syncs with the proof, also a day later', async () => {
    const person = await signUp();
    const back = await buy(person, 'myapp://paid');
    ahead += DAY;
    expect((await open(back)).headers.get('location')).toBe('myapp://paid?checkout=success');
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
  });

  test.each<[what: string, change: (url: URL) => void]>([
    [
      'without a proof, as before the upgrade',
      ({ searchParams }) => {
        searchParams.delete('proof');
        searchParams.delete('customer');
      },
    ],
    [
      'with a wrong proof',
      ({ searchParams }) => {
        searchParams.set('proof', 'x'.repeat(43));
      },
    ],
    [
      'with the proof of another customer',
      ({ searchParams }) => {
        searchParams.set('customer', 'somebody');
      },
    ],
    [
      'two days later',
      () => {
        ahead += 2 * DAY;
      },
    ],
  ])('%s redirects without a call to Stripe', async (_what, change) => {
    const person = await signUp();
    const back = await buy(person, 'myapp://paid');
    change(back);
    await expectRedirectOnly(back, 'myapp://paid?checkout=pending');
    back.searchParams.delete('to');
    await expectRedirectOnly(back, '/billing/success');
    expect(await claimsOf(person)).toEqual({});
  });

  test('is refused for the checkout of another customer', async () => {
    const [mine, other] = [await buy(await signUp()), await buy(await signUp())];
    mine.searchParams.set('session_id', other.searchParams.get('session_id') ?? '');
    const answer = await open(mine);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('There is no such checkout.');
  });

  test('counts for the limit of the customer', async () => {
    const back = await buy(await signUp(), 'myapp://paid');
    const statuses: number[] = [];
    for (let count = 0; count < 5; count++) statuses.push((await open(back)).status);
    expect(statuses).toEqual([303, 303, 303, 303, 429]);
  });
});

describe('on the next day, when the proof is another one', () => {
  test.each<[what: string, open: (person: Person, returnUrl: string) => Promise<string>]>([
    ['checkout', (person, returnUrl) => billingOf(person).checkout('pro', { returnUrl })],
    ['one-time purchase', (person, returnUrl) => billingOf(person).purchase({ item: 'hundred', returnUrl })],
  ])('a request for the same %s continues the open page', async (_what, openPage) => {
    const person = await signUp();
    const page = await openPage(person, 'myapp://paid');
    ahead += DAY;
    expect(await openPage(person, 'myapp://paid')).toBe(page);
    expect(await openPage(person, 'myapp://paid?a=b')).not.toBe(page);
  });

  test('a checkout that got no page before gets one with a new proof', async () => {
    const person = await signUp();
    const limited = { method: 'POST', path: '/v1/checkout/sessions', status: 429 };
    await call('POST', `${app.stripe.url}/_emulator/fail`, { json: limited });
    await expect(buy(person, 'myapp://paid')).rejects.toThrow();
    await call('DELETE', `${app.stripe.url}/_emulator/fail`);
    ahead += DAY;
    const back = await buy(person, 'myapp://paid');
    ahead += DAY;
    expect((await open(back)).headers.get('location')).toBe('myapp://paid?checkout=success');
  });
});

describe('a signed-out return from the portal', () => {
  const portalLink = async () => {
    const portal = await billingOf(await signUp()).portal({ returnUrl: 'myapp://paid' });
    return returnLinkOf(await (await fetch(portal)).text()) ?? '';
  };

  test('is accepted a day later, and refused two days later', async () => {
    const link = await portalLink();
    ahead += DAY;
    expect((await open(link)).headers.get('location')).toBe('myapp://paid?portal=done');
    ahead += DAY;
    expect((await open(link)).status).toBe(404);
  });

  test('counts for the limit of the customer', async () => {
    const link = await portalLink();
    const statuses: number[] = [];
    for (let count = 0; count < 5; count++) statuses.push((await open(link)).status);
    expect(statuses).toEqual([303, 303, 303, 303, 429]);
  });
});
