import type { Backend } from '../../backend.ts';
import type { Tx } from '../../firestore/db.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import { refusal } from '../../refusals/refusals.ts';
import { requireSoldTo, requirePaidPlan } from '../catalogue/paid-plan.ts';
import { isClosed, isExistingSubject, newCustomer } from '../customer-rules.ts';
import { grantDocument, syncClaimsAfterGrant, writeGrants } from './grant.ts';

/** Id of the comped plan among the subscriptions of a customer. No subscription of Stripe has this id. */
export const COMP_ID = 'comped';

/** A user or team that gets a plan. The address and the name are for a customer that does not exist yet. */
export type CompedCustomer = Pick<CustomerDocument, 'type' | 'email' | 'name'> & { customerId: string };

export interface Comp {
  /** Slug of the plan. */
  plan: string;
  until: Date;
}

/** Writes further documents, such as an audit log entry, in the transaction that changes the comped plan. */
export type WriteWithComp = (tx: Tx) => void;

/**
 * Gives a customer a plan without payment until a date. Replaces an earlier comped plan. While the customer pays for a
 * higher plan, the higher plan applies. The reconciliation ends the comped plan.
 *
 * @throws Refusal `plan_not_found`, `plan_is_free`, `plan_not_for_subject`; `comp_in_the_past`, `customer_closed`
 */
export async function compPlan(
  backend: Backend,
  customer: CompedCustomer,
  comp: Comp,
  alsoWrite: WriteWithComp,
): Promise<void> {
  const { config, db, now } = backend;
  const plan = requirePaidPlan(config.plans, comp.plan);
  requireSoldTo(plan, customer.type);
  if (comp.until <= now()) throw refusal('comp_in_the_past');
  const { customerId } = customer;
  await db.run(async (tx) => {
    const stored = await tx.customers.get(customerId);
    if (stored !== undefined && isClosed(stored, now())) throw refusal('customer_closed');
    if (stored === undefined && !(await isExistingSubject(backend, tx, customer)))
      throw refusal('customer_closed');
    const given = stored ?? newCustomer(customer, now());
    if (stored === undefined) tx.customers.create(customerId, given);
    const data = grantDocument({ ...comp, plan: plan.slug }, now());
    await writeGrants(backend, tx, { customerId, customer: given }, new Map([[COMP_ID, data]]));
    alsoWrite(tx);
  });
  await syncClaimsAfterGrant(backend, customerId);
}

/**
 * Ends the comped plan of a customer. Idempotent.
 *
 * @param options.onlyIfDue true to end the comped plan only if its date has passed
 * @returns false if no comped plan was ended
 */
export async function endComp(
  backend: Backend,
  customerId: string,
  { onlyIfDue = false, alsoWrite }: { onlyIfDue?: boolean; alsoWrite?: WriteWithComp } = {},
): Promise<boolean> {
  const { db, now } = backend;
  const hasEnded = await db.run(async (tx) => {
    const [customer, copies] = await Promise.all([
      tx.customers.get(customerId),
      tx.subscriptions(customerId).getIntact([COMP_ID]),
    ]);
    const until = copies.get(COMP_ID)?.grace_until ?? undefined;
    const hasPassed = until !== undefined && until <= now();
    const mayEnd = onlyIfDue ? hasPassed : copies.has(COMP_ID);
    if (!mayEnd) return false;
    if (customer === undefined) tx.subscriptions(customerId).delete(COMP_ID);
    else await writeGrants(backend, tx, { customerId, customer }, new Map([[COMP_ID, undefined]]));
    alsoWrite?.(tx);
    return true;
  });
  if (hasEnded) await syncClaimsAfterGrant(backend, customerId);
  return hasEnded;
}
