import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { BACKSTOP_MS } from '../scripts/backstop.ts';
import { serveApp } from './support/app.ts';
import { stripeOf } from './support/billing.ts';
import { STRIPE_SECRET_KEY } from './support/config.ts';
import { signUp, signUpByPhone } from './support/people.ts';
import { call, errorOf, visit } from './support/requests.ts';

describe('when Stripe', () => {
  test.each([
    ['is down', { status: 500 }],
    ['limits the rate', { status: 429 }],
    ['drops the connection', { status: 'drop' }],
  ])('%s, the caller gets 503 without internal details', async (_what, fault) => {
    await using other = await serveApp();
    const person = await signUp();
    await call('POST', `${other.stripe.url}/_emulator/fail`, {
      json: { method: 'POST', path: '/v1/billing_portal/sessions', times: 20, ...fault },
    });
    const error = 'Billing is not available right now. Please try again later.';
    const program = await call('GET', `${other.url}/api/auth/portal`, { headers: person.bearer });
    expect(await errorOf(program)).toEqual({ status: 503, error, code: 'billing_unavailable' });
    expect(program.headers.get('retry-after')).toBe('5');

    const browser = await visit(`${other.url}/api/auth/portal`, person.bearer);
    expect([browser.status, browser.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    const page = await browser.text();
    expect(page).toContain(`<h1>${error}</h1>`);
    expect(page).toContain('href="/billing">Go to billing</a>');
  });

  test('does not answer, the caller gets 503 after the time limit', async () => {
    const patient = { protocol: 'http', host: '127.0.0.1', timeout: BACKSTOP_MS } as const;
    let client: Stripe | undefined;
    await using other = await serveApp({ backend: { stripe: () => Promise.resolve(client as Stripe) } });
    const { port, url } = other.stripe;
    client = new Stripe(STRIPE_SECRET_KEY, { ...patient, port });
    const person = await signUp();
    // Creates the customer first, so that the short limit applies to the unanswered request only.
    expect((await visit(`${other.url}/api/auth/portal`, person.bearer)).status).toBe(303);

    await call('POST', `${url}/_emulator/fail`, {
      json: { path: '/v1/billing_portal/sessions', times: 2, status: 'timeout' },
    });
    client = new Stripe(STRIPE_SECRET_KEY, { ...patient, port, timeout: 50, maxNetworkRetries: 1 });
    const response = await call('GET', `${other.url}/api/auth/portal`, { headers: person.bearer });
    expect(await errorOf(response)).toMatchObject({ status: 503, code: 'billing_unavailable' });

    await call('DELETE', `${url}/_emulator/fail`);
    client = new Stripe(STRIPE_SECRET_KEY, { ...patient, port });
    expect((await visit(`${other.url}/api/auth/portal`, person.bearer)).status).toBe(303);
  });

  test('fails after it has created the Stripe customer, the next request finds it, also before the search does', async () => {
    const served: { client?: Stripe } = {};
    await using other = await serveApp({
      backend: { stripe: () => Promise.resolve(served.client as Stripe) },
    });
    const client = stripeOf(other);
    served.client = client;
    const nothing = { object: 'search_result', data: [], has_more: false, next_page: null, url: '' };
    Object.assign(client.customers, { search: () => Promise.resolve(nothing) });
    // Without an address, which would lead to the Stripe customer.
    const person = await signUpByPhone();
    const portal = () => visit(`${other.url}/api/auth/portal`, person.bearer);
    await call('POST', `${other.stripe.url}/_emulator/fail`, {
      json: { method: 'POST', path: '/v1/customers', status: 500, when: 'after', times: 3 },
    });
    expect((await portal()).status).toBe(503);
    expect((await portal()).status).toBe(303);
    expect((await client.customers.list()).data).toHaveLength(1);
  });

  test('fails once, the call is repeated', async () => {
    await using other = await serveApp();
    const person = await signUp();
    await call('POST', `${other.stripe.url}/_emulator/fail`, {
      json: { method: 'POST', path: '/v1/customers', times: 1, status: 500 },
    });
    expect((await visit(`${other.url}/api/auth/checkout/pro`, person.bearer)).status).toBe(303);
  });
});
