import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { customerWith, PRO_MONTHLY, stripeError, testStripe } from '../testing.ts';

const PRO = 'prod_local_pro';
const UPDATED = 'entitlements.active_entitlement_summary.updated';

async function world() {
  const made = await testStripe({ now: () => new Date('2026-05-01T00:00:00Z') });
  const { stripe } = made;
  const { customer } = await customerWith(stripe, 'pm_card_visa');
  const feature = await stripe.entitlements.features.create({ lookup_key: 'export', name: 'Export' });
  const keys = async () =>
    (await stripe.entitlements.activeEntitlements.list({ customer })).data.map((row) => row.lookup_key);
  return { ...made, customer, feature: feature.id, keys };
}

function subscribeTo(
  { stripe, customer }: { stripe: Stripe; customer: string },
  params: Partial<Stripe.SubscriptionCreateParams> = {},
) {
  return stripe.subscriptions.create({ customer, items: [{ price: PRO_MONTHLY }], ...params });
}

test('a subscription gives the features of its product until it ends', async () => {
  const given = await world();
  const { stripe, customer, feature, keys, happened } = given;
  await stripe.products.createFeature(PRO, { entitlement_feature: feature });
  await happened();
  const { id } = await subscribeTo(given);
  expect((await happened()).filter((type) => type === UPDATED)).toHaveLength(1);
  expect(await keys()).toEqual(['export']);
  const [event] = (await stripe.events.list({ type: UPDATED })).data;
  expect(event?.data).toMatchObject({
    object: { customer, entitlements: { data: [{ feature, lookup_key: 'export' }], has_more: false } },
    previous_attributes: { entitlements: { data: [] } },
  });
  await stripe.subscriptions.cancel(id);
  expect(await happened()).toEqual(['customer.subscription.deleted', UPDATED]);
  expect(await keys()).toEqual([]);
});

test('a renewal changes no entitlement and sends no event', async () => {
  const given = await world();
  const { stripe, feature, happened, keys, pass } = given;
  await stripe.products.createFeature(PRO, { entitlement_feature: feature });
  await subscribeTo(given);
  const [before] = (await stripe.entitlements.activeEntitlements.list({ customer: given.customer })).data;
  await happened();
  await pass(40);
  expect(await happened()).not.toContain(UPDATED);
  expect(await stripe.entitlements.activeEntitlements.retrieve(before?.id ?? '')).toEqual(
    expect.objectContaining({ id: before?.id, lookup_key: 'export' }),
  );
  expect(await keys()).toEqual(['export']);
});

test('a feature of two products is one entitlement, and ends with the last of them', async () => {
  const given = await world();
  const { stripe, feature, keys } = given;
  const other = await stripe.products.create({ name: 'Other' });
  const price = await stripe.prices.create({
    product: other.id,
    currency: 'usd',
    unit_amount: 100,
    recurring: { interval: 'month' },
  });
  for (const product of [PRO, other.id])
    await stripe.products.createFeature(product, { entitlement_feature: feature });
  const first = await subscribeTo(given);
  const second = await subscribeTo(given, { items: [{ price: price.id }] });
  expect(await keys()).toEqual(['export']);
  await stripe.subscriptions.cancel(first.id);
  expect(await keys()).toEqual(['export']);
  await stripe.subscriptions.cancel(second.id);
  expect(await keys()).toEqual([]);
});

test('a feature that is attached or detached later reaches the subscribers', async () => {
  const given = await world();
  const { stripe, feature, happened, keys } = given;
  await subscribeTo(given);
  await happened();
  const attached = await stripe.products.createFeature(PRO, { entitlement_feature: feature });
  expect(await happened()).toEqual([UPDATED]);
  expect(await keys()).toEqual(['export']);
  await stripe.products.deleteFeature(PRO, attached.id);
  expect(await happened()).toEqual([UPDATED]);
  expect(await keys()).toEqual([]);
});

test.each<[string, Partial<Stripe.SubscriptionCreateParams>, string[]]>([
  ['a trial', { trial_period_days: 3 }, ['export']],
  ['an incomplete subscription', { payment_behavior: 'default_incomplete' }, []],
])('%s gives %j', async (_case, params, expected) => {
  const given = await world();
  await given.stripe.products.createFeature(PRO, { entitlement_feature: given.feature });
  await subscribeTo(given, params);
  expect(await given.keys()).toEqual(expected);
});

test('a paused subscription keeps its entitlements', async () => {
  const given = await world();
  await given.stripe.products.createFeature(PRO, { entitlement_feature: given.feature });
  const { id } = await subscribeTo(given);
  await given.stripe.subscriptions.pause(id);
  expect(await given.keys()).toEqual(['export']);
});

test('features are listed by lookup key and archive', async () => {
  const { stripe, feature } = await world();
  const { id: old } = await stripe.entitlements.features.create({ lookup_key: 'old', name: 'Old' });
  await stripe.entitlements.features.update(old, { active: false, metadata: { a: '1' } });
  const ids = async (params: Stripe.Entitlements.FeatureListParams) =>
    (await stripe.entitlements.features.list(params)).data.map(({ id }) => id);
  expect(await ids({})).toEqual([old, feature]);
  expect(await ids({ archived: true })).toEqual([old]);
  expect(await ids({ lookup_key: 'export' })).toEqual([feature]);
  const attaching = stripe.products.createFeature(PRO, { entitlement_feature: old });
  expect(await stripeError(attaching)).toMatchObject({ param: 'entitlement_feature' });
});

test('a lookup key and a product take a feature once', async () => {
  const { stripe, feature } = await world();
  const again = stripe.entitlements.features.create({ lookup_key: 'export', name: 'Again' });
  expect(await stripeError(again)).toMatchObject({ param: 'lookup_key' });
  const attach = () => stripe.products.createFeature(PRO, { entitlement_feature: feature });
  const { id } = await attach();
  expect(await stripeError(attach())).toMatchObject({ param: 'entitlement_feature' });
  expect(await stripe.products.retrieveFeature(PRO, id)).toMatchObject({
    entitlement_feature: { id: feature, lookup_key: 'export' },
  });
  const { id: other } = await stripe.products.create({ name: 'Other' });
  expect(await stripeError(stripe.products.retrieveFeature(other, id))).toMatchObject({ statusCode: 404 });
});

test('an unknown feature, entitlement, customer or product is resource_missing', async () => {
  const { stripe } = await world();
  const missing = [
    stripe.entitlements.features.retrieve('feat_x'),
    stripe.entitlements.activeEntitlements.retrieve('ent_x'),
    stripe.entitlements.activeEntitlements.list({ customer: 'cus_x' }),
    stripe.products.listFeatures('prod_x'),
    stripe.products.createFeature(PRO, { entitlement_feature: 'feat_x' }),
  ];
  for (const call of missing) expect(await stripeError(call)).toMatchObject({ code: 'resource_missing' });
});
