import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { allows, featuresOf, portalStep, switchable } from './steps/stripe-portal.ts';
import { deployedWorld } from './testing/world.ts';

async function worldWithPortal() {
  const world = await deployedWorld();
  const { stripe, offered } = world.target;
  if (stripe === undefined) throw new Error('The world has no key of Stripe.');
  const [portal] = (await stripe.billingPortal.configurations.list({ is_default: true })).data;
  if (portal === undefined) throw new Error('There is no portal.');
  const products = await switchable(stripe, offered);
  return { ...world, stripe, portal, products };
}

type Features = Stripe.BillingPortal.ConfigurationUpdateParams.Features;

test.each<[name: string, features: Features]>([
  ['hides the invoices', { invoice_history: { enabled: false } }],
  ['cancels at once', { subscription_cancel: { enabled: true, mode: 'immediately' } }],
  ['does not cancel', { subscription_cancel: { enabled: false } }],
  ['changes no payment method', { payment_method_update: { enabled: false } }],
  [
    'allows a change of quantity',
    { subscription_update: { default_allowed_updates: ['price', 'quantity'] } },
  ],
  [
    'charges nothing for a change before the renewal',
    { subscription_update: { proration_behavior: 'none' } },
  ],
  ['ends a trial with a change', { subscription_update: { trial_update_behavior: 'end_trial' } }],
  ['offers no plans', { subscription_update: { enabled: false } }],
])('the doctor sees a portal that %s, and a set-up corrects it', async (_name, features) => {
  const { stripe, portal, run } = await worldWithPortal();
  await stripe.billingPortal.configurations.update(portal.id, { features });
  expect((await run('check', [portalStep])).todo).toEqual([
    expect.stringContaining('The customer portal does not offer the plans'),
  ]);
  expect(await run('apply', [portalStep])).toMatchObject({ changes: 1, failures: [] });
  expect((await run('check', [portalStep])).todo).toEqual([]);
});

test('the doctor sees a portal without one of the prices', async () => {
  const { stripe, portal, products, run } = await worldWithPortal();
  const fewer = products.map(({ product, prices }) => ({ product, prices: prices.slice(0, 1) }));
  await stripe.billingPortal.configurations.update(portal.id, { features: featuresOf(fewer) });
  expect((await run('check', [portalStep])).todo).toHaveLength(1);
});

test('a person activates a portal that is not active', async () => {
  const { target, run } = await worldWithPortal();
  const list = () => Promise.resolve({ data: [] });
  Object.assign(target, { stripe: { billingPortal: { configurations: { list } } } });
  expect((await run('check', [portalStep])).todo).toEqual([
    expect.stringContaining('Press "Activate" at https://dashboard.stripe.com/settings/billing/portal'),
  ]);
});

test('an answer of Stripe without the products is accepted', async () => {
  const { stripe, portal, products } = await worldWithPortal();
  const { features } = await stripe.billingPortal.configurations.retrieve(portal.id);
  const without = structuredClone(features);
  delete without.subscription_update.products;
  expect(allows(without, products)).toBe(true);
});
