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
  type SubscriptionCopy,
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

/** A user and a team with a subscription each. */
interface History {
  app: AppUnderTest;
  person: Person;
  teamId: string;
}

type Step = (history: History) => Promise<unknown>;

const change =
  (customerOf: (history: History) => string, params: Stripe.SubscriptionUpdateParams): Step =>
  async (history) => {
    const { id } = await subscriptionOf(history.app, customerOf(history));
    return stripeOf(history.app).subscriptions.update(id, params);
  };

const userOf = ({ person }: History) => person.uid;
const teamOf = ({ teamId }: History) => teamId;

const endTrial = (customerOf: (history: History) => string) => change(customerOf, { trial_end: 'now' });

const upgrade: Step = async (history) => {
  const { id, items } = await subscriptionOf(history.app, userOf(history));
  const item = { id: items.data[0]?.id ?? '', price: 'price_hearth_business_month' };
  return stripeOf(history.app).subscriptions.update(id, { items: [item] });
};

const join: Step = async ({ teamId }) => addMember(teamId, await signUp(), 'member');

const cancel =
  (customerOf: (history: History) => string): Step =>
  async (history) =>
    stripeOf(history.app).subscriptions.cancel((await subscriptionOf(history.app, customerOf(history))).id);

/** The steps of a history, in this order. A history may end after any step. Both subscriptions start in their trial. */
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

async function begin(trialDays: number): Promise<History & AsyncDisposable> {
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

const isPaid = ({ status }: SubscriptionCopy) => status === 'active' || status === 'trialing';

/** Our copies, the claims, the plan of the team and its seats agree with Stripe. */
async function expectAgreement({ app, person, teamId }: History): Promise<void> {
  const [ofUser, ofTeam] = [await expectCopy(app, person.uid), await expectCopy(app, teamId)];
  const plan = isPaid(ofUser) ? ofUser.role : undefined;
  expect(await claimsOf(person)).toEqual(plan === undefined ? {} : { plan, stripeRole: plan });
  const team = await adminFirestore().doc(`teams/${teamId}`).get();
  expect(team.data()).toMatchObject(
    isPaid(ofTeam)
      ? { plan: 'business', seatLimit: 100, hasRunningSubscription: true, billingDependsOnMembers: true }
      : { plan: 'free', seatLimit: 3, hasRunningSubscription: false, billingDependsOnMembers: false },
  );
  if (isPaid(ofTeam)) expect(ofTeam.quantity).toBe((await membersOf(teamId)).length);
}

/** Our copy of the one subscription has every field as Stripe has it. */
async function expectCopy(app: AppUnderTest, customerId: string): Promise<SubscriptionCopy> {
  const { docs } = await adminFirestore().collection(`customers/${customerId}/subscriptions`).get();
  const { id } = await subscriptionOf(app, customerId);
  const subscription = await stripeOf(app).subscriptions.retrieve(id, { expand: ['latest_invoice'] });
  expect(docs.map((document) => [document.id, inSeconds(document.data())])).toEqual([
    [id, expectedSubscription(subscription)],
  ]);
  return { id, ...docs[0]?.data() } as SubscriptionCopy;
}

const stepCount = fc.integer({ min: 0, max: STEPS.length });

test('a history of subscriptions ends in the same state in any order of its events, also if some are repeated', async () => {
  await fc.assert(
    fc.asyncProperty(
      stepCount,
      fc.noShrink(fc.array(fc.nat(), { minLength: 200, maxLength: 200 })),
      fc.boolean(),
      async (steps, ranks, atOnce) => {
        await using history = await begin(7);
        for (const step of STEPS.slice(0, steps)) await step(history);
        const events = await eventsOf(history.app);
        const doubled = [...events, ...events.filter((_, index) => (ranks[index + 100] ?? 0) % 3 === 0)];
        const shuffled = doubled
          .map((event, index) => ({ event, rank: ranks[index] ?? 0 }))
          .sort((a, b) => a.rank - b.rank);
        const send = ({ event }: { event: Stripe.Event }) => deliver(history.app, event);
        if (atOnce) await Promise.all(shuffled.map(send));
        else for (const one of shuffled) await send(one);
        await settled(history.app);
        await expectAgreement(history);
      },
    ),
    { numRuns: 10 },
  );
});

test('after a reconciliation the state is the same, whatever events were lost, early, late or repeated', async () => {
  const deliveries = fc.array(fc.record({ after: stepCount, pick: fc.nat() }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(stepCount, deliveries, async (steps, plan) => {
      await using history = await begin(7);
      for (let done = 0; done <= steps; done++) {
        if (done > 0) await STEPS[done - 1]?.(history);
        const events = await eventsOf(history.app);
        for (const { pick } of plan.filter(({ after }) => after === done)) {
          const event = events[pick % events.length];
          if (event !== undefined) await deliver(history.app, event);
        }
      }
      await reconcileBilling(history.app.backend);
      await settled(history.app);
      await expectAgreement(history);
    }),
    { numRuns: 10 },
  );
});

test('every permutation of the events of a subscription ends in the same state, also if some are lost', async () => {
  await using history = await begin(0);
  const { app, person } = history;
  for (const step of [upgrade, cancel(userOf)]) await step(history);
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
    const copy = await expectCopy(app, person.uid);
    expect([copy.status, copy.role]).toEqual(['canceled', 'business']);
  }
  expect(round).toBe(24);
});

function* permutations<Item>(items: readonly Item[]): Generator<Item[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(index, 1))) yield [item, ...rest];
  }
}
