import type { Firestore, Transaction } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import type { Config } from '../../settings/config.ts';
import { recordAudit, SYSTEM } from '../../audit/audit-log.store.ts';
import { findPlan, freePlan, type Plan } from '../../settings/plans.ts';
import { teamRef, type Team } from '../../teams/team.store.ts';
import { transact } from '../../firestore/transaction.ts';
import {
  customerRef,
  restoreCustomer,
  type CustomerDocument,
  type LostCustomer,
} from '../customers/customer.store.ts';
import { isFollowed, recordEvent, type EventHead } from '../webhook/event-ledger.store.ts';
import { readKeptKeys } from './price-keys.ts';
import {
  bestPlan,
  holdingOf,
  isRunning,
  planItemOf,
  tellsSame,
  toDocument,
  type NewSubscriptionDocument,
  type PlanItem,
  type SubscriptionDocument,
} from './subscription.ts';
import { runningSubscriptions, subscriptionsRef } from './subscription.store.ts';
import { useTrials } from './trial.store.ts';

/** What to mirror, and why. */
export interface Sighting {
  customerId: string;
  subscriptionId: string;
  /** Asks Stripe for the subscription as it is now, with what `RETRIEVE` names; undefined for one it does not know. */
  fetch: () => Promise<Stripe.Subscription | undefined>;
  /** The event that told of it, if one did. */
  event?: EventHead;
  /** Of what to make the document of the customer, where there is none and the subscription runs. */
  lost?: LostCustomer;
  now: Date;
}

/** How a customer stands once a subscription is mirrored. */
export interface Standing {
  type: CustomerDocument['type'];
  /** Slug of the best plan that the subscriptions give. */
  plan: string;
  /** By which this subscription pays for a plan, if it runs. */
  item: PlanItem | undefined;
}

/**
 * Mirrors a subscription, and in the same transaction what follows from it: the plan of the customer, plan and seat limit
 * of a team, the trial that was used, and that the event was followed.
 *
 * `fetch` runs inside the transaction, which locks the documents it has read: of two events at once the later one fetches
 * after the earlier one has written, so that the last state written is the last state seen, in whatever order they come.
 *
 * @returns undefined for a customer that is gone
 */
export async function mirrorSubscription(
  firestore: Firestore,
  config: Config,
  { customerId, subscriptionId, fetch, event, lost, now }: Sighting,
): Promise<Standing | undefined> {
  const ref = subscriptionsRef(firestore, customerId).doc(subscriptionId);
  return transact(firestore, async (transaction) => {
    const [customerSnapshot, snapshot, running, followed] = await Promise.all([
      transaction.get(customerRef(firestore, customerId)),
      transaction.get(ref),
      transaction.get(runningSubscriptions(firestore, customerId)),
      isFollowed(transaction, firestore, event),
    ]);
    const [customer, stored] = [customerSnapshot.data() ?? lost, snapshot.data()];
    if (customer === undefined) return undefined;
    if (followed) return standingOf(config, customer, stored);
    const team = await teamOf(transaction, firestore, customerId, customer);
    const subscription = await fetch();
    if (!customerSnapshot.exists) {
      // Whoever is being deleted ends their subscriptions before their document goes.
      if (lost === undefined || subscription === undefined || !isRunning(subscription)) return undefined;
      restoreCustomer(transaction, firestore, customerId, lost, now);
    }
    const fresh =
      subscription &&
      toDocument(
        subscription,
        { ...config, now },
        await readKeptKeys(firestore, config.plans, subscription, stored),
      );
    const others = running.docs.filter(({ id }) => id !== subscriptionId).map((other) => other.data());
    const plan = bestPlan([...others.map(holdingOf), ...(fresh ? [fresh] : [])], config.plans, now);

    await note(transaction, firestore, { customerId, subscriptionId }, stored, fresh);
    if (customer.plan !== plan.slug) {
      transaction.update(customerRef(firestore, customerId), { plan: plan.slug });
    }
    if (team)
      followTeam(
        transaction,
        firestore,
        config,
        { id: customerId, team, now },
        plan,
        fresh ? [...others, fresh] : others,
      );
    recordEvent(transaction, firestore, event, now);
    return standingOf(config, { ...customer, plan: plan.slug }, fresh);
  });
}

async function note(
  transaction: Transaction,
  firestore: Firestore,
  { customerId, subscriptionId }: Pick<Sighting, 'customerId' | 'subscriptionId'>,
  stored: SubscriptionDocument | undefined,
  fresh: NewSubscriptionDocument | undefined,
): Promise<void> {
  const ref = firestore.doc(subscriptionsRef(firestore, customerId).doc(subscriptionId).path);
  if (fresh === undefined) transaction.delete(ref);
  else if (stored === undefined || !tellsSame(stored, fresh)) {
    transaction.set(ref, fresh);
    await noteTrial(transaction, firestore, customerId, stored, fresh);
  }
}

/** At the first sight of a trial. */
async function noteTrial(
  transaction: Transaction,
  firestore: Firestore,
  customerId: string,
  stored: SubscriptionDocument | undefined,
  { trial_start: began, metadata }: NewSubscriptionDocument,
): Promise<void> {
  if (began === null || (stored?.trial_start ?? null) !== null) return;
  const people = [metadata['ownerId'], metadata['firebaseUID']];
  await useTrials(transaction, firestore, { customerId, people }, began);
}

async function teamOf(
  transaction: Transaction,
  firestore: Firestore,
  customerId: string,
  { type }: Pick<CustomerDocument, 'type'>,
): Promise<Team | undefined> {
  return type === 'team' ? (await transaction.get(teamRef(firestore, customerId))).data() : undefined;
}

/**
 * The team has what its plan allows from now on. The limit may come to lie below the members that it has: they stay, and
 * nobody is added.
 */
function followTeam(
  transaction: Transaction,
  firestore: Firestore,
  { plans, auditDays }: Config,
  { id, team, now }: { id: string; team: Team; now: Date },
  plan: Plan,
  subscriptions: readonly Pick<SubscriptionDocument, 'status' | 'items'>[],
): void {
  const change = {
    plan: plan.slug,
    seatLimit: plan.limits.seats,
    subscribed: subscriptions.some(isRunning),
    seatsBilled: subscriptions.some((subscription) => planItemOf(subscription, plans)?.perSeat === true),
  };
  const keys = ['plan', 'seatLimit', 'subscribed', 'seatsBilled'] as const;
  if (keys.some((key) => team[key] !== change[key])) transaction.update(teamRef(firestore, id), change);
  if (team.plan === change.plan) return;
  recordAudit(transaction, firestore, {
    teamId: id,
    actorId: SYSTEM,
    action: 'billing.plan_changed',
    target: id,
    at: now,
    keptDays: auditDays,
    details: { from: team.plan, to: change.plan },
  });
}

function standingOf(
  { plans }: Config,
  { type, plan }: Pick<CustomerDocument, 'type' | 'plan'>,
  subscription: SubscriptionDocument | NewSubscriptionDocument | undefined,
): Standing {
  return {
    type,
    plan: (plan === undefined ? undefined : findPlan(plans, plan)?.slug) ?? freePlan(plans).slug,
    item: subscription && planItemOf(subscription, plans),
  };
}
