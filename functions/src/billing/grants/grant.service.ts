import type { Backend } from '../../backend.ts';
import type { Tx } from '../../firestore/db.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import { syncClaims } from '../subscriptions/access/claims.service.ts';
import { storedHoldingOf } from '../subscriptions/stored-holding.ts';
import { readHoldingSources } from '../subscriptions/subscription.store.ts';
import { updateHolding } from '../subscriptions/sync/update-holding.store.ts';

/** The granted plans of one customer to write, by their ids. The value undefined deletes the document. */
export type GrantChanges = ReadonlyMap<string, SubscriptionDocument | undefined>;

/**
 * Writes granted plans and the resulting plan of the customer.
 *
 * @throws DamagedDocument for a damaged granted plan that is not in `changes`, or a damaged copy of a subscription
 */
export async function writeGrants(
  backend: Backend,
  tx: Tx,
  { customerId, customer }: { customerId: string; customer: CustomerDocument },
  changes: GrantChanges,
): Promise<void> {
  const sources = await readHoldingSources(tx, customerId, customer, (id) => changes.has(id));
  const kept = sources.subscriptions.filter(({ id }) => !changes.has(id)).map(({ data }) => data);
  const written = [...changes.values()].filter((data) => data !== undefined);
  for (const [id, data] of changes) {
    if (data === undefined) tx.subscriptions(customerId).delete(id);
    else tx.subscriptions(customerId).set(id, data);
  }
  const subscriptions = [...kept, ...written];
  updateHolding(backend, tx, {
    customerId,
    customer,
    subscriptions,
    team: sources.team,
  });
}

export async function syncClaimsAfterGrant(backend: Backend, customerId: string): Promise<void> {
  const customer = await backend.db.customers.get(customerId);
  if (customer?.type !== 'user') return;
  await syncClaims(backend, customerId, storedHoldingOf(backend.config.plans, customer));
}
