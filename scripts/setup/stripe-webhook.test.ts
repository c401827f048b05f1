import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { STRIPE_API_VERSION } from '../../functions/src/backend-clients.ts';
import { secretVersionsStep } from './steps/functions.ts';
import { ENDPOINT, markOf, webhookStep } from './steps/stripe-webhook.ts';
import { deployedWorld, isChange, type World } from './testing/world.ts';

const URL_OF_APP = 'https://app.example.com/api/webhooks/stripe';

/** A deployed world with its client of Stripe. */
async function worldWithStripe() {
  const world = await deployedWorld();
  const { stripe } = world.target;
  if (stripe === undefined) throw new Error('The world has no key of Stripe.');
  return { ...world, stripe };
}

const endpointsOf = async (stripe: Stripe) => (await stripe.webhookEndpoints.list()).data;

const secretsOf = ({ fake }: World) => fake.project.secrets.get('STRIPE_WEBHOOK_SECRET') ?? [];

/** Replaces the endpoint by one that has the version of the account, as those of the dashboard do. */
async function olderEndpoint(stripe: Stripe) {
  for (const { id } of await endpointsOf(stripe)) await stripe.webhookEndpoints.del(id);
  return stripe.webhookEndpoints.create({ enabled_events: ENDPOINT.enabled_events, url: URL_OF_APP });
}

test('an endpoint of another API version is replaced after the new secret is stored', async () => {
  const world = await worldWithStripe();
  const { stripe, run } = world;
  const old = await olderEndpoint(stripe);
  const text = `The webhook endpoint has the API version of the account, not ${STRIPE_API_VERSION}.`;
  expect((await run('check', [webhookStep])).todo).toEqual([text]);

  const { failures, changes } = await run('apply', [webhookStep]);
  expect({ failures, changes }).toEqual({ failures: [], changes: 1 });
  const after = await endpointsOf(stripe);
  expect(after).toMatchObject([{ url: URL_OF_APP, api_version: STRIPE_API_VERSION, status: 'enabled' }]);
  expect(after[0]?.id).not.toBe(old.id);
  expect(secretsOf(world)).toHaveLength(2);
  // The functions still have the old secret.
  expect((await run('check', [secretVersionsStep])).todo).toEqual([
    expect.stringMatching(/version 2 of the secret STRIPE_WEBHOOK_SECRET.*Deploy again/),
  ]);
});

test('an endpoint whose secret cannot be stored does not stay', async () => {
  const world = await worldWithStripe();
  const { stripe, fake, target, run } = world;
  const old = await olderEndpoint(stripe);
  const { google } = target;
  const post: typeof google.post = (path, body) =>
    path.endsWith(':addVersion') ? Promise.reject(new Error('No space.')) : google.post(path, body);
  Object.assign(target, { google: { ...google, post } });
  expect((await run('apply', [webhookStep])).failures).toEqual(['Webhook endpoint of Stripe: No space.']);
  expect((await endpointsOf(stripe)).map(({ id }) => id)).toEqual([old.id]);
  expect(fake.project.secrets.get('STRIPE_WEBHOOK_SECRET')).toHaveLength(1);
});

test('several endpoints for the app are replaced by one, because one secret is stored', async () => {
  const world = await worldWithStripe();
  const { stripe, run } = world;
  await stripe.webhookEndpoints.create({ ...ENDPOINT, url: URL_OF_APP });
  await stripe.webhookEndpoints.create({ ...ENDPOINT, url: 'https://other.example.com/hook' });
  expect((await run('check', [webhookStep])).todo).toEqual([
    expect.stringContaining('Stripe has 2 webhook endpoints for the app'),
  ]);
  await run('apply', [webhookStep]);
  expect((await endpointsOf(stripe)).map(({ url }) => url).toSorted()).toEqual([
    URL_OF_APP,
    'https://other.example.com/hook',
  ]);
  expect(secretsOf(world)).toHaveLength(2);
});

test.each<[name: string, changes: Stripe.WebhookEndpointUpdateParams, problem: string]>([
  ['is disabled', { disabled: true }, 'The webhook endpoint is disabled.'],
  ['lacks events', { enabled_events: ['invoice.paid'] }, 'The webhook endpoint lacks the events charge.'],
  ['has another address', { url: 'https://old.example.com/hook' }, `Stripe sends nothing to ${URL_OF_APP}.`],
])('the doctor sees an endpoint that %s', async (_name, changes, problem) => {
  const { stripe, fake, run } = await worldWithStripe();
  const [endpoint] = await endpointsOf(stripe);
  await stripe.webhookEndpoints.update(endpoint?.id ?? '', changes);
  fake.seen.length = 0;
  const { todo } = await run('check', [webhookStep]);
  expect(todo).toEqual([expect.stringContaining(problem)]);
  expect(todo[0]).toContain('npm run admin -- events recover <since> --project acme-1');
  expect(fake.seen.filter(isChange)).toEqual([]);
});

test('an endpoint that gets every event is complete', async () => {
  const { stripe, run } = await worldWithStripe();
  const [endpoint] = await endpointsOf(stripe);
  await stripe.webhookEndpoints.update(endpoint?.id ?? '', { enabled_events: ['*'] });
  expect((await run('check', [webhookStep])).todo).toEqual([]);
});

test('an endpoint is replaced after the secret of another one was stored', async () => {
  const world = await worldWithStripe();
  const { stripe, fake, run } = world;
  const [before] = await endpointsOf(stripe);
  // Such as the endpoint of Stripe's other mode.
  fake.project.secrets.get('STRIPE_WEBHOOK_SECRET')?.push('whsec_other');
  expect((await run('check', [webhookStep])).todo).toEqual([
    expect.stringMatching(
      /^The stored STRIPE_WEBHOOK_SECRET is not that of the webhook endpoint for the app\. If /,
    ),
  ]);
  expect((await run('apply', [webhookStep])).changes).toBe(1);
  const after = await endpointsOf(stripe);
  expect(after).toMatchObject([{ url: URL_OF_APP, metadata: markOf(secretsOf(world)[2]) }]);
  expect(after[0]?.id).not.toBe(before?.id);
});

test('an endpoint is replaced if a set-up ended before it stored the secret', async () => {
  const { stripe, run } = await worldWithStripe();
  for (const { id } of await endpointsOf(stripe)) await stripe.webhookEndpoints.del(id);
  const { id } = await stripe.webhookEndpoints.create({ ...ENDPOINT, url: URL_OF_APP, metadata: markOf() });
  expect((await run('apply', [webhookStep])).changes).toBe(1);
  expect((await endpointsOf(stripe)).map((one) => one.id)).not.toContain(id);
});

describe('an endpoint without a mark, as earlier versions made it', () => {
  /** A world with such an endpoint for APP_URL. */
  async function worldWithoutMark() {
    const world = await worldWithStripe();
    const [endpoint] = await endpointsOf(world.stripe);
    await world.stripe.webhookEndpoints.update(endpoint?.id ?? '', { metadata: '' });
    return { ...world, id: endpoint?.id };
  }

  test('stays, and a note says that its secret is not known', async () => {
    const { stripe, run, id } = await worldWithoutMark();
    const { changes, todo, lines } = await run('apply', [webhookStep]);
    expect({ changes, todo }).toEqual({ changes: 0, todo: [] });
    expect(lines.join('\n')).toContain(
      'note: It cannot be known whether the stored STRIPE_WEBHOOK_SECRET is that of the webhook endpoint.',
    );
    expect((await endpointsOf(stripe)).map((one) => one.id)).toEqual([id]);
  });

  test('is replaced if the stored secret is known to be that of another endpoint', async () => {
    const { stripe, target, run, id } = await worldWithoutMark();
    Object.assign(target, { appUrl: 'https://acme-1.web.app' });
    await run('apply', [webhookStep]);
    Object.assign(target, { appUrl: 'https://app.example.com' });
    expect((await run('apply', [webhookStep])).changes).toBe(1);
    expect((await endpointsOf(stripe)).map((one) => one.id)).not.toContain(id);
  });

  test('may be the one without deliveries, so a person decides which endpoint is deleted', async () => {
    const { stripe, run } = await worldWithoutMark();
    await stripe.webhookEndpoints.create({ ...ENDPOINT, url: 'https://acme-1.web.app/api/webhooks/stripe' });
    const { changes, todo } = await run('apply', [webhookStep]);
    expect({ changes, todo }).toEqual({
      changes: 0,
      todo: [
        expect.stringMatching(/The functions know the secret of one .* delete the one whose deliveries fail/),
      ],
    });
  });
});

describe('after a change of APP_URL', () => {
  const REFUSED =
    /^Stripe also sends every event to https:\/\/acme-1\.web\.app\/api\/webhooks\/stripe\..* Delete the/;

  test('the endpoint of a host of the app is reported, and stays for a person', async () => {
    const world = await worldWithStripe();
    const { stripe, target, run } = world;
    Object.assign(target, { appUrl: 'https://acme-1.web.app' });
    await run('apply', [webhookStep]);
    Object.assign(target, { appUrl: 'https://app.example.com' });
    const { changes, todo } = await run('apply', [webhookStep]);
    expect({ changes, todo }).toEqual({ changes: 1, todo: [expect.stringMatching(REFUSED)] });
    const endpoints = await endpointsOf(stripe);
    expect(endpoints.map(({ url }) => url).toSorted()).toEqual([
      'https://acme-1.web.app/api/webhooks/stripe',
      URL_OF_APP,
    ]);
    // The stored secret is that of the endpoint for APP_URL again.
    const ofApp = endpoints.find(({ url }) => url === URL_OF_APP);
    expect(ofApp?.metadata).toEqual(markOf(secretsOf(world).at(-1)));
    expect((await run('apply', [webhookStep])).changes).toBe(0);
  });

  test('the doctor sees that the stored secret is that of the former endpoint', async () => {
    const { target, run } = await worldWithStripe();
    Object.assign(target, { appUrl: 'https://acme-1.web.app' });
    await run('apply', [webhookStep]);
    Object.assign(target, { appUrl: 'https://app.example.com' });
    expect((await run('check', [webhookStep])).todo[0]).toBe(
      'The stored STRIPE_WEBHOOK_SECRET is not that of the webhook endpoint for the app, but of https://acme-1.web.app/api/webhooks/stripe.',
    );
  });

  test('the endpoint of a host that the project does not have any more is a note', async () => {
    const { target, run } = await worldWithStripe();
    Object.assign(target, { appUrl: 'https://new.example.com' });
    const { todo, lines } = await run('apply', [webhookStep]);
    expect(todo).toEqual([]);
    expect(lines.join('\n')).toContain(
      `note: Stripe also sends every event to ${URL_OF_APP}. If this was an APP_URL`,
    );
  });

  test.each<[what: string, change: object]>([
    ['a disabled endpoint', { disabled: true }],
    ['an endpoint that a person made', { description: 'Mine' }],
    ['an endpoint of another service', { url: 'https://acme-1.web.app/hook' }],
  ])('%s is not reported', async (_what, change) => {
    const { stripe, run } = await worldWithStripe();
    const url = 'https://acme-1.web.app/api/webhooks/stripe';
    const { id } = await stripe.webhookEndpoints.create({ ...ENDPOINT, url });
    expect((await run('check', [webhookStep])).todo).toHaveLength(1);
    await stripe.webhookEndpoints.update(id, change);
    const { todo, lines } = await run('check', [webhookStep]);
    expect(todo).toEqual([]);
    expect(lines.join('\n')).not.toContain('also sends');
  });
});
