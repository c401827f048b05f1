import { FieldValue, type DocumentReference } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { COMP_ID, compPlan, endComp } from '../functions/src/billing/grants/comp.service.ts';
import { reconcileBilling } from '../functions/src/billing/reconcile/reconcile.service.ts';
import { syncSeats } from '../functions/src/billing/subscriptions/sync/seats.service.ts';
import { DamagedDocument } from '../functions/src/firestore/damage.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import {
  buy,
  checkout,
  claimsOf,
  deliver,
  subscriptionCopiesOf,
  pay,
  settled,
  stripeOf,
  subscriptionOf,
} from './support/billing.ts';
import { meterFirestore } from './support/cost.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call, locationOf } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import { addMember, castOf } from './support/teams.ts';

/** The logger uses the functions that the console has when it is loaded, so errors are watched before. */
const { errors } = vi.hoisted(() => {
  const errors: string[] = [];
  console.error = (line: string) => {
    errors.push(line);
  };
  return { errors };
});

/** Gets no events from Stripe but those that the tests deliver. */
let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  // Own Firestore, because the reconciliation stores its cursor there.
  resources.use(await meterFirestore());
  app = resources.use(await serveApp({ webhooks: false, config: { trialDays: 7 } }));
});
beforeEach(() => adminFirestore().doc('sweeps/billing').delete());

const document = (path: string) => adminFirestore().doc(path);
const dataOf = async (path: string) => (await document(path).get()).data() ?? {};
const reference = () => document('elsewhere/document');
const missing = () => FieldValue.delete();

/** Writes damaged fields into an intact document. */
type Damage = [what: string, fields: () => Record<string, unknown>];

const reconcile = async () => {
  await reconcileBilling(app.backend);
  await settled(app);
};

/** The processed events are in Firestore, so every event needs an id of its own. */
const newEvent = (type: string, object: object) => ({
  id: `evt_${crypto.randomUUID()}`,
  object: 'event',
  type,
  data: { object },
});

/** Delivers an event of a subscription, and expects that Stripe does not send it again. */
async function hear(subscription: Stripe.Subscription): Promise<string> {
  const event = newEvent('customer.subscription.updated', subscription);
  await deliver(app, event);
  await settled(app);
  return event.id;
}

/** Buys a plan, of which we have the copy afterwards. */
async function subscribe(person: Person, slugAndQuery: string, customerId = person.uid) {
  await buy(app, person, slugAndQuery);
  const subscription = await subscriptionOf(app, customerId);
  await hear(subscription);
  return subscription;
}

const copyOf = (customerId: string, { id }: { id: string }): DocumentReference =>
  document(`customers/${customerId}/subscriptions/${id}`);

const pathsInLog = () => errors.map((line) => (JSON.parse(line) as { path?: string }).path);

describe.each<Damage>([
  [
    'the shape of the Stripe extension: references, and items of another shape',
    () => ({
      price: reference(),
      product: reference(),
      prices: [reference()],
      items: [{ price: { id: 'p' } }],
    }),
  ],
  ['no items', () => ({ items: missing() })],
  ['a text in created', () => ({ created: 'yesterday' })],
  ['a number in role', () => ({ role: 1 })],
])('the copy of a subscription with %s', (_what, fields) => {
  test.each<[how: string, repair: (subscription: Stripe.Subscription) => Promise<unknown>]>([
    ['by its next event', hear],
    ['by a reconciliation', reconcile],
  ])('is replaced %s', async (_how, repair) => {
    const person = await signUp();
    const subscription = await subscribe(person, 'pro');
    const copy = copyOf(person.uid, subscription);
    const intact = await dataOf(copy.path);
    await copy.update(fields());
    await repair(subscription);
    // Stripe renders another URL of the invoice in each answer.
    const invoice = {
      ...(intact['latest_invoice'] as object),
      hosted_invoice_url: expect.any(String) as string,
    };
    expect(await dataOf(copy.path)).toEqual({ ...intact, latest_invoice: invoice });
    expect(await claimsOf(person)).toEqual({ plan: 'pro', stripeRole: 'pro' });
  });

  test('costs the customer no plan when another subscription is synced', async () => {
    const person = await signUp();
    const best = await subscribe(person, 'business');
    const other = await stripeOf(app).subscriptions.create({
      customer: best.customer as string,
      items: [{ price: 'price_hearth_pro_month' }],
      trial_period_days: 7,
    });
    await copyOf(person.uid, best).update(fields());
    await hear(other);
    expect(await dataOf(`customers/${person.uid}`)).toMatchObject({ plan: 'business' });
    expect(await claimsOf(person)).toMatchObject({ plan: 'business' });
  });

  test('does not stop the seats of a team', async () => {
    const { teamId, owner, outsider } = await castOf(app.url);
    const subscription = await subscribe(owner, `business?team=${teamId}`, teamId);
    await copyOf(teamId, subscription).update(fields());
    await addMember(teamId, outsider, 'member');
    await syncSeats(app.backend, teamId);
    expect(await subscriptionCopiesOf(teamId)).toMatchObject([{ role: 'business', quantity: 4 }]);
  });
});

describe('a granted plan beside a subscription', () => {
  const until = new Date(Date.now() + 30 * 86_400_000);
  const give = ({ uid, email }: Person, plan: string) =>
    compPlan(
      app.backend,
      { customerId: uid, type: 'user', email, name: null },
      { planSlug: plan, until },
      () => undefined,
    );
  const planOf = async ({ uid }: Person): Promise<unknown> => (await dataOf(`customers/${uid}`))['plan'];

  test('is not taken away if it is damaged when the subscription ends', async () => {
    const person = await signUp();
    const subscription = await subscribe(person, 'pro');
    await give(person, 'business');
    const comp = copyOf(person.uid, { id: COMP_ID });
    const intact = await dataOf(comp.path);
    await comp.update({ created: 'yesterday' });
    await hear(await stripeOf(app).subscriptions.cancel(subscription.id));
    expect(await planOf(person)).toBe('business');
    expect(await claimsOf(person)).toMatchObject({ plan: 'business' });
    expect(pathsInLog()).toContain(comp.path);
    expect(await dataOf(copyOf(person.uid, subscription).path)).toMatchObject({ status: 'trialing' });

    await comp.set(intact);
    await reconcile();
    expect(await planOf(person)).toBe('business');
    expect(await dataOf(copyOf(person.uid, subscription).path)).toMatchObject({ status: 'canceled' });
  });

  test('can be given again if it is damaged', async () => {
    const person = await signUp();
    await give(person, 'business');
    await copyOf(person.uid, { id: COMP_ID }).update({ created: 'yesterday' });
    await give(person, 'pro');
    expect(await planOf(person)).toBe('pro');
  });

  test('neither begins nor ends while the copy of the subscription is damaged', async () => {
    const person = await signUp();
    const subscription = await subscribe(person, 'business');
    await give(person, 'pro');
    await copyOf(person.uid, subscription).update({ created: 'yesterday' });
    await expect(give(person, 'pro')).rejects.toThrow(DamagedDocument);
    await expect(endComp(app.backend, person.uid, () => undefined)).rejects.toThrow(DamagedDocument);
    expect(await planOf(person)).toBe('business');
    await reconcile();
    expect(await endComp(app.backend, person.uid, () => undefined)).toBe(true);
    expect(await planOf(person)).toBe('business');
  });
});

test('fields of another program in the copy of a subscription are harmless', async () => {
  const person = await signUp();
  const subscription = await subscribe(person, 'pro');
  const copy = copyOf(person.uid, subscription);
  await copy.update({ theirs: reference(), note: 'of a person' });
  await hear(subscription);
  await reconcile();
  expect(await dataOf(copy.path)).toMatchObject({ status: 'trialing', note: 'of a person' });
});

/** Damage to the documents that a sync needs and does not replace. */
describe.each<[collection: 'customers' | 'teams', ...Damage]>([
  ['customers', 'no type, as the Stripe extension writes it', () => ({ type: missing() })],
  ['customers', 'a reference in plan', () => ({ plan: reference() })],
  ['customers', 'a text in creationKeyAt', () => ({ creationKeyAt: 'yesterday' })],
  ['teams', 'a text in seatLimit', () => ({ seatLimit: 'three' })],
  ['teams', 'no name', () => ({ name: missing() })],
])('a document in %s with %s', (collection, _what, fields) => {
  /** Ends the subscription of a team at Stripe, while its document is damaged. */
  async function cancelDamaged() {
    const { teamId, owner } = await castOf(app.url);
    const subscription = await subscribe(owner, `pro?team=${teamId}`, teamId);
    const path = `${collection}/${teamId}`;
    const intact = await dataOf(path);
    await document(path).update(fields());
    const cancelled = await stripeOf(app).subscriptions.cancel(subscription.id);
    const repair = () => document(path).set(intact);
    return { teamId, path, cancelled, repair, damaged: await dataOf(path) };
  }

  const statusesOf = async (customerId: string) =>
    (await subscriptionCopiesOf(customerId)).map(({ status }) => status);

  test('is left as it is by its events, which Stripe does not repeat, until a reconciliation after its repair', async () => {
    const { teamId, path, cancelled, repair, damaged } = await cancelDamaged();
    const eventId = await hear(cancelled);
    expect(await dataOf(path)).toEqual(damaged);
    expect(await statusesOf(teamId)).toEqual(['trialing']);
    expect((await document(`stripeEvents/${eventId}`).get()).exists).toBe(false);

    await repair();
    await reconcile();
    expect(await statusesOf(teamId)).toEqual(['canceled']);
    expect(await dataOf(`teams/${teamId}`)).toMatchObject({ plan: 'free', hasRunningSubscription: false });
  });

  test('does not end a reconciliation for others', async () => {
    const others = [await signUp(), await signUp()] as const;
    await buy(app, others[0], 'pro');
    const { path, damaged } = await cancelDamaged();
    await buy(app, others[1], 'pro');
    await reconcile();
    expect(await dataOf(path)).toEqual(damaged);
    for (const { uid } of others) expect(await statusesOf(uid)).toEqual(['trialing']);
  });

  test('does not fail the task that syncs seats', async () => {
    const { teamId, path, repair } = await cancelDamaged();
    await expect(syncSeats(app.backend, teamId)).resolves.toBeUndefined();
    if (collection === 'customers') expect(pathsInLog()).toContain(path);
    await repair();
  });
});

test('a team whose document is damaged while its plan is paid gets the plan after the repair', async () => {
  const { teamId, owner } = await castOf(app.url);
  const page = locationOf(await checkout(app, owner, `business?team=${teamId}`));
  const intact = await dataOf(`teams/${teamId}`);
  await document(`teams/${teamId}`).update({ name: missing() });
  expect((await pay(app, page)).status).toBe(303);
  await hear(await subscriptionOf(app, teamId));
  await reconcile();
  expect(await subscriptionCopiesOf(teamId)).toEqual([]);

  await document(`teams/${teamId}`).set(intact);
  await reconcile();
  expect(await subscriptionCopiesOf(teamId)).toMatchObject([{ role: 'business', quantity: 3 }]);
  expect(await dataOf(`teams/${teamId}`)).toMatchObject({ plan: 'business', hasRunningSubscription: true });
});

test('a team that was repaired with a wrong plan gets its plan by a reconciliation', async () => {
  const { teamId, owner } = await castOf(app.url);
  await subscribe(owner, `pro?team=${teamId}`, teamId);
  await document(`teams/${teamId}`).update({ plan: 'free' });
  await reconcile();
  expect(await dataOf(`teams/${teamId}`)).toMatchObject({ plan: 'pro' });
});

test('the log names the damaged team that stopped a sync', async () => {
  const { teamId, owner } = await castOf(app.url);
  const subscription = await subscribe(owner, `pro?team=${teamId}`, teamId);
  await document(`teams/${teamId}`).update({ plan: missing() });
  await hear(subscription);
  expect(pathsInLog()).toContain(`teams/${teamId}`);
});

describe('a trial', () => {
  test.each<Damage>([
    ['a reference in customerId', () => ({ customerId: reference() })],
    ['no time of its reservation', () => ({ reservedAt: missing() })],
  ])('with %s is no second one, and the customer can buy', async (_what, fields) => {
    const person = await signUp();
    await document(`trials/${person.uid}`).set({ customerId: person.uid, reservedAt: new Date() });
    await document(`trials/${person.uid}`).update(fields());
    const { status } = await subscribe(person, 'pro');
    expect(status).toBe('active');
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'active' }]);
  });

  test('that is damaged after the checkout is written anew when it begins', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    const trial = document(`trials/${person.uid}`);
    await trial.update({ reservedAt: 'soon' });
    const subscription = await subscriptionOf(app, person.uid);
    await hear(subscription);
    expect(subscription.status).toBe('trialing');
    const startedAt = new Date((subscription.trial_start ?? 0) * 1000);
    const stored = await app.backend.db.trials.get(person.uid);
    expect(stored).toEqual({ customerId: person.uid, reservedAt: startedAt, usedAt: startedAt });
  });
});

describe.each<[collection: string, path: string, ...Damage]>([
  ['products', 'products/prod_hearth_pro', 'no name', () => ({ name: missing() })],
  ['products', 'products/prod_hearth_pro', 'a reference in images', () => ({ images: [reference()] })],
  [
    'prices',
    'products/prod_hearth_pro/prices/price_hearth_pro_month',
    'a text in unit_amount',
    () => ({ unit_amount: '12' }),
  ],
  [
    'prices',
    'products/prod_hearth_pro/prices/price_hearth_pro_month',
    'a reference in product',
    () => ({ product: reference() }),
  ],
])('a document in %s (%s) with %s', (collection, path, _what, fields) => {
  test.each<[how: string, repair: () => Promise<unknown>]>([
    ['a reconciliation', reconcile],
    [
      'its next event',
      () => {
        const id = document(path).id;
        const price = { object: 'price', id, product: 'prod_hearth_pro' };
        return collection === 'prices'
          ? deliver(app, newEvent('price.updated', price))
          : deliver(app, newEvent('product.updated', { object: 'product', id }));
      },
    ],
  ])('is replaced by %s', async (_how, repair) => {
    await reconcile();
    const intact = await dataOf(path);
    await document(path).update(fields());
    await repair();
    expect(await dataOf(path)).toEqual(intact);
  });

  test('does not hide the plans', async () => {
    await reconcile();
    await document(path).update(fields());
    await using other = await serveApp();
    const response = await call('GET', `${other.url}/api/auth/plans`);
    const { plans } = (await response.json()) as { plans: object[] };
    expect(plans[1]).toMatchObject({ slug: 'pro', prices: { month: { unitAmount: 1200 } } });
  });
});

test('an event whose record is damaged is not processed again', async () => {
  const person = await signUp();
  const subscription = await subscribe(person, 'pro');
  const event = newEvent('customer.subscription.updated', subscription);
  await document(`stripeEvents/${event.id}`).set({ type: reference() });
  await copyOf(person.uid, subscription).delete();
  await deliver(app, event);
  expect(await subscriptionCopiesOf(person.uid)).toEqual([]);
});

test.each<[what: string, cursor: () => Record<string, unknown>]>([
  ['of an unknown list', () => ({ list: 'gone', after: 'sub_1' })],
  ['with a reference', () => ({ list: reference() })],
  ['with a number', () => ({ list: 'subscriptions', after: 7 })],
])('a cursor %s lets a reconciliation start from the beginning', async (_what, cursor) => {
  const person = await signUp();
  await buy(app, person, 'pro');
  await document('sweeps/billing').set(cursor());
  await reconcile();
  expect(await subscriptionCopiesOf(person.uid)).toHaveLength(1);
});
