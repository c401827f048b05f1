import type { Reads } from '../../firestore/db.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import type { Team } from '../../firestore/documents/team.ts';
import { isIntact, type Found, type Query } from '../../firestore/query.ts';
import type { PlansAndExtras } from '../../settings/extras.ts';
import { hasOneTimePrices } from '../../settings/plans.ts';
import { holdingOf, ownedPlansOf, type Holding } from './holding.ts';
import { GRANTED, MAY_BE_ENTITLING, RUNNING } from './status.ts';

export function runningSubscriptions(reads: Reads, customerId: string): Query<SubscriptionDocument> {
  return reads.subscriptions(customerId).where('status', 'in', [...RUNNING]);
}

/**
 * Also finds a damaged copy, if its status is intact. Reads at most `ignored.length + 1` documents.
 *
 * @param ignored ids of subscriptions that do not count
 */
export async function hasRunningSubscription(
  reads: Reads,
  customerId: string,
  ignored: readonly string[] = [],
): Promise<boolean> {
  const found = await runningSubscriptions(reads, customerId)
    .limit(ignored.length + 1)
    .findPaths();
  return found.some(({ id }) => !ignored.includes(id));
}

export function runningAndGrantedSubscriptions(
  reads: Reads,
  customerId: string,
): Query<SubscriptionDocument> {
  return reads.subscriptions(customerId).where('status', 'in', [...RUNNING, GRANTED]);
}

/**
 * The plan and the add-ons of a user. Reads one document for each subscription or granted plan that can be entitling.
 * An empty result costs one read. Reads the customer too, if plans are sold by one-time purchases.
 */
export async function readHoldingOfUser(
  reads: Reads,
  plansAndExtras: PlansAndExtras,
  uid: string,
  now: Date,
): Promise<Holding> {
  const { plans } = plansAndExtras;
  const mayBeEntitling = reads.subscriptions(uid).where('status', 'in', [...MAY_BE_ENTITLING]);
  const [subscriptions, customer] = await Promise.all([
    mayBeEntitling.findIntact(),
    hasOneTimePrices(plans) ? reads.customers.getIntact(uid) : undefined,
  ]);
  const owned = ownedPlansOf(customer ?? {}, plans);
  return holdingOf(
    subscriptions.map(({ data }) => data),
    plansAndExtras,
    now,
    owned,
  );
}

/** The documents that `updateHolding` needs besides the document of the customer. */
export interface HoldingSources {
  /** The running subscriptions and the granted plans. */
  readonly subscriptions: readonly Found<SubscriptionDocument>[];
  /** Undefined for a user, and for a team whose document is gone. */
  readonly team: Team | undefined;
}

/**
 * @param isOverwritten true for the id of a document that the calling function writes or deletes. Damage to this
 *   document is ignored.
 * @throws DamagedDocument for every other damaged document: if it were ignored, the customer could lose a plan
 */
export async function readHoldingSources(
  reads: Reads,
  customerId: string,
  { type }: Pick<CustomerDocument, 'type'>,
  isOverwritten: (id: string) => boolean = () => false,
): Promise<HoldingSources> {
  const [found, team] = await Promise.all([
    runningAndGrantedSubscriptions(reads, customerId).findWithDamaged(),
    type === 'team' ? reads.teams.get(customerId) : undefined,
  ]);
  for (const subscription of found) {
    if (!isIntact(subscription) && !isOverwritten(subscription.id)) throw subscription.damage;
  }
  return { subscriptions: found.filter(isIntact), team };
}
