import type { Backend } from '../../backend.ts';
import type { Tx } from '../../firestore/db.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import { freePlan } from '../../settings/plans.ts';
import { customerWithoutDocument } from '../customers/lost/lost-customer.store.ts';
import { syncClaims } from '../subscriptions/access/claims.service.ts';
import { planSlugEvenIfRemoved, storedHoldingOf } from '../subscriptions/stored-holding.ts';
import { readHoldingSources } from '../subscriptions/subscription.store.ts';
import { updateHolding } from '../subscriptions/sync/update-holding.store.ts';

/** The granted plans of one customer to write, by their ids. The value undefined deletes the document. */
export type GrantChanges = ReadonlyMap<string, SubscriptionDocument | undefined>;

/**
 * Writes granted plans and the resulting plan of the customer.
 *
 * @returns true if the customer or the team had another plan before
 * @throws DamagedDocument for a damaged granted plan that is not in `changes`, or a damaged copy of a subscription
 */
export async function writeGrants(
  backend: Backend,
  tx: Tx,
  { customerId, customer }: { customerId: string; customer: CustomerDocument },
  changes: GrantChanges,
): Promise<boolean> {
  const sources = await readHoldingSources(tx, customerId, customer, (id) => changes.has(id));
  const kept = sources.subscriptions.filter(({ id }) => !changes.has(id)).map(({ data }) => data);
  const written = [...changes.values()].filter((data) => data !== undefined);
  for (const [id, data] of changes) {
    if (data === undefined) tx.subscriptions(customerId).delete(id);
    else tx.subscriptions(customerId).set(id, data);
  }
  const subscriptions = [...kept, ...written];
  const { team } = sources;
  const { plan } = updateHolding(backend, tx, { customerId, customer, subscriptions, team });
  return [customer, team].some(
    (before) => before && planSlugEvenIfRemoved(backend.config.plans, before) !== plan.slug,
  );
}

/**
 * Ends a granted plan. If the document of the customer is gone, makes it again, so that the team or the claims of the
 * user lose the plan too. The document of the granted plan may be damaged or missing.
 *
 * @param replacement what stays of the granted plan; undefined deletes its document
 * @returns true if anything has changed
 * @throws DamagedDocument as `writeGrants`
 */
export async function endGrant(
  backend: Backend,
  tx: Tx,
  { customerId, id }: { customerId: string; id: string },
  replacement?: SubscriptionDocument,
): Promise<boolean> {
  const [stored, hasGrant] = await Promise.all([
    tx.customers.get(customerId),
    tx.subscriptions(customerId).exists(id),
  ]);
  const customer = stored ?? (await customerWithoutDocument(backend, tx, customerId));
  if (customer === undefined) {
    if (hasGrant) tx.subscriptions(customerId).delete(id);
    return hasGrant;
  }
  const { plans } = backend.config;
  const isFree = planSlugEvenIfRemoved(plans, customer) === freePlan(plans).slug;
  if (stored === undefined && !hasGrant && isFree) return false;
  if (stored === undefined) tx.customers.create(customerId, customer);
  const hasNewPlan = await writeGrants(backend, tx, { customerId, customer }, new Map([[id, replacement]]));
  return hasGrant || hasNewPlan;
}

export async function syncClaimsAfterGrant(backend: Backend, customerId: string): Promise<void> {
  const customer = await backend.db.customers.get(customerId);
  if (customer?.type !== 'user') return;
  await syncClaims(backend, customerId, storedHoldingOf(backend.config.plans, customer));
}
