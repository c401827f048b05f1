import { isDeepStrictEqual } from 'node:util';
import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import type { Reads, Tx } from '../../../firestore/db.ts';
import type { CustomerDocument } from '../../../firestore/documents/customer.ts';
import {
  isTrialRecorded,
  type SubscriptionDocument,
  type SubscriptionWithId,
} from '../../../firestore/documents/subscription.ts';
import type { Team } from '../../../firestore/documents/team.ts';
import { isIntact, type MaybeDamaged } from '../../../firestore/query.ts';
import type { PlansAndExtras } from '../../../settings/extras.ts';
import type { LostCustomer } from '../../customer-rules.ts';
import { isProcessed, recordProcessed, type EventHead } from '../../processed-events.store.ts';
import { personIdsIn } from '../../subject.ts';
import { storedHoldingOf, unknownItems, type StoredHolding } from '../holding.ts';
import { planItemIfRunning, type PlanItem } from '../plan-item.ts';
import { isRunning } from '../status.ts';
import { makeSubscriptionDocument, retrieveSubscriptionDocument } from '../subscription-document.ts';
import { runningAndGrantedSubscriptions } from '../subscription.store.ts';
import { startTrials } from '../trials/trial.store.ts';
import { updateHolding } from './holding.store.ts';
import { scheduledOf, type SubscriptionWithSchedule } from './planned-seats.service.ts';

export interface SyncOptions {
  /** The event that reported a change. The sync records the event: a second sync for it changes no document. */
  event?: EventHead | undefined;
  /** Data of a lost customer. The sync recreates the customer's document only if the subscription is running. */
  lostCustomer?: LostCustomer | undefined;
  /** The subscription from a list of Stripe, with `latest_invoice` expanded. Passing it can save a call to Stripe. */
  listed?: Stripe.Subscription | undefined;
}

interface CopyTarget extends SyncOptions {
  customerId: string;
  subscriptionId: string;
}

export interface SyncResult {
  subscription: SyncedSubscription;
  customer: SyncedCustomer;
}

export interface SyncedSubscription {
  planItem: PlanItem | undefined;
  /** Set if the subscription has a schedule, which may plan a change with the wrong number of seats. */
  scheduled: SubscriptionWithSchedule | undefined;
  /** Ids of prices that are not configured, and that our copy did not have before the sync. */
  newUnknownPrices: readonly string[];
}

export interface SyncedCustomer extends StoredHolding {
  customerId: string;
  type: CustomerDocument['type'];
  running: readonly SubscriptionWithId[];
  ownedPlans: CustomerDocument['ownedPlans'];
  /** Ids of the subscriptions that are being ended as duplicates. */
  endingDuplicates: readonly string[];
}

/**
 * Copies a subscription to Firestore. The same transaction updates everything that depends on the copy.
 *
 * Stripe is asked inside the transaction. Therefore an older state never overwrites a newer state, in whatever order
 * events come. Example of two syncs that conflict:
 *
 * 1. Both syncs read our copy, which locks the copy. Then both ask Stripe.
 * 2. Both want to write the copy. Each waits for the lock of the other, until Firestore lets one of them commit.
 * 3. The other sync runs again, and asks Stripe again.
 *
 * `documentFromList` has the rule for a subscription from a list of Stripe.
 *
 * @returns undefined if the customer no longer exists
 * @throws DamagedDocument
 */
export function copySubscription(backend: Backend, target: CopyTarget): Promise<SyncResult | undefined> {
  const { config } = backend;
  return backend.db.run(async (tx) => {
    const before = await readBefore(tx, target);
    if (before === undefined) return undefined;
    const { customerId, subscriptionId: id, event } = target;
    if (before.wasProcessed) return resultWithoutSync(config, target, before);

    const current =
      (await documentFromList(backend, tx, target, before)) ??
      (await retrieveSubscriptionDocument(backend, tx, id, before.stored));
    if (wasPurged(before, current)) return undefined;
    const others = await readOthers(backend, tx, before.others);

    const all = withSynced(others, id, current);
    await writeSubscription(tx, target, before.stored, current);
    const holding = updateHolding(backend, tx, {
      customerId,
      customer: before.customer,
      subscriptions: all.map(({ data }) => data),
      team: before.team,
      lostCustomer: before.hasCustomerDocument ? undefined : target.lostCustomer,
    });
    recordProcessed(tx, event, backend.now());
    const customerAfter = { ...before.customer, plan: holding.plan.slug, addOns: holding.addOns };
    return {
      subscription: {
        planItem: current && planItemIfRunning(current, config.plans),
        scheduled: current && scheduledOf(id, current),
        newUnknownPrices: findNewUnknownPrices(current, before.stored, config),
      },
      customer: syncedCustomerOf(config, customerId, customerAfter, all),
    };
  });
}

/**
 * True if the customer was purged although there is data of a lost customer. A customer without a document was either
 * purged or lost. A purge also ends the subscriptions. So a running subscription shows that the customer was lost.
 */
function wasPurged(
  { hasCustomerDocument }: DocumentsBefore,
  current: SubscriptionDocument | undefined,
): boolean {
  if (hasCustomerDocument) return false;
  const isLost = current !== undefined && isRunning(current);
  return !isLost;
}

/** The documents before the sync. */
interface DocumentsBefore {
  customer: Pick<
    CustomerDocument,
    'type' | 'plan' | 'addOns' | 'ownedPlans' | 'entitlements' | 'endingDuplicates'
  >;
  /** False if `customer` comes from `lostCustomer`. */
  hasCustomerDocument: boolean;
  team: Team | undefined;
  /** Our copy of the subscription. Undefined if it is missing or damaged: a new copy is written. */
  stored: SubscriptionDocument | undefined;
  /** Our copies of the customer's other running subscriptions, and the granted plans. */
  others: MaybeDamaged<SubscriptionDocument>[];
  wasProcessed: boolean;
}

/** @returns undefined if the customer has no document, and `lostCustomer` is missing: then the customer was purged */
async function readBefore(tx: Tx, target: CopyTarget): Promise<DocumentsBefore | undefined> {
  const { customerId, subscriptionId, event, lostCustomer } = target;
  const [existing, copies, runningAndGranted, wasProcessed] = await Promise.all([
    tx.customers.get(customerId),
    tx.subscriptions(customerId).getIntact([subscriptionId]),
    runningAndGrantedSubscriptions(tx, customerId).findWithDamaged(),
    isProcessed(tx, event),
  ]);
  const customer = existing ?? lostCustomer;
  if (customer === undefined) return undefined;
  const needsTeam = customer.type === 'team' && !wasProcessed;
  return {
    customer,
    hasCustomerDocument: existing !== undefined,
    team: needsTeam ? await tx.teams.get(customerId) : undefined,
    stored: copies.get(subscriptionId),
    others: runningAndGranted.filter(({ id }) => id !== subscriptionId),
    wasProcessed,
  };
}

/**
 * Makes our document from `listed`, if this document can be stored without retrieving the subscription again: our copy
 * is the same, or there is none. Without a copy, no newer state can be overwritten, because the transaction has locked
 * the path of the copy.
 *
 * @returns undefined if Stripe must be asked:
 *   - Our copy differs from the list. The copy may be the newer one.
 *   - The customer is lost. The subscription may have ended after the list was read.
 */
async function documentFromList(
  backend: Backend,
  reads: Reads,
  { listed }: CopyTarget,
  { hasCustomerDocument, stored }: DocumentsBefore,
): Promise<SubscriptionDocument | undefined> {
  if (listed === undefined || !hasCustomerDocument) return undefined;
  const document = await makeSubscriptionDocument(backend, reads, listed, stored);
  return stored === undefined || isDeepStrictEqual(document, stored) ? document : undefined;
}

/**
 * The other subscriptions of the customer. In place of a damaged copy, the document is made from Stripe.
 *
 * @throws DamagedDocument for a damaged document that Stripe does not know, such as a granted plan
 */
async function readOthers(
  backend: Backend,
  reads: Reads,
  others: readonly MaybeDamaged<SubscriptionDocument>[],
): Promise<SubscriptionWithId[]> {
  const documents = others.map(async (found) => {
    if (isIntact(found)) return found;
    const data = await retrieveSubscriptionDocument(backend, reads, found.id);
    if (data === undefined) throw found.damage;
    return { id: found.id, data };
  });
  return Promise.all(documents);
}

/** The other subscriptions, and the synced subscription if it exists. */
function withSynced(
  others: readonly SubscriptionWithId[],
  id: string,
  data: SubscriptionDocument | undefined,
): SubscriptionWithId[] {
  return data === undefined ? [...others] : [...others, { id, data }];
}

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
  // Nothing changes. The trial was recorded when this copy was stored.
  if (isDeepStrictEqual(stored, current)) return;
  subscriptions.set(subscriptionId, current);
  await recordTrialOnce(tx, customerId, stored, current);
}

async function recordTrialOnce(
  tx: Tx,
  customerId: string,
  stored: SubscriptionDocument | undefined,
  { trial_start: startedAt, metadata }: SubscriptionDocument,
): Promise<void> {
  const isRecorded = stored !== undefined && isTrialRecorded(stored);
  if (startedAt === null || isRecorded) return;
  await startTrials(tx, { customerId, personIds: personIdsIn(metadata) }, startedAt);
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
 * The result for an event that was processed before. The calling functions use the result to repeat the steps after the
 * commit, because the process may have died before these steps.
 */
function resultWithoutSync(
  config: PlansAndExtras,
  { customerId, subscriptionId }: CopyTarget,
  { customer, stored, others }: DocumentsBefore,
): SyncResult {
  const all = withSynced(others.filter(isIntact), subscriptionId, stored);
  return {
    subscription: {
      planItem: stored && planItemIfRunning(stored, config.plans),
      scheduled: stored && scheduledOf(subscriptionId, stored),
      newUnknownPrices: [],
    },
    customer: syncedCustomerOf(config, customerId, customer, all),
  };
}

function syncedCustomerOf(
  { plans }: PlansAndExtras,
  customerId: string,
  customer: DocumentsBefore['customer'],
  all: readonly SubscriptionWithId[],
): SyncedCustomer {
  return {
    customerId,
    type: customer.type,
    ...storedHoldingOf(plans, customer),
    running: all.filter(({ data }) => isRunning(data)),
    ownedPlans: customer.ownedPlans,
    endingDuplicates: customer.endingDuplicates ?? [],
  };
}
