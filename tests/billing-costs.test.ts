import type Stripe from 'stripe';
import { beforeAll, expect, test } from 'vitest';
import { makeReturnProof } from '../functions/src/billing/checkout/redirects/return-proof.service.ts';
import { syncContact } from '../functions/src/billing/customers/contacts/contact.service.ts';
import { reconcileBilling } from '../functions/src/billing/reconcile/reconcile.service.ts';
import { RUNNING } from '../functions/src/billing/subscriptions/status.ts';
import { loadHashFunction } from '../functions/src/personal-data/keyed-hash.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { buy, deliver, settled, stripeOf } from './support/billing.ts';
import { meterFirestore, type Cost, type MeteredFirestore } from './support/cost.ts';
import { adminFirestore, type Person } from './support/people.ts';
import { call, visit } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import { castOf } from './support/teams.ts';

/** The rows of billing in the table "Reads and writes by route" of docs/data-model.md. */
let firestore: MeteredFirestore;
let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  firestore = resources.use(await meterFirestore());
  // Only the tests send events of Stripe, so that each cost belongs to one request.
  app = resources.use(await serveApp({ webhooks: false, config: { trialDays: 14 } }));
  await loadHashFunction(app.backend.db, new Date());
});

interface Stage {
  owner: Person;
  teamId: string;
  /** The customer of the owner, or of the team. */
  customerId: string;
  /** Id of the Stripe customer, once it exists. */
  stripeCustomerId?: string;
  /** The part of a return URL that proves the customer. */
  provenQuery?: string;
}

type Prepare = (stage: Stage) => Promise<unknown>;
type Request = (stage: Stage) => Promise<Response>;

const ask =
  (path: (stage: Stage) => string): Request =>
  (stage) =>
    visit(`${app.url}/api/auth/${path(stage)}`, stage.owner.bearer);

const ofUser = (path: string) => ask(() => path);
const posts =
  (path: string, json: object): Request =>
  ({ owner }) =>
    call('POST', `${app.url}/api/auth/${path}`, { headers: owner.bearer, json });
const ofTeam = (path: string) => ask(({ teamId }) => `${path}?team=${teamId}`);
const nothing: Prepare = () => Promise.resolve();
const buys =
  (plan: string): Prepare =>
  ({ owner, customerId, teamId }) =>
    buy(app, owner, customerId === teamId ? `${plan}?team=${teamId}` : plan);

/** Looks up the data of the request, before the request is measured. */
const lookUp: Prepare = async (stage) => {
  const customer = await adminFirestore().doc(`customers/${stage.customerId}`).get();
  stage.stripeCustomerId = customer.get('stripeId') as string;
  stage.provenQuery = new URLSearchParams({
    ...(await makeReturnProof(app.backend, stage.customerId)),
  }).toString();
};

async function comeBack(
  { owner, stripeCustomerId = '' }: Stage,
  path = 'checkout/return?',
): Promise<Response> {
  const { data } = await stripeOf(app).checkout.sessions.list({ customer: stripeCustomerId });
  await call('DELETE', `${app.stripe.url}/_emulator/requests`);
  return visit(`${app.url}/api/auth/${path}session_id=${data[0]?.id ?? ''}`, owner.bearer);
}

const comeBackSignedOut: Request = (stage) => comeBack(stage, `return?${stage.provenQuery ?? ''}&`);

const leavesPortal: Request = ({ provenQuery = '' }) =>
  visit(`${app.url}/api/auth/portal/return?${provenQuery}`);

const leavesPortalAfterChange: Request = ({ provenQuery = '' }) =>
  visit(`${app.url}/api/auth/portal/return?${provenQuery}&changed=payment_method`);

/** Changes the card of the customer, and delivers the event. */
const deliversNewCard: Request = async ({ stripeCustomerId = '' }) => {
  const stripe = stripeOf(app);
  const { id } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: stripeCustomerId });
  await stripe.customers.update(stripeCustomerId, { invoice_settings: { default_payment_method: id } });
  const { data } = await stripe.events.list({ type: 'customer.updated', limit: 1 });
  await call('DELETE', `${app.stripe.url}/_emulator/requests`);
  await deliver(app, data[0] as Stripe.Event);
  return Response.json({});
};

/** Delivers an event of the customer whose name has changed, as after a contact sync. */
const deliversNewName: Request = async ({ stripeCustomerId = '' }) => {
  const stripe = stripeOf(app);
  await stripe.customers.update(stripeCustomerId, { name: 'New' });
  const { data } = await stripe.events.list({ type: 'customer.updated', limit: 1 });
  await call('DELETE', `${app.stripe.url}/_emulator/requests`);
  await deliver(app, data[0] as Stripe.Event);
  return Response.json({});
};

/** Delivers a new event of the subscription. */
const deliversEvent: Request = async ({ stripeCustomerId = '' }) => {
  const { data } = await stripeOf(app).subscriptions.list({ customer: stripeCustomerId });
  await call('DELETE', `${app.stripe.url}/_emulator/requests`);
  const type = 'customer.subscription.updated';
  await deliver(app, {
    id: `evt_${crypto.randomUUID()}`,
    object: 'event',
    type,
    data: { object: data[0] },
  });
  return Response.json({});
};

const syncedBefore =
  (plan: string): Prepare =>
  async (stage) => {
    await buys(plan)(stage);
    await lookUp(stage);
    await deliversEvent(stage);
    await settled(app);
  };

/** Counts the calls to Stripe by route. */
async function stripeCalls(): Promise<string> {
  const log = (await (await call('GET', `${app.stripe.url}/_emulator/requests`)).json()) as {
    counts: Record<string, number>;
  };
  return Object.entries(log.counts)
    .map(([route, count]) => `${count} ${route.replace('/v1/', '')}`)
    .sort()
    .join(', ');
}

const SESSION = '1 POST checkout/sessions';
const LISTS = '1 GET prices, 1 GET subscriptions';

const CASES: [what: string, of: 'user' | 'team', Prepare, Request, Partial<Cost>, stripe: string][] = [
  [
    'the first checkout',
    'user',
    nothing,
    ofUser('checkout/pro'),
    { reads: 9, writes: 7 },
    `1 GET customers, ${LISTS}, ${SESSION}, 1 POST customers`,
  ],
  [
    'a continued checkout',
    'user',
    ofUser('checkout/pro'),
    ofUser('checkout/pro'),
    { reads: 6, writes: 1 },
    `1 GET checkout/sessions/:id, ${LISTS}`,
  ],
  [
    'the first checkout of a team for each seat',
    'team',
    nothing,
    ofTeam('checkout/business'),
    { reads: 15, writes: 10 },
    `1 GET customers, ${LISTS}, ${SESSION}, 1 POST customers`,
  ],
  [
    'the first visit to the portal',
    'user',
    nothing,
    ofUser('portal'),
    { reads: 5, writes: 3 },
    '1 GET customers, 1 POST billing_portal/sessions, 1 POST customers',
  ],
  [
    "a team's later visit to the portal",
    'team',
    ofTeam('portal'),
    ofTeam('portal'),
    { reads: 5, writes: 2 },
    '1 POST billing_portal/sessions',
  ],
  [
    'reading the subscription',
    'user',
    syncedBefore('pro'),
    ofUser('subscription'),
    { reads: 3, writes: 1 },
    '1 GET subscriptions',
  ],
  [
    'a change of plan',
    'user',
    syncedBefore('pro'),
    posts('subscription/change', { plan: 'pro', interval: 'year' }),
    { reads: 8, writes: 3 },
    '1 GET prices, 1 GET subscriptions, 1 GET subscriptions/:id, 1 POST subscriptions/:id',
  ],
  [
    'a cancellation',
    'user',
    syncedBefore('pro'),
    posts('subscription/cancel', {}),
    { reads: 7, writes: 2 },
    '1 GET subscriptions, 1 GET subscriptions/:id, 1 POST subscriptions/:id',
  ],
  [
    'a page of invoices',
    'user',
    syncedBefore('pro'),
    ofUser('invoices'),
    { reads: 2, writes: 1 },
    '1 GET invoices',
  ],
  [
    'coming back from a payment',
    'user',
    buys('pro'),
    comeBack,
    { reads: 7, writes: 6 },
    '1 GET checkout/sessions/:id, 1 GET subscriptions/:id',
  ],
  [
    'coming back from a payment in a browser without a session',
    'user',
    buys('pro'),
    comeBackSignedOut,
    { reads: 8, writes: 6 },
    '1 GET checkout/sessions/:id, 1 GET subscriptions/:id',
  ],
  [
    'coming back from the portal',
    'user',
    syncedBefore('pro'),
    leavesPortal,
    { reads: 7, writes: 1 },
    '1 GET subscriptions/:id',
  ],
  [
    'coming back from the portal after a change of the card',
    'user',
    syncedBefore('pro'),
    leavesPortalAfterChange,
    { reads: 8, writes: 1 },
    '1 GET subscriptions, 1 GET subscriptions/:id',
  ],
  [
    'an event of a new card',
    'user',
    syncedBefore('pro'),
    deliversNewCard,
    { reads: 2 },
    '1 POST subscriptions/:id, 2 GET subscriptions',
  ],
  ['an event of a new name', 'user', syncedBefore('pro'), deliversNewName, {}, ''],
  [
    'the first event of a subscription',
    'user',
    buys('pro'),
    deliversEvent,
    { reads: 7, writes: 6 },
    '1 GET subscriptions/:id',
  ],
  [
    'an event without a change',
    'user',
    syncedBefore('pro'),
    deliversEvent,
    { reads: 5, writes: 1 },
    '1 GET subscriptions/:id',
  ],
  [
    'an event of a team without a change',
    'team',
    syncedBefore('business'),
    deliversEvent,
    { reads: 7, writes: 1 },
    '1 GET subscriptions/:id',
  ],
];

test.each(CASES)('%s of a %s', async (_what, of, prepare, request, cost, calls) => {
  const { owner, teamId } = await castOf(app.url);
  const stage = { owner, teamId, customerId: of === 'user' ? owner.uid : teamId };
  await prepare(stage);
  await lookUp(stage);
  await call('DELETE', `${app.stripe.url}/_emulator/requests`);
  await firestore.expectCost(() => request(stage), cost);
  expect(await stripeCalls()).toBe(calls);
});

test('syncing the seats after a member joined', async () => {
  const { owner, teamId, outsider } = await castOf(app.url);
  await syncedBefore('business')({ owner, teamId, customerId: teamId });
  await adminFirestore().doc(`teams/${teamId}/members/${outsider.uid}`).create({ uid: outsider.uid });
  await call('DELETE', `${app.stripe.url}/_emulator/requests`);
  const sync = async () => {
    await app.backend.enqueueSeatSync(teamId);
    await settled(app);
    return Response.json({});
  };
  await firestore.expectCost(sync, { reads: 9, writes: 3 });
  expect(await stripeCalls()).toBe('1 POST subscriptions/:id, 2 GET subscriptions/:id');
  await firestore.expectCost(sync, { reads: 4, writes: 2 });
});

test('a sync of the contact of a team', async () => {
  const { teamId, owner } = await castOf(app.url);
  await syncedBefore('business')({ owner, teamId, customerId: teamId });
  await adminFirestore().doc(`teams/${teamId}`).update({ name: 'Renamed' });
  await call('DELETE', `${app.stripe.url}/_emulator/requests`);
  const sync = async () => {
    await syncContact(app.backend, teamId);
    return Response.json({});
  };
  await firestore.expectCost(sync, { reads: 5, writes: 3 });
  await firestore.expectCost(sync, { reads: 4, writes: 2 });
  expect(await stripeCalls()).toBe('1 POST customers/:id');
});

type Status = (typeof RUNNING)[number];

test('a reconciliation without drift', async () => {
  await reconcileBilling(app.backend);
  await settled(app);
  const { docs } = await adminFirestore().collectionGroup('subscriptions').get();
  const teams = docs.filter((document) => document.get('role') === 'business');
  // For each subscription that is paid, the running subscriptions of its customer.
  const running = docs.filter((document) => RUNNING.includes(document.get('status') as Status));
  const paid = running.filter((document) =>
    ['active', 'trialing'].includes(document.get('status') as string),
  );
  const besides = paid.flatMap((one) => running.filter(({ ref }) => ref.parent.path === one.ref.parent.path));
  // The positions are four documents.
  const lists = 4 + 1 + 1 + 1 + 3 + 3 + 4 + 4;
  const reads = lists + 2 * docs.length + 3 * teams.length + besides.length;
  const run = async () => {
    await reconcileBilling(app.backend);
    return Response.json({});
  };
  await firestore.expectCost(run, { reads, writes: 4 });
});
