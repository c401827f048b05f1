import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import type { Reads, Tx } from '../../../firestore/db.ts';
import type { CustomerDocument } from '../../../firestore/documents/customer.ts';
import type { SubscriptionDocument, SubscriptionWithId } from '../../../firestore/documents/subscription.ts';
import type { Team } from '../../../firestore/documents/team.ts';
import { isIntact, type MaybeDamaged } from '../../../firestore/query.ts';
import type { LostCustomer } from '../../customer-rules.ts';
import { isProcessed, type EventHead } from '../../processed-events.store.ts';
import { retrieveSubscriptionDocument } from '../subscription-document.ts';
import { runningAndGrantedSubscriptions } from '../subscription.store.ts';

export interface SyncOptions {
  /** The event that reported a change. The sync records the event: a second sync for it changes no document. */
  event?: EventHead | undefined;
  /** Data of a lost customer. The sync recreates the customer's document only if the subscription is running. */
  lostCustomer?: LostCustomer | undefined;
  /** The subscription from a list of Stripe, with `latest_invoice` expanded. Passing it can save a call to Stripe. */
  listed?: Stripe.Subscription | undefined;
}

/** The subscription to sync. */
export interface SyncTarget extends SyncOptions {
  customerId: string;
  subscriptionId: string;
}

/** The documents before a sync, all read in its transaction. */
export interface DocumentsBefore {
  customer: Pick<
    CustomerDocument,
    'type' | 'plan' | 'addOns' | 'ownedPlans' | 'entitlements' | 'markedDuplicates'
  >;
  /** False if `customer` comes from `lostCustomer`. */
  hasCustomerDocument: boolean;
  /** Undefined for a user, for a team whose document is gone, and if `wasProcessed`. */
  team: Team | undefined;
  /** Our copy of the subscription. Undefined if it is missing or damaged: a new copy is written. */
  copy: SubscriptionDocument | undefined;
  /** Our copies of the customer's other running subscriptions, and the granted plans. */
  others: MaybeDamaged<SubscriptionDocument>[];
  /** True if an earlier sync has recorded the event. */
  wasProcessed: boolean;
}

/** @returns undefined if the customer has no document, and `lostCustomer` is missing: then the customer was purged */
export async function readDocumentsBefore(tx: Tx, target: SyncTarget): Promise<DocumentsBefore | undefined> {
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
    copy: copies.get(subscriptionId),
    others: runningAndGranted.filter(({ id }) => id !== subscriptionId),
    wasProcessed,
  };
}

/**
 * Replaces a damaged copy of another subscription by the document that Stripe's subscription gives.
 *
 * @throws DamagedDocument for a damaged document that Stripe does not know, such as a granted plan
 */
export async function replaceDamaged(
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
