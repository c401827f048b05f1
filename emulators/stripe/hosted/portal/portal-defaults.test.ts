import { expect, test } from 'vitest';
import { customerWith, PRO_MONTHLY, PRO_YEARLY, submit, subscribe, testStripe } from '../../testing.ts';
import type { TestStripe } from '../../testing.ts';

/**
 * Changes a subscription in the default portal. Its defaults are those of
 * https://docs.stripe.com/api/customer_portal/configurations/object
 *
 * @returns the totals of the invoices, the newest first
 */
async function change({ stripe }: TestStripe, id: string, price: string, quantity = '1'): Promise<number[]> {
  const { customer } = await stripe.subscriptions.retrieve(id);
  const { url } = await stripe.billingPortal.sessions.create({ customer: customer as string });
  expect((await submit(`${url}/subscriptions/${id}/update`, { price, quantity })).status).toBe(303);
  return (await stripe.invoices.list({ subscription: id })).data.map(({ total }) => total);
}

/** A subscription in its trial. */
async function inTrial(behavior?: 'continue_trial' | 'end_trial') {
  const world = await testStripe();
  const { stripe } = world;
  if (behavior !== undefined) {
    await stripe.billingPortal.configurations.update('bpc_local', {
      features: { subscription_update: { trial_update_behavior: behavior } },
    });
  }
  const { customer } = await customerWith(stripe, 'pm_card_visa');
  const items = [{ price: PRO_MONTHLY }];
  const { id } = await stripe.subscriptions.create({ customer, items, trial_period_days: 14 });
  return { world, stripe, id };
}

test('by default a change costs nothing before the renewal', async () => {
  const world = await testStripe();
  const { subscription } = await subscribe(world.stripe);
  expect(await change(world, subscription, PRO_MONTHLY, '3')).toEqual([1200]);
  await world.pass(32);
  const { data } = await world.stripe.invoices.list({ subscription });
  expect(data.map(({ total }) => total)).toEqual([3600, 1200]);
});

test.each([
  ['by default', undefined],
  ['if the configuration says so', 'end_trial'],
] as const)('a change ends a trial %s', async (_case, behavior) => {
  const { world, stripe, id } = await inTrial(behavior);
  expect(await change(world, id, PRO_YEARLY)).toEqual([12_000, 0]);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
});

test('a change during a trial costs nothing if the trial continues', async () => {
  const { world, stripe, id } = await inTrial('continue_trial');
  expect(await change(world, id, PRO_YEARLY)).toEqual([0]);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    status: 'trialing',
    items: { data: [{ price: { id: PRO_YEARLY } }] },
  });
});

test('an answer has the products of a configuration only if they are expanded', async () => {
  const { stripe, happened } = await testStripe();
  const { configurations } = stripe.billingPortal;
  const products = [{ product: 'prod_local_pro', prices: [PRO_MONTHLY, PRO_YEARLY] }];
  const path = 'features.subscription_update.products';
  const created = await configurations.create({
    features: { subscription_update: { enabled: true, default_allowed_updates: ['price'], products } },
  });
  const { id } = created;
  const listed = async (expand: string[]) => (await configurations.list({ expand })).data;
  const [event] = (await stripe.events.list({ type: 'billing_portal.configuration.created' })).data;
  for (const answer of [
    created,
    await configurations.retrieve(id),
    ...(await listed([])),
    event?.data.object,
  ]) {
    expect(answer).toHaveProperty('features.subscription_update.enabled', true);
    expect(answer).not.toHaveProperty(path);
  }
  const shown = { features: { subscription_update: { products } } };
  expect(await configurations.retrieve(id, { expand: [path] })).toMatchObject(shown);
  expect(await listed([`data.${path}`])).toMatchObject([
    shown,
    { features: { subscription_update: { products: null } } },
  ]);
  const { id: customer } = await stripe.customers.create();
  expect(
    await stripe.billingPortal.sessions.create({
      customer,
      configuration: id,
      expand: [`configuration.${path}`],
    }),
  ).toMatchObject({ configuration: shown });
  expect(await configurations.update(id, { name: 'Two', expand: [path] })).toMatchObject(shown);
  expect(await happened()).toContain('billing_portal.configuration.updated');
});
