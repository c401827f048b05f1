import type { Backend } from '../../backend.ts';
import type { Reads, Tx } from '../../firestore/db.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import type { Team } from '../../firestore/documents/team.ts';
import type { Found } from '../../firestore/query.ts';
import { findPlan, freePlan, type Plan, type PlanList } from '../../settings/plans.ts';
import { recreateCustomer, type LostCustomer } from '../customer-document.ts';
import { isProcessed, recordProcessed, type EventHead } from '../stripe/processed-events.ts';
import { guardStripe, ifStillThere, isMissing } from '../stripe/stripe-errors.ts';
import { startTrials } from '../trials/trial.store.ts';
import { syncClaims } from './claims.service.ts';
import { hasWrongQuantity } from './quantity.ts';
import { readDocument, RETRIEVE } from './subscription-document.ts';
import { runningSubscriptions } from './subscription.store.ts';
import { bestPlan, isRunning, isUnchanged, planItemOf, type PlanItem } from './subscription.ts';
import { updateTeamPlan } from './team-plan.ts';

interface SyncOptions {
  /** The event that reported a change. It is recorded as processed, and a second sync for it changes nothing. */
  event?: EventHead | undefined;
  /** Data to recreate a missing customer document, if the subscription is still running. */
  lostCustomer?: LostCustomer | undefined;
}

/** A customer after the sync of one of their subscriptions. */
export interface SyncResult {
  type: CustomerDocument['type'];
  /** Slug of the best plan that the customer's subscriptions give. */
  plan: string;
  /** The line item of this subscription that pays for the plan; undefined if the subscription has ended. */
  item: PlanItem | undefined;
}

interface Target extends SyncOptions {
  customerId: string;
  subscriptionId: string;
}

/**
 * Syncs a subscription: copies Stripe's current state to Firestore, then applies it to the systems that are in no Firestore
 * transaction: the custom claims of a user, the seats of a team. Idempotent.
 *
 * @param customerId a uid or the id of a team
 * @returns undefined if there is no such customer any more
 * @throws Refusal `billing_unavailable` or `auth_unavailable` if Stripe or Firebase Auth does not answer
 * @throws DamagedDocument if the document of the customer or team cannot be read
 */
export async function syncSubscription(
  backend: Backend,
  customerId: string,
  subscriptionId: string,
  options: SyncOptions = {},
): Promise<SyncResult | undefined> {
  const result = await copySubscription(backend, { customerId, subscriptionId, ...options });
  if (result?.type === 'user') await applyToUser(backend, customerId, subscriptionId, result);
  if (result?.type === 'team') await applyToTeam(backend, customerId, result);
  return result;
}

/**
 * Copies a subscription and updates what depends on it in the same transaction: the plan of the customer, plan and seat
 * limit of a team, the trial that has begun, and the record of the event.
 *
 * Stripe is asked inside the transaction, which locks the documents that it has read. If two syncs run at once, the second
 * one asks Stripe after the first one has committed. So the last state written is the latest, in whatever order events come.
 */
async function copySubscription(backend: Backend, target: Target): Promise<SyncResult | undefined> {
  const { plans } = backend.config;
  return guardStripe(() =>
    backend.db.run(async (tx) => {
      const before = await readBefore(tx, target);
      if (before === undefined) return undefined;
      if (before.isProcessed) return resultOf(plans, before.customer, before.stored);

      const current = await retrieveDocument(backend, tx, target.subscriptionId, before.stored);
      // A user or team that is being deleted ends its subscriptions before its document goes.
      if (before.isLost && !(current && isRunning(current))) return undefined;
      const others = await Promise.all(
        // A damaged copy must not cost the customer the plan.
        before.others.map(async ({ id, data }) => data ?? retrieveDocument(backend, tx, id)),
      );

      const subscriptions = [...others, current].filter((one) => one !== undefined);
      const plan = await write(backend, tx, target, { ...before, current, subscriptions });
      return resultOf(plans, { ...before.customer, plan: plan.slug }, current);
    }),
  );
}

/** The documents before the sync. */
interface Before {
  customer: Pick<CustomerDocument, 'type' | 'plan'>;
  /** Whether the document of the customer is missing. */
  isLost: boolean;
  team: Team | undefined;
  /** Our copy of the subscription; undefined as well if it is damaged, because the sync replaces it. */
  stored: SubscriptionDocument | undefined;
  /** The customer's other running subscriptions. */
  others: Found<SubscriptionDocument>[];
  /** Whether the event was processed before. */
  isProcessed: boolean;
}

/** @returns undefined if the customer is gone */
async function readBefore(tx: Tx, target: Target): Promise<Before | undefined> {
  const { customerId, subscriptionId, event, lostCustomer } = target;
  const [existing, copies, running, processed] = await Promise.all([
    tx.customers.get(customerId),
    tx.subscriptions(customerId).getIntact([subscriptionId]),
    runningSubscriptions(tx, customerId).findAll(),
    isProcessed(tx, event),
  ]);
  const customer = existing ?? lostCustomer;
  if (customer === undefined) return undefined;
  return {
    customer,
    isLost: existing === undefined,
    team: customer.type === 'team' && !processed ? await tx.teams.get(customerId) : undefined,
    stored: copies.get(subscriptionId),
    others: running.filter(({ id }) => id !== subscriptionId),
    isProcessed: processed,
  };
}

/** The document that a subscription should have now. Undefined if it no longer exists at Stripe. */
async function retrieveDocument(
  { config, stripe, now }: Backend,
  reads: Reads,
  subscriptionId: string,
  stored?: SubscriptionDocument,
): Promise<SubscriptionDocument | undefined> {
  const { subscriptions } = await stripe();
  try {
    const subscription = await subscriptions.retrieve(subscriptionId, RETRIEVE);
    return await readDocument(reads, { ...config, now: now() }, subscription, stored);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

interface After extends Before {
  /** The document to store; undefined if the subscription no longer exists. */
  current: SubscriptionDocument | undefined;
  /** It and the customer's other running subscriptions. */
  subscriptions: SubscriptionDocument[];
}

/** @returns the plan that the customer has now */
async function write(backend: Backend, tx: Tx, target: Target, after: After): Promise<Plan> {
  const { plans } = backend.config;
  const { customerId, event, lostCustomer } = target;
  const { customer, isLost, team, subscriptions } = after;
  const now = backend.now();
  const plan = bestPlan(subscriptions, plans, now);
  await writeSubscription(tx, target, after);
  if (isLost && lostCustomer) {
    tx.customers.create(customerId, recreateCustomer(lostCustomer, plan.slug, now));
  } else if (customer.plan !== plan.slug) {
    tx.customers.update(customerId, { plan: plan.slug });
  }
  if (team) updateTeamPlan(tx, { teamId: customerId, team, plan, plans, subscriptions, now });
  recordProcessed(tx, event, now);
  return plan;
}

async function writeSubscription(
  tx: Tx,
  { customerId, subscriptionId }: Target,
  { stored, current }: After,
): Promise<void> {
  const subscriptions = tx.subscriptions(customerId);
  if (current === undefined) {
    subscriptions.delete(subscriptionId);
    return;
  }
  if (stored !== undefined && isUnchanged(stored, current)) return;
  subscriptions.set(subscriptionId, current);
  const { trial_start: startedAt, metadata } = current;
  if (startedAt === null || (stored?.trial_start ?? null) !== null) return;
  await startTrials(tx, { customerId, people: [metadata['ownerId'], metadata['firebaseUID']] }, startedAt);
}

function resultOf(
  plans: PlanList,
  { type, plan }: Pick<CustomerDocument, 'type' | 'plan'>,
  subscription: SubscriptionDocument | undefined,
): SyncResult {
  return {
    type,
    plan: (plan === undefined ? undefined : findPlan(plans, plan)?.slug) ?? freePlan(plans).slug,
    item: subscription && planItemOf(subscription, plans),
  };
}

/** Brings the claims of a user up to date. A user who was deleted while they paid must not pay on. */
async function applyToUser(
  backend: Backend,
  uid: string,
  subscriptionId: string,
  { plan, item }: SyncResult,
): Promise<void> {
  const exists = await syncClaims(backend, uid, plan);
  if (exists || item === undefined) return;
  const stripe = await backend.stripe();
  await guardStripe(() => ifStillThere(stripe.subscriptions.cancel(subscriptionId)));
}

/** Members may have joined or left while the checkout was open. */
async function applyToTeam(backend: Backend, teamId: string, { item }: SyncResult): Promise<void> {
  if (item && (await hasWrongQuantity(backend.db, teamId, item))) await backend.enqueueSeatSync(teamId);
}
