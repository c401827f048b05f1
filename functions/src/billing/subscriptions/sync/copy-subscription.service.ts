import { isDeepStrictEqual } from 'node:util';
import type { Backend } from '../../../backend.ts';
import type { Reads, Tx } from '../../../firestore/db.ts';
import type { CustomerDocument } from '../../../firestore/documents/customer.ts';
import {
  isTrialRecorded,
  type SubscriptionDocument,
  type SubscriptionWithId,
} from '../../../firestore/documents/subscription.ts';
import { isIntact } from '../../../firestore/query.ts';
import type { PlansAndExtras } from '../../../settings/extras.ts';
import { recordProcessed } from '../../processed-events.store.ts';
import { personIdsIn } from '../../subject.ts';
import { storedHoldingOf, unknownItems, type StoredHolding } from '../holding.ts';
import { planItemIfRunning, type PlanItem } from '../plan-item.ts';
import { isRunning } from '../status.ts';
import { makeSubscriptionDocument, retrieveSubscriptionDocument } from '../subscription-document.ts';
import { startTrials } from '../trials/trial.store.ts';
import {
  readDocumentsBefore,
  replaceDamaged,
  type DocumentsBefore,
  type SyncTarget,
} from './documents-before.ts';
import { updateHolding } from './holding.store.ts';
import { scheduledOf, type SubscriptionWithSchedule } from './planned-seats.service.ts';

export interface SyncResult {
  subscription: SyncedSubscription;
  customer: SyncedCustomer;
}

export interface SyncedSubscription {
  /** Undefined if the subscription is not running or pays for no plan. */
  runningPlanItem: PlanItem | undefined;
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
  markedDuplicates: readonly string[];
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
 * An event that was processed before changes nothing. The result is made from the stored documents, so that the calling
 * functions can repeat the steps after the commit. The process may have died before these steps.
 *
 * @returns undefined if the customer no longer exists
 * @throws DamagedDocument
 */
export function copySubscription(backend: Backend, target: SyncTarget): Promise<SyncResult | undefined> {
  const { config } = backend;
  return backend.db.run(async (tx) => {
    const before = await readDocumentsBefore(tx, target);
    if (before === undefined) return undefined;
    const { customer, copy } = before;
    if (before.wasProcessed) {
      const others = before.others.filter(isIntact);
      return resultOf(config, target, { customer, copy, others, newUnknownPrices: [] });
    }

    const newCopy = await makeNewCopy(backend, tx, target, before);
    // Without a document, the calling function has passed `lostCustomer`. If the subscription is still running, the
    // customer was lost, and is created again. Otherwise it was purged: a deletion cancels the subscriptions first.
    const isStillRunning = newCopy !== undefined && isRunning(newCopy);
    if (!before.hasCustomerDocument && !isStillRunning) return undefined;
    const others = await replaceDamaged(backend, tx, before.others);

    await writeCopy(tx, target, copy, newCopy);
    const { plan, addOns } = updateHolding(backend, tx, {
      customerId: target.customerId,
      customer,
      subscriptions: [...others.map(({ data }) => data), ...(newCopy ? [newCopy] : [])],
      team: before.team,
      lostCustomer: before.hasCustomerDocument ? undefined : target.lostCustomer,
    });
    recordProcessed(tx, target.event, backend.now());
    return resultOf(config, target, {
      customer: { ...customer, plan: plan.slug, addOns },
      copy: newCopy,
      others,
      newUnknownPrices: findNewUnknownPrices(copy, newCopy, config),
    });
  });
}

/** Makes a copy of the subscription as Stripe has it now. Undefined if Stripe has it no longer. */
async function makeNewCopy(
  backend: Backend,
  reads: Reads,
  target: SyncTarget,
  before: DocumentsBefore,
): Promise<SubscriptionDocument | undefined> {
  const fromList = await makeCopyFromList(backend, reads, target, before);
  return fromList ?? retrieveSubscriptionDocument(backend, reads, target.subscriptionId, before.copy);
}

/**
 * Makes a copy from `listed` without asking Stripe, in two cases:
 *
 * - Our copy is the same. Nothing changes.
 * - There is no copy. A new one overwrites nothing newer: the transaction has locked the path of the copy.
 *
 * @returns undefined if Stripe must be asked:
 *   - Our copy differs from the list. It may be newer than the list.
 *   - The customer is lost. The subscription may have ended after the list was read.
 */
async function makeCopyFromList(
  backend: Backend,
  reads: Reads,
  { listed }: SyncTarget,
  { hasCustomerDocument, copy }: DocumentsBefore,
): Promise<SubscriptionDocument | undefined> {
  if (listed === undefined || !hasCustomerDocument) return undefined;
  const newCopy = await makeSubscriptionDocument(backend, reads, listed, copy);
  return copy === undefined || isDeepStrictEqual(newCopy, copy) ? newCopy : undefined;
}

async function writeCopy(
  tx: Tx,
  { customerId, subscriptionId }: SyncTarget,
  copy: SubscriptionDocument | undefined,
  newCopy: SubscriptionDocument | undefined,
): Promise<void> {
  const subscriptions = tx.subscriptions(customerId);
  if (newCopy === undefined) {
    subscriptions.delete(subscriptionId);
    return;
  }
  // Nothing changes. The trial was recorded when this copy was stored.
  if (isDeepStrictEqual(copy, newCopy)) return;
  subscriptions.set(subscriptionId, newCopy);
  await recordTrialOnce(tx, customerId, copy, newCopy);
}

async function recordTrialOnce(
  tx: Tx,
  customerId: string,
  copy: SubscriptionDocument | undefined,
  { trial_start: startedAt, metadata }: SubscriptionDocument,
): Promise<void> {
  const isRecorded = copy !== undefined && isTrialRecorded(copy);
  if (startedAt === null || isRecorded) return;
  await startTrials(tx, { customerId, personIds: personIdsIn(metadata) }, startedAt);
}

/** Ids of the prices that are neither configured nor in the copy before the sync. */
function findNewUnknownPrices(
  copy: SubscriptionDocument | undefined,
  newCopy: SubscriptionDocument | undefined,
  plansAndExtras: PlansAndExtras,
): string[] {
  const known = new Set(copy?.items.map(({ price }) => price));
  return unknownItems(newCopy?.items ?? [], plansAndExtras)
    .map(({ price }) => price)
    .filter((price) => !known.has(price));
}

/** The documents after a sync. */
interface DocumentsAfter {
  /** The customer as the transaction stores it. */
  customer: DocumentsBefore['customer'];
  /** Our copy of the subscription. Undefined if Stripe has the subscription no longer. */
  copy: SubscriptionDocument | undefined;
  others: readonly SubscriptionWithId[];
  newUnknownPrices: readonly string[];
}

function resultOf(
  { plans }: PlansAndExtras,
  { customerId, subscriptionId: id }: SyncTarget,
  { customer, copy, others, newUnknownPrices }: DocumentsAfter,
): SyncResult {
  const all = copy === undefined ? others : [...others, { id, data: copy }];
  return {
    subscription: {
      runningPlanItem: copy && planItemIfRunning(copy, plans),
      scheduled: copy && scheduledOf(id, copy),
      newUnknownPrices,
    },
    customer: {
      customerId,
      type: customer.type,
      ...storedHoldingOf(plans, customer),
      running: all.filter(({ data }) => isRunning(data)),
      ownedPlans: customer.ownedPlans,
      markedDuplicates: customer.markedDuplicates ?? [],
    },
  };
}
