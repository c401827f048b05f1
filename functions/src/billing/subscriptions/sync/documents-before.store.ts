import type { Tx } from '../../../firestore/db.ts';
import type { CustomerDocument } from '../../../firestore/documents/customer.ts';
import type { SubscriptionDocument } from '../../../firestore/documents/subscription.ts';
import type { Team } from '../../../firestore/documents/team.ts';
import type { MaybeDamaged } from '../../../firestore/query.ts';
import { isProcessed } from '../../processed-events.store.ts';
import { runningAndGrantedSubscriptions } from '../subscription.store.ts';
import type { SyncTarget } from './sync-shapes.ts';

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
  /** Our copy. Undefined if it is missing or damaged. Unless `wasProcessed`, a new copy is written. */
  copyBefore: SubscriptionDocument | undefined;
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
    copyBefore: copies.get(subscriptionId),
    others: runningAndGranted.filter(({ id }) => id !== subscriptionId),
    wasProcessed,
  };
}
