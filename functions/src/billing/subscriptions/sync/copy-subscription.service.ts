import { isDeepStrictEqual } from 'node:util';
import type { Backend } from '../../../backend.ts';
import type { Reads, Tx } from '../../../firestore/db.ts';
import type { CustomerDocument } from '../../../firestore/documents/customer.ts';
import type { SubscriptionDocument } from '../../../firestore/documents/subscription.ts';
import type { Team } from '../../../firestore/documents/team.ts';
import type { MaybeDamaged } from '../../../firestore/query.ts';
import type { PlansAndExtras } from '../../../settings/extras.ts';
import type { PlanList } from '../../../settings/plans.ts';
import { isProcessed, recordProcessed } from '../../stripe/processed-events.ts';
import { isMissing } from '../../stripe/stripe-errors.ts';
import { unknownItems } from '../add-on-items.ts';
import { claimsInputOf } from '../holding.ts';
import { planItemOf } from '../plan-item.ts';
import { isRunning } from '../status.ts';
import type { StoredSubscription } from '../stored-subscription.ts';
import { runningAndGrantedSubscriptions } from '../subscription.store.ts';
import { startTrials } from '../trials/trial.store.ts';
import { applyHolding } from './holding.store.ts';
import { makeSubscriptionDocument, readUnpaidSince, WITH_LATEST_INVOICE } from './subscription-document.ts';
import type { Listed, SyncOptions, SyncResult } from './sync-result.ts';

/** The clocks of our instances and of Firestore differ by less than this. */
const CLOCK_MARGIN_MS = 60_000;

interface CopyTarget extends SyncOptions {
  customerId: string;
  subscriptionId: string;
}

/**
 * Copies a subscription to Firestore. The same transaction updates what depends on the copy: the plan and the add-ons
 * of the customer, the plan and the limits of a team, a trial that has begun, and the records of the change of plan and
 * of the event.
 *
 * Stripe is asked inside the transaction. Therefore an older state never overwrites a newer one, in whatever order
 * events come. For example, two syncs conflict:
 *
 * 1. The first sync and the second sync read our copy, and ask Stripe.
 * 2. Each of them has locked our copy by reading it, so neither can write. Firestore lets one of them commit.
 * 3. The other sync runs again, and asks Stripe again.
 *
 * The reconciliation passes the state that Stripe has just listed. If our copy is older than the list, that state is
 * stored without another call.
 *
 * @returns undefined if the customer no longer exists
 * @throws DamagedDocument
 */
export function copySubscription(backend: Backend, target: CopyTarget): Promise<SyncResult | undefined> {
  const { config } = backend;
  return backend.db.run(async (tx) => {
    const before = await readBefore(tx, target);
    if (before === undefined) return undefined;
    const { subscriptionId: id, event } = target;
    if (before.isProcessed) return resultOfStored(config.plans, id, before);

    const listed = mayStoreListed(target.listed, before) ? target.listed : undefined;
    const current = await documentAtStripe(backend, tx, { ...target, listed }, before.stored);
    // A lost customer is recreated only for a running subscription, because deleting an account or team cancels every
    // subscription.
    if (before.isCustomerLost && !(current && isRunning(current))) return undefined;
    const others = await readOthers(backend, tx, target.customerId, before.others);

    const all = withSynced(others, id, current);
    await writeSubscription(tx, target, before.stored, current);
    const holding = applyHolding(backend, tx, {
      customerId: target.customerId,
      customer: before.customer,
      subscriptions: all.map(({ data }) => data),
      team: before.team,
      lostCustomer: before.isCustomerLost ? target.lostCustomer : undefined,
    });
    recordProcessed(tx, event, backend.now());
    const customerAfter = { ...before.customer, plan: holding.plan.slug, addOns: holding.addOns };
    const newUnknownPrices = findNewUnknownPrices(current, before.stored, config);
    return resultOf(config.plans, customerAfter, { current, all, newUnknownPrices });
  });
}

/** The documents before the sync. */
interface Before {
  customer: Pick<CustomerDocument, 'type' | 'plan' | 'addOns' | 'ownedPlans' | 'entitlements' | 'duplicates'>;
  /** Whether the document of the customer is missing. */
  isCustomerLost: boolean;
  team: Team | undefined;
  /** Our copy of the subscription. Undefined if it is missing or damaged: a new copy is written. */
  stored: SubscriptionDocument | undefined;
  /** When our copy was last written, even if it is damaged. */
  writtenAt: Date | undefined;
  /** Our copies of the customer's other running subscriptions, and the granted plans. */
  others: MaybeDamaged<SubscriptionDocument>[];
  isProcessed: boolean;
}

/** @returns undefined if the customer no longer exists */
async function readBefore(tx: Tx, target: CopyTarget): Promise<Before | undefined> {
  const { customerId, subscriptionId, event, lostCustomer } = target;
  const [existing, copy, runningAndGranted, wasProcessed] = await Promise.all([
    tx.customers.get(customerId),
    tx.subscriptions(customerId).getWithTime(subscriptionId),
    runningAndGrantedSubscriptions(tx, customerId).findWithDamaged(),
    isProcessed(tx, event),
  ]);
  const customer = existing ?? lostCustomer;
  if (customer === undefined) return undefined;
  const needsTeam = customer.type === 'team' && !wasProcessed;
  return {
    customer,
    isCustomerLost: existing === undefined,
    team: needsTeam ? await tx.teams.get(customerId) : undefined,
    stored: copy?.data,
    writtenAt: copy?.writtenAt,
    others: runningAndGranted.filter(({ id }) => id !== subscriptionId),
    isProcessed: wasProcessed,
  };
}

/**
 * True if the listed state can be stored without asking Stripe, because our copy is missing or older than the list.
 * False for a lost customer, because the subscription may have ended after the list was made.
 */
function mayStoreListed(listed: Listed | undefined, { isCustomerLost, writtenAt }: Before): boolean {
  if (listed === undefined || isCustomerLost) return false;
  return writtenAt === undefined || writtenAt.getTime() < listed.at.getTime() - CLOCK_MARGIN_MS;
}

/**
 * Makes the document that a subscription should have now. Asks Stripe for the subscription, unless `listed` is given.
 *
 * @returns undefined if Stripe does not have the subscription
 */
async function documentAtStripe(
  { config, now, stripe }: Backend,
  reads: Reads,
  { subscriptionId, listed }: Pick<CopyTarget, 'subscriptionId' | 'listed'>,
  stored?: SubscriptionDocument,
): Promise<SubscriptionDocument | undefined> {
  const client = await stripe();
  try {
    const subscription =
      listed?.subscription ?? (await client.subscriptions.retrieve(subscriptionId, WITH_LATEST_INVOICE));
    const unpaidSince = await readUnpaidSince(client, subscription);
    return await makeSubscriptionDocument(
      reads,
      { ...config, now: now(), unpaidSince },
      subscription,
      stored,
    );
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Completes the other subscriptions of the customer:
 *
 * - If our copy is damaged, the subscription is retrieved from Stripe, so that the customer keeps the plan of this
 *   subscription.
 * - If a granted plan is damaged, nobody can say which plan the customer has, because Stripe does not know granted
 *   plans.
 *
 * @throws DamagedDocument for a damaged document that Stripe does not know
 */
async function readOthers(
  backend: Backend,
  reads: Reads,
  customerId: string,
  others: readonly MaybeDamaged<SubscriptionDocument>[],
): Promise<StoredSubscription[]> {
  const documents = others.map(async ({ id, data }) => {
    const intact = data ?? (await documentAtStripe(backend, reads, { subscriptionId: id }));
    // Reading the damaged document throws the damage.
    return { id, data: intact ?? (await reads.subscriptions(customerId).get(id)) };
  });
  return (await Promise.all(documents)).filter(hasDocument);
}

/** The other subscriptions and, if it exists, the synced one. */
function withSynced(
  others: readonly { id: string; data: SubscriptionDocument | undefined }[],
  id: string,
  data: SubscriptionDocument | undefined,
): StoredSubscription[] {
  return [...others, { id, data }].filter(hasDocument);
}

function hasDocument(found: {
  id: string;
  data: SubscriptionDocument | undefined;
}): found is StoredSubscription {
  return found.data !== undefined;
}

/** Writes our copy, or deletes it if the subscription no longer exists at Stripe. Records a trial that has begun. */
async function writeSubscription(
  tx: Tx,
  { customerId, subscriptionId }: CopyTarget,
  stored: SubscriptionDocument | undefined,
  current: SubscriptionDocument | undefined,
): Promise<void> {
  const subscriptions = tx.subscriptions(customerId);
  if (current === undefined) {
    subscriptions.delete(subscriptionId);
    return;
  }
  if (isDeepStrictEqual(stored, current)) return;
  subscriptions.set(subscriptionId, current);
  await recordTrialOnce(tx, customerId, stored, current);
}

/** Records a trial that has begun, unless our own copy already has the trial. */
async function recordTrialOnce(
  tx: Tx,
  customerId: string,
  stored: SubscriptionDocument | undefined,
  { trial_start: startedAt, metadata }: SubscriptionDocument,
): Promise<void> {
  const isRecorded = stored !== undefined && isWrittenByUs(stored) && stored.trial_start !== null;
  if (startedAt === null || isRecorded) return;
  await startTrials(tx, { customerId, people: [metadata['ownerId'], metadata['firebaseUID']] }, startedAt);
}

/**
 * True if this version wrote the copy, with a `priceId`. The Stripe extension and older versions left `priceId` null,
 * and recorded no trials.
 */
function isWrittenByUs({ priceId }: SubscriptionDocument): boolean {
  return priceId !== null;
}

/** Ids of the prices that are neither configured nor in our copy. */
function findNewUnknownPrices(
  current: SubscriptionDocument | undefined,
  stored: SubscriptionDocument | undefined,
  plansAndExtras: PlansAndExtras,
): string[] {
  const known = new Set(stored?.items.map(({ price }) => price));
  return unknownItems(current?.items ?? [], plansAndExtras)
    .map(({ price }) => price)
    .filter((price) => !known.has(price));
}

/**
 * Makes the result for an event that was processed before, from the stored documents. With this result the claims, the
 * seat sync and the overlaps are repeated, because the process may have died before them.
 */
function resultOfStored(plans: PlanList, id: string, { customer, stored, others }: Before): SyncResult {
  return resultOf(plans, customer, { current: stored, all: withSynced(others, id, stored) });
}

function resultOf(
  plans: PlanList,
  customer: Pick<CustomerDocument, 'type' | 'plan' | 'addOns' | 'entitlements' | 'duplicates'>,
  synced: {
    current: SubscriptionDocument | undefined;
    /** The running subscriptions, the granted plans, and the synced subscription. */
    all: readonly StoredSubscription[];
    newUnknownPrices?: readonly string[];
  },
): SyncResult {
  const { current, all, newUnknownPrices = [] } = synced;
  return {
    type: customer.type,
    ...claimsInputOf(plans, customer),
    planItem: current && planItemOf(current, plans),
    newUnknownPrices,
    running: all.filter(({ data }) => isRunning(data)),
    decidedDuplicates: customer.duplicates ?? [],
  };
}
