import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { planListSchema } from '../../functions/src/settings/plans.ts';
import { SAMPLE_PLANS } from '../../functions/src/testing/sample-plans.ts';
import {
  allows,
  featuresOf,
  PORTAL_PRODUCTS,
  portalStep,
  switchable,
  switchablePlans,
} from './steps/stripe-portal.ts';
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

/** The features of a configuration, with the products. */
async function featuresAt({ billingPortal }: Stripe, id: string) {
  return (await billingPortal.configurations.retrieve(id, { expand: [PORTAL_PRODUCTS] })).features;
}

/** The ids of the prices between which a configuration can switch. */
async function pricesAt(stripe: Stripe, id: string): Promise<string[]> {
  const { products } = (await featuresAt(stripe, id)).subscription_update;
  return (products ?? []).flatMap(({ prices }) => prices).toSorted();
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
    expect.stringContaining('The customer portal does not offer exactly the plans'),
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

test('an answer of Stripe without the products is no proof that the portal offers them', async () => {
  const { stripe, portal, products } = await worldWithPortal();
  const without = await stripe.billingPortal.configurations.retrieve(portal.id);
  expect(allows(without.features, products)).toBe(false);
  expect(allows(await featuresAt(stripe, portal.id), products)).toBe(true);
});

test('after a price rise, a set-up makes the portal offer the new price instead of the old one', async () => {
  const { stripe, portal, run } = await worldWithPortal();
  const [old] = (await stripe.prices.list({ lookup_keys: ['hearth_pro_monthly'] })).data;
  if (old === undefined) throw new Error('There is no price of Pro.');
  const raised = await stripe.prices.create({
    product: typeof old.product === 'string' ? old.product : old.product.id,
    currency: old.currency,
    unit_amount: (old.unit_amount ?? 0) + 100,
    recurring: { interval: 'month' },
    lookup_key: 'hearth_pro_monthly',
    transfer_lookup_key: true,
  });
  expect((await run('check', [portalStep])).todo).toHaveLength(1);
  expect(await run('apply', [portalStep])).toMatchObject({ changes: 1, failures: [] });
  const offered = await pricesAt(stripe, portal.id);
  expect(offered).toContain(raised.id);
  expect(offered).not.toContain(old.id);
});

test('a set-up takes a plan out of the portal that it cannot sell any more, and adds it again', async () => {
  const { target, stripe, portal, run } = await worldWithPortal();
  const [free, pro, business] = SAMPLE_PLANS;
  const all = target.offered;
  const before = await pricesAt(stripe, portal.id);
  const forTeams = planListSchema.parse([free, pro, { ...business, for: ['team'] }]);
  target.offered = { ...all, plans: forTeams };
  expect(await run('apply', [portalStep])).toMatchObject({ changes: 1, failures: [] });
  const { data } = await stripe.prices.list({ lookup_keys: ['hearth_pro_monthly', 'hearth_pro_yearly'] });
  expect(await pricesAt(stripe, portal.id)).toEqual(data.map(({ id }) => id).toSorted());
  target.offered = all;
  expect(await run('apply', [portalStep])).toMatchObject({ changes: 1, failures: [] });
  expect(await pricesAt(stripe, portal.id)).toEqual(before);
});

const month = (rest: object = {}) => ({
  prices: { month: { lookupKey: 'other_month', unitAmount: 4900, currency: 'usd', ...rest } },
});
const BASE_PRICE = { for: ['team'], ...month({ seat: { lookupKey: 'other_seat', unitAmount: 800 } }) };
const USAGE = month({ metered: [{ meter: 'calls', lookupKey: 'other_calls', unitAmount: 5 }] });
const ONCE = { prices: { once: { lookupKey: 'other_once', unitAmount: 4900, currency: 'usd' } } };

/** Properties of Pro and Business that differ from the samples, and another plan. */
interface OtherPlan {
  pro?: object;
  business?: object;
  other?: object;
}

test.each<[name: string, plans: OtherPlan, offered: string[]]>([
  ['flat and per seat', {}, ['pro', 'business']],
  ['for teams only', { pro: { for: ['team'] }, business: { for: ['team'] } }, ['pro', 'business']],
  ['beside a base price with seats', { other: BASE_PRICE }, ['pro', 'business']],
  [
    'for users, beside a base price for teams',
    { pro: { for: ['user'] }, business: { perSeat: false, for: ['user'] }, other: BASE_PRICE },
    [],
  ],
  [
    'for teams, beside a base price for teams',
    { pro: { for: ['team'] }, business: { for: ['team'] }, other: BASE_PRICE },
    ['pro', 'business'],
  ],
  ['beside usage', { other: USAGE }, ['pro', 'business']],
  ['beside a plan for users only', { other: { for: ['user'], ...month() } }, ['pro', 'business']],
  ['beside a plan that is paid once', { other: { for: ['user'], ...ONCE } }, ['pro', 'business']],
  ['for different subjects', { pro: { for: ['user'] }, business: { for: ['team'] } }, []],
  ['of which only one is for every subject, by the month and year', { pro: { for: ['user'] } }, ['business']],
  [
    'of which only one is for every subject, by the month',
    { pro: { for: ['user'] }, business: { prices: month().prices } },
    [],
  ],
])('the portal offers the plans that it can sell: %s', (_name, { pro, business, other }, offered) => {
  const [free, samplePro, sampleBusiness] = SAMPLE_PLANS;
  const plans = planListSchema.parse([
    free,
    { ...samplePro, ...pro },
    { ...sampleBusiness, ...business },
    ...(other ? [{ ...samplePro, slug: 'other', ...other }] : []),
  ]);
  expect(switchablePlans(plans).map(({ slug }) => slug)).toEqual(offered);
});

test('a set-up turns plan changes off if the portal cannot sell the plans', async () => {
  const { target, stripe, portal, run } = await worldWithPortal();
  const [free, pro, business] = SAMPLE_PLANS;
  const plans = planListSchema.parse([free, { ...pro, for: ['user'] }, { ...business, for: ['team'] }]);
  target.offered = { ...target.offered, plans };
  expect(await run('apply', [portalStep])).toMatchObject({ changes: 1, failures: [] });
  const { features } = await stripe.billingPortal.configurations.retrieve(portal.id);
  expect(features.subscription_update.enabled).toBe(false);
  expect((await run('check', [portalStep])).todo).toEqual([]);
});
