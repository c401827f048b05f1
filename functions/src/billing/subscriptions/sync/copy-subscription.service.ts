import { isDeepStrictEqual } from 'node:util';
import type { Backend } from '../../../backend.ts';
import type { Reads, Tx } from '../../../firestore/db.ts';
import {
  isTrialRecorded,
  type SubscriptionDocument,
  type SubscriptionWithId,
} from '../../../firestore/documents/subscription.ts';
import { isIntact, type MaybeDamaged } from '../../../firestore/query.ts';
import type { PlansAndExtras } from '../../../settings/extras.ts';
import { personIdsIn } from '../../subject.ts';
import { recordSynced } from '../../synced-events.store.ts';
import { unknownItems } from '../add-on-items.ts';
import {
  makeSubscriptionDocument,
  retrieveSubscriptionDocument,
  runsForAnother,
} from '../from-stripe/subscription-document.service.ts';
import { planItemIfRunning } from '../plan-item.ts';
import { subscriptionIfScheduled } from '../seats/subscription-with-schedule.ts';
import { isRunning } from '../status.ts';
import { storedHoldingOf } from '../stored-holding.ts';
import { recordStartedTrials } from '../trials/trial.store.ts';
import { replacedScheduleOf } from '../wanted-items/planned-change.ts';
import { readDocumentsBefore } from './documents-before.store.ts';
import type { DocumentsAfter, DocumentsBefore, SyncResult, SyncTarget } from './sync-shapes.ts';
import { updateHolding } from './update-holding.store.ts';

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
 * An event that was recorded before changes nothing. The result is made from the stored documents, so that the calling
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
    const { customer, copyBefore } = before;
    if (before.wasSynced) {
      // Nothing is written, so a damaged copy of another subscription is left out, and Stripe is not asked for it.
      const others = before.others.filter(isIntact);
      return resultOf(config, target, { customer, copyAfter: copyBefore, others }, []);
    }

    const copyAfter = await makeCopyFromStripe(backend, tx, target, before);
    // The document of the customer can be missing for two reasons. If the subscription is running, the document was
    // lost and is created again. If the subscription has ended, a deletion has purged the customer: nothing is written.
    const isStillRunning = copyAfter !== undefined && isRunning(copyAfter);
    if (!before.hasCustomerDocument && !isStillRunning) return undefined;
    const others = await readFromStripeIfDamaged(backend, tx, before.others);

    await writeCopy(tx, target, copyBefore, copyAfter);
    const { plan, addOns } = updateHolding(backend, tx, {
      customerId: target.customerId,
      customer,
      subscriptions: [...others.map(({ data }) => data), ...(copyAfter ? [copyAfter] : [])],
      team: before.team,
      lostCustomer: before.hasCustomerDocument ? undefined : target.lostCustomer,
    });
    recordSynced(tx, target.event, backend.now());
    const after = { customer: { ...customer, plan: plan.slug, addOns }, copyAfter, others };
    return resultOf(config, target, after, findNewUnknownPrices(copyBefore, copyAfter, config));
  });
}

/**
 * Makes a copy of the subscription as Stripe has it now.
 *
 * @returns undefined if Stripe has it no longer, or if it runs for a Stripe customer that is not accepted: see
 *   `requiredStripeCustomerId`
 */
async function makeCopyFromStripe(
  backend: Backend,
  reads: Reads,
  target: SyncTarget,
  before: DocumentsBefore,
): Promise<SubscriptionDocument | undefined> {
  const fromList = await makeCopyFromList(backend, reads, target, before);
  if (fromList !== undefined) return fromList;
  const sought = {
    subscriptionId: target.subscriptionId,
    requiredStripeCustomerId: requiredStripeCustomerId(before),
  };
  return retrieveSubscriptionDocument(backend, reads, sought, before.copyBefore);
}

/**
 * The Stripe customer for which a running subscription is accepted: the linked one. Our API could not change or cancel
 * the subscription of another Stripe customer.
 *
 * @returns undefined if every Stripe customer is accepted: we have a copy, and no other copy runs or is damaged. The
 *   reason: if the linked Stripe customer were required here too, the sync would delete our only copy, and the customer
 *   would lose the plan until the reconciliation has linked the other Stripe customer
 */
function requiredStripeCustomerId({ customer, copyBefore, others }: DocumentsBefore): string | undefined {
  const hasOnlyThisCopy = copyBefore !== undefined && !others.some(mayRun);
  return hasOnlyThisCopy ? undefined : customer.stripeId;
}

function mayRun(found: MaybeDamaged<SubscriptionDocument>): boolean {
  return !isIntact(found) || isRunning(found.data);
}

/**
 * Makes a copy from `listed` without asking Stripe, in two cases:
 *
 * - Our copy is the same. Nothing changes.
 * - There is no copy, or it is damaged. A new one overwrites nothing newer: the transaction has locked its path.
 *
 * @returns undefined if Stripe must be asked:
 *   - Our copy differs from the list. It may be newer than the list.
 *   - The customer is lost. The subscription may have ended after the list was read.
 *   - It runs for another Stripe customer than the linked one.
 */
async function makeCopyFromList(
  backend: Backend,
  reads: Reads,
  { listed }: SyncTarget,
  { hasCustomerDocument, customer, copyBefore }: DocumentsBefore,
): Promise<SubscriptionDocument | undefined> {
  if (listed === undefined || !hasCustomerDocument || runsForAnother(listed, customer.stripeId))
    return undefined;
  const copyAfter = await makeSubscriptionDocument(backend, reads, listed, copyBefore);
  return copyBefore === undefined || isDeepStrictEqual(copyAfter, copyBefore) ? copyAfter : undefined;
}

/**
 * Replaces each damaged copy among the others by a document made from the subscription at Stripe. Writes nothing: the
 * next sync of that subscription writes its copy.
 *
 * @throws DamagedDocument for a damaged document that Stripe does not know, such as a granted plan
 */
async function readFromStripeIfDamaged(
  backend: Backend,
  reads: Reads,
  others: readonly MaybeDamaged<SubscriptionDocument>[],
): Promise<SubscriptionWithId[]> {
  const documents = others.map(async (found) => {
    if (isIntact(found)) return found;
    const data = await retrieveSubscriptionDocument(backend, reads, { subscriptionId: found.id });
    if (data === undefined) throw found.damage;
    return { id: found.id, data };
  });
  return Promise.all(documents);
}

async function writeCopy(
  tx: Tx,
  { customerId, subscriptionId }: SyncTarget,
  copyBefore: SubscriptionDocument | undefined,
  copyAfter: SubscriptionDocument | undefined,
): Promise<void> {
  const subscriptions = tx.subscriptions(customerId);
  if (copyAfter === undefined) {
    subscriptions.delete(subscriptionId);
    return;
  }
  // Nothing changes. The trial was recorded when this copy was stored.
  if (isDeepStrictEqual(copyBefore, copyAfter)) return;
  subscriptions.set(subscriptionId, copyAfter);
  await recordTrialOnce(tx, customerId, copyBefore, copyAfter);
}

async function recordTrialOnce(
  tx: Tx,
  customerId: string,
  copyBefore: SubscriptionDocument | undefined,
  { trial_start: startedAt, metadata }: SubscriptionDocument,
): Promise<void> {
  const isRecorded = copyBefore !== undefined && isTrialRecorded(copyBefore);
  if (startedAt === null || isRecorded) return;
  await recordStartedTrials(tx, { customerId, personIds: personIdsIn(metadata) }, startedAt);
}

/** Ids of the prices that are neither configured nor in the copy before the sync. */
function findNewUnknownPrices(
  copyBefore: SubscriptionDocument | undefined,
  copyAfter: SubscriptionDocument | undefined,
  plansAndExtras: PlansAndExtras,
): string[] {
  const known = new Set(copyBefore?.items.map(({ price }) => price));
  return unknownItems(copyAfter?.items ?? [], plansAndExtras)
    .map(({ price }) => price)
    .filter((price) => !known.has(price));
}

function resultOf(
  { plans }: PlansAndExtras,
  { customerId, subscriptionId: id }: SyncTarget,
  { customer, copyAfter, others }: DocumentsAfter,
  newUnknownPrices: readonly string[],
): SyncResult {
  const all = copyAfter === undefined ? others : [...others, { id, data: copyAfter }];
  return {
    subscription: {
      runningPlanItem: copyAfter && planItemIfRunning(copyAfter, plans),
      subscriptionWithSchedule: copyAfter && subscriptionIfScheduled(id, copyAfter),
      replacedSchedule: copyAfter && replacedScheduleOf(copyAfter),
      newUnknownPrices,
    },
    customer: {
      customerId,
      type: customer.type,
      // From the customer, because no holding was calculated for an event that was recorded before.
      holding: storedHoldingOf(plans, customer),
      runningCopies: all.filter(({ data }) => isRunning(data)),
      ownedPlans: customer.ownedPlans,
      markedDuplicates: customer.markedDuplicates ?? [],
    },
  };
}
