import { join } from 'node:path';
import { startStripe } from '@hearth/stripe-emulator';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { SAMPLE_OFFERED } from '../../functions/src/testing/sample-plans.ts';
import { stripeClient } from './target.ts';
import { tryTestMode } from './test-mode.ts';
import { OFFERED_WITH_USAGE } from './testing/usage.ts';

const KEY = 'sk_test_mode';

/** An account of Stripe without products. */
async function newAccount() {
  const server = await startStripe({ plans: [], apiKey: KEY });
  onTestFinished(() => server.close());
  return { url: server.url, stripe: stripeClient(KEY, server.url) };
}

test.each([
  ['plans', SAMPLE_OFFERED],
  ['plans with a meter and two currencies', OFFERED_WITH_USAGE],
])('%s are set up in the first run, and nothing but prices is left', async (_name, offered) => {
  const { stripe } = await newAccount();
  const lines: string[] = [];
  expect(await tryTestMode({ stripe, offered }, (line) => lines.push(line))).toEqual([]);
  expect(lines).toEqual([
    'ok   Products and prices',
    'ok   Customer portal',
    'ok   Webhook endpoint',
    'ok   Checkout session',
  ]);
  expect((await stripe.webhookEndpoints.list()).data).toEqual([]);
  const portals = await stripe.billingPortal.configurations.list({ active: true, is_default: false });
  expect(portals.data).toEqual([]);
  const sessions = await stripe.checkout.sessions.list();
  expect(sessions.data.map(({ status }) => status)).toEqual(['expired']);
});

test('a price of another amount is a problem, and the rest is still tried', async () => {
  const { stripe } = await newAccount();
  const { id: product } = await stripe.products.create({ name: 'Mine' });
  await stripe.prices.create({
    ...{ product, currency: 'usd', unit_amount: 900, lookup_key: 'hearth_pro_monthly' },
    recurring: { interval: 'month' },
  });
  const lines: string[] = [];
  const problems = await tryTestMode({ stripe, offered: SAMPLE_OFFERED }, (line) => lines.push(line));
  expect(problems).toEqual([
    expect.stringContaining('Products and prices: The price hearth_pro_monthly is 900 usd month at Stripe'),
  ]);
  expect(lines).toContain('ok   Checkout session');
});

const run = (environment: Record<string, string>) =>
  execa(process.execPath, [join(import.meta.dirname, 'stripe-test-mode.ts')], {
    env: environment,
    reject: false,
  });

test('the command tries the plans of this project', async () => {
  const { url } = await newAccount();
  const { exitCode, stdout, stderr } = await run({ STRIPE_SECRET_KEY: KEY, STRIPE_API_URL: url });
  expect(stderr).toBe('');
  expect(stdout).toContain('ok   Webhook endpoint');
  expect(exitCode).toBe(0);
});

test('the command refuses a key of the live mode', async () => {
  const { exitCode, stderr } = await run({ STRIPE_SECRET_KEY: 'sk_live_mode' });
  expect(stderr).toBe('STRIPE_SECRET_KEY must be a key of the test mode.');
  expect(exitCode).toBe(1);
});
