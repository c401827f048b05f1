import type { Tx } from '../../../firestore/db.ts';
import { ownedPlansOfPurchases } from '../../customers/lost/owned-plans.store.ts';
import { isSynced } from '../../synced-events.store.ts';
import { runningAndGrantedSubscriptions } from '../subscription.store.ts';
import type { DocumentsBefore, SyncTarget } from './sync-shapes.ts';

/** @returns undefined if the customer has no document, and `lostCustomer` is missing: then the customer was purged */
export async function readDocumentsBefore(tx: Tx, target: SyncTarget): Promise<DocumentsBefore | undefined> {
  const { customerId, subscriptionId, event, lostCustomer } = target;
  const [existing, copyBefore, runningAndGranted, wasSynced] = await Promise.all([
    tx.customers.get(customerId),
    tx.subscriptions(customerId).getIntact(subscriptionId),
    runningAndGrantedSubscriptions(tx, customerId).findWithDamaged(),
    isSynced(tx, event),
  ]);
  const customer =
    existing ?? (lostCustomer && { ...lostCustomer, ...(await ownedPlansOfPurchases(tx, customerId)) });
  if (customer === undefined) return undefined;
  const needsTeam = customer.type === 'team' && !wasSynced;
  return {
    customer,
    hasCustomerDocument: existing !== undefined,
    team: needsTeam ? await tx.teams.get(customerId) : undefined,
    copyBefore,
    others: runningAndGranted.filter(({ id }) => id !== subscriptionId),
    wasSynced,
  };
}
