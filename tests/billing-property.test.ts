import fc from 'fast-check';
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcileBilling } from '../functions/src/billing/reconcile/reconcile.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import {
  buy,
  claimsOf,
  deliver,
  settled,
  stripeOf,
  subscriptionOf,
  type Mirrored,
} from './support/billing.ts';
import { meterFirestore, type MeteredFirestore } from './support/cost.ts';
import { expectedSubscription, inSeconds } from './support/expected-subscription.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { addMember, castOf, membersOf } from './support/teams.ts';

/** A Firestore of its own, because the reconciliation stores its position in it. */
let firestore: MeteredFirestore;
beforeAll(async () => {
  firestore = await meterFirestore();
});
afterAll(() => firestore[Symbol.asyncDispose]());

/** A user and a team who pay, and what becomes of their subscriptions. */
interface Life {
  app: AppUnderTest;
  person: Person;
  teamId: string;
}

type Step = (life: Life) => Promise<unknown>;

const change =
  (customerOf: (life: Life) => string, params: Stripe.SubscriptionUpdateParams): Step =>
  async (life) => {
    const { id } = await subscriptionOf(life.app, customerOf(life));
    return stripeOf(life.app).subscriptions.update(id, params);
  };

const userOf = ({ person }: Life) => person.uid;
const teamOf = ({ teamId }: Life) => teamId;

const endTrial = (customerOf: (life: Life) => string) => change(customerOf, { trial_end: 'now' });

const upgrade: Step = async (life) => {
  const { id, items } = await subscriptionOf(life.app, userOf(life));
  const item = { id: items.data[0]?.id ?? '', price: 'price_hearth_business_month' };
  return stripeOf(life.app).subscriptions.update(id, { items: [item] });
};

const join: Step = async ({ teamId }) => addMember(teamId, await signUp(), 'member');

const cancel =
  (customerOf: (life: Life) => string): Step =>
  async (life) =>
    stripeOf(life.app).subscriptions.cancel((await subscriptionOf(life.app, customerOf(life))).id);

/** In this order; a life may end after any of them. At first both are in their trial. */
const STEPS: readonly Step[] = [
  endTrial(teamOf),
  upgrade,
  join,
  change(userOf, { cancel_at_period_end: true }),
  change(teamOf, { cancel_at_period_end: true }),
  change(userOf, { cancel_at_period_end: false }),
  join,
  endTrial(userOf),
  cancel(teamOf),
  cancel(userOf),
];

async function begin(trialDays: number): Promise<Life & AsyncDisposable> {
  const app = await serveApp({ webhooks: false, config: { trialDays } });
  const { teamId, owner } = await castOf(app.url);
  const person = await signUp();
  await buy(app, person, 'pro');
  await buy(app, owner, `business?team=${teamId}`);
  return { app, person, teamId, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

/** Oldest first. */
async function eventsOf(app: AppUnderTest): Promise<Stripe.Event[]> {
  const { data } = await stripeOf(app).events.list({ limit: 100 });
  return data.reverse();
}

const isPaid = ({ status }: Mirrored) => status === 'active' || status === 'trialing';

/** Mirror, claims, plan of the team and seats are what Stripe has. */
async function expectTrue({ app, person, teamId }: Life): Promise<void> {
  const [ofUser, ofTeam] = [await expectMirrored(app, person.uid), await expectMirrored(app, teamId)];
  const plan = isPaid(ofUser) ? ofUser.role : undefined;
  expect(await claimsOf(person)).toEqual(plan === undefined ? {} : { plan, stripeRole: plan });
  const team = await adminFirestore().doc(`teams/${teamId}`).get();
  expect(team.data()).toMatchObject(
    isPaid(ofTeam)
      ? { plan: 'business', seatLimit: 100, subscribed: true, seatsBilled: true }
      : { plan: 'free', seatLimit: 3, subscribed: false, seatsBilled: false },
  );
  if (isPaid(ofTeam)) expect(ofTeam.quantity).toBe((await membersOf(teamId)).length);
}

/** The one mirrored subscription has every field as Stripe has it. */
async function expectMirrored(app: AppUnderTest, customerId: string): Promise<Mirrored> {
  const { docs } = await adminFirestore().collection(`customers/${customerId}/subscriptions`).get();
  const { id } = await subscriptionOf(app, customerId);
  const subscription = await stripeOf(app).subscriptions.retrieve(id, { expand: ['latest_invoice'] });
  expect(docs.map((document) => [document.id, inSeconds(document.data())])).toEqual([
    [id, expectedSubscription(subscription)],
  ]);
  return { id, ...docs[0]?.data() } as Mirrored;
}

const howLong = fc.integer({ min: 0, max: STEPS.length });

test('a history of subscriptions ends in the same state in any order of its events, also if some are repeated', async () => {
  await fc.assert(
    fc.asyncProperty(
      howLong,
      fc.noShrink(fc.array(fc.nat(), { minLength: 200, maxLength: 200 })),
      fc.boolean(),
      async (steps, ranks, atOnce) => {
        await using life = await begin(7);
        for (const step of STEPS.slice(0, steps)) await step(life);
        const events = await eventsOf(life.app);
        const doubled = [...events, ...events.filter((_, index) => (ranks[index + 100] ?? 0) % 3 === 0)];
        const shuffled = doubled
          .map((event, index) => ({ event, rank: ranks[index] ?? 0 }))
          .sort((a, b) => a.rank - b.rank);
        const send = ({ event }: { event: Stripe.Event }) => deliver(life.app, event);
        if (atOnce) await Promise.all(shuffled.map(send));
        else for (const one of shuffled) await send(one);
        await settled(life.app);
        await expectTrue(life);
      },
    ),
    { numRuns: 10 },
  );
});

test('after a reconciliation the state is the same, whatever events were lost, early, late or repeated', async () => {
  const deliveries = fc.array(fc.record({ after: howLong, pick: fc.nat() }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(howLong, deliveries, async (steps, plan) => {
      await using life = await begin(7);
      for (let done = 0; done <= steps; done++) {
        if (done > 0) await STEPS[done - 1]?.(life);
        const events = await eventsOf(life.app);
        for (const { pick } of plan.filter(({ after }) => after === done)) {
          const event = events[pick % events.length];
          if (event !== undefined) await deliver(life.app, event);
        }
      }
      await reconcileBilling(life.app.backend);
      await settled(life.app);
      await expectTrue(life);
    }),
    { numRuns: 10 },
  );
});

test('every permutation of the events of a subscription ends in the same state, also if some are lost', async () => {
  await using life = await begin(0);
  const { app, person } = life;
  for (const step of [upgrade, cancel(userOf)]) await step(life);
  const events = (await eventsOf(app)).filter(
    ({ type, data }) =>
      type.startsWith('customer.subscription.') &&
      (data.object as { metadata?: Stripe.Metadata }).metadata?.['firebaseUID'] === person.uid,
  );
  expect(events.map(({ type }) => type.split('.')[2])).toEqual([
    'created',
    ...Array<string>(2).fill('updated'),
    'deleted',
  ]);
  let round = 0;
  for (const order of permutations(events)) {
    round += 1;
    const { docs } = await adminFirestore().collection(`customers/${person.uid}/subscriptions`).get();
    for (const { ref } of docs) await ref.delete();
    const lost = round % events.length;
    for (const [index, event] of order.entries()) {
      if (index !== lost) await deliver(app, { ...event, id: `${event.id}_${round}` });
    }
    const mirrored = await expectMirrored(app, person.uid);
    expect([mirrored.status, mirrored.role]).toEqual(['canceled', 'business']);
  }
  expect(round).toBe(24);
});

function* permutations<Item>(items: readonly Item[]): Generator<Item[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(index, 1))) yield [item, ...rest];
  }
}
