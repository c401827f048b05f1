import { startStripe } from '@hearth/stripe-emulator';
import Stripe from 'stripe';
import { expect, onTestFinished, test } from 'vitest';
import extrasJson from '../functions/extras.json' with { type: 'json' };
import plansJson from '../functions/plans.json' with { type: 'json' };
import { extrasSchema } from '../functions/src/settings/extras.ts';
import { planListSchema } from '../functions/src/settings/plans.ts';
import { SAMPLE_PLANS } from '../functions/src/testing/sample-plans.ts';
import { readOffered, updateLocalCatalogue, updateLocalPortal } from './local-catalogue.ts';

const COMMON = { description: 'd', limits: { seats: 5, storageMegabytes: 100, fileMegabytes: 10 } };

/** The catalogue: one plan, with a price by the month and perhaps one by the year. */
const offered = (month: number, year?: number) => ({
  plans: planListSchema.parse([
    { ...COMMON, slug: 'free', name: 'Free' },
    {
      ...{ ...COMMON, slug: 'max', name: 'Max' },
      prices: {
        month: { lookupKey: 'max_month', unitAmount: month, currency: 'usd' },
        ...(year !== undefined && { year: { lookupKey: 'max_year', unitAmount: year, currency: 'usd' } }),
      },
    },
  ]),
  extras: extrasSchema.parse({}),
});

test('the local Stripe gets new prices, and a new price with the lookup key for another amount', async () => {
  const server = await startStripe({ port: 0, plans: [], account: 'test' });
  onTestFinished(() => server.close());
  const stripe = new Stripe('sk_test_local', { host: '127.0.0.1', port: server.port, protocol: 'http' });
  const amounts = async () => {
    const { data } = await stripe.prices.list({ active: true, limit: 100 });
    return data
      .map(({ lookup_key: key, unit_amount: amount }) => `${key?.replace(/^former_.*/, 'former')} ${amount}`)
      .sort();
  };

  expect(await updateLocalCatalogue(stripe, offered(900))).toEqual([
    'Local Stripe: create the prices max_month of Max',
  ]);
  expect(await updateLocalCatalogue(stripe, offered(900))).toEqual([]);
  expect(await updateLocalCatalogue(stripe, offered(1200, 12000))).toEqual([
    'Local Stripe: create the prices max_month, max_year of Max',
  ]);
  expect(await amounts()).toEqual(['former 900', 'max_month 1200', 'max_year 12000']);
  expect((await stripe.products.list()).data).toHaveLength(1);
});

test('an update lists the prices once', async () => {
  const server = await startStripe({ port: 0, plans: [], account: 'test' });
  onTestFinished(() => server.close());
  const stripe = new Stripe('sk_test_local', { host: '127.0.0.1', port: server.port, protocol: 'http' });
  await updateLocalCatalogue(stripe, offered(900));
  const answer = await fetch(`${server.url}/_emulator/requests`);
  expect(((await answer.json()) as { counts: object }).counts).toMatchObject({ 'GET /v1/prices': 1 });
});

test('the portal of the local Stripe charges a change of plan immediately', async () => {
  const { plans, extras } = { plans: SAMPLE_PLANS, extras: extrasSchema.parse({}) };
  const server = await startStripe({ port: 0, plans: [...plans], account: 'test' });
  onTestFinished(() => server.close());
  const stripe = new Stripe('sk_test_local', { host: '127.0.0.1', port: server.port, protocol: 'http' });
  expect(await updateLocalPortal(stripe, { plans, extras })).toEqual([
    expect.stringMatching(/^Local Stripe: let customers switch plans/),
  ]);
  expect(await updateLocalPortal(stripe, { plans, extras })).toEqual([]);
  const { features } = await stripe.billingPortal.configurations.retrieve('bpc_local');
  expect(features.subscription_update.proration_behavior).toBe('always_invoice');
});

test('the plans and extras are those of the project', () => {
  const { plans, extras } = readOffered();
  expect(plans).toEqual(planListSchema.parse(plansJson));
  expect(extras).toEqual(extrasSchema.parse(extrasJson));
});
