import * as z from 'zod';
import type { Backend } from '../../backend.ts';
import { DamagedDocument, damageAsValue } from '../../firestore/damage.ts';
import type { Tx } from '../../firestore/db.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import { refusal } from '../../refusals/refusals.ts';
import { requireOfferedTo, requirePaidPlan } from '../catalogue/offer-rules.ts';
import { isClosed, initialCustomer } from '../customer-rules.ts';
import { prepareNewCustomer } from '../customers/new-customer.store.ts';
import { grantDocument } from '../subscriptions/granted-plan.ts';
import { endGrant, syncClaimsAfterGrant, writeGrants } from './grant.service.ts';

/** Id of the comped plan among the subscriptions of a customer. No subscription of Stripe has this id. */
export const COMP_ID = 'comped';

/** A user or team that gets a plan. The address and the name are for a customer that does not exist yet. */
export type CompedCustomer = Pick<CustomerDocument, 'type' | 'email' | 'name'> & { customerId: string };

export interface Comp {
  /** Slug of the plan. */
  planSlug: string;
  until: Date;
}

/** Writes further documents, such as an audit log entry, in the transaction that changes the comped plan. */
export type WriteWithComp = (tx: Tx) => void;

/**
 * Gives a customer a plan without payment until a date. Replaces an earlier comped plan. While the customer pays for a
 * higher plan, the higher plan applies. The reconciliation ends the comped plan.
 *
 * @throws Refusal `plan_not_found`, `plan_is_free`, `plan_for_teams_only`, `plan_for_users_only`; `comp_in_the_past`,
 *   `customer_closed`
 */
export async function compPlan(
  backend: Backend,
  customer: CompedCustomer,
  comp: Comp,
  alsoWrite: WriteWithComp,
): Promise<void> {
  const { config, db, now } = backend;
  const plan = requirePaidPlan(config.plans, comp.planSlug);
  requireOfferedTo(plan, customer.type);
  if (comp.until <= now()) throw refusal('comp_in_the_past');
  const { customerId } = customer;
  await db.run(async (tx) => {
    const stored = await tx.customers.get(customerId);
    if (stored !== undefined && isClosed(stored, now())) throw refusal('customer_closed');
    if (stored === undefined && !(await prepareNewCustomer(backend, tx, customer)))
      throw refusal('customer_closed');
    const given = stored ?? initialCustomer(customer, now());
    if (stored === undefined) tx.customers.create(customerId, given);
    const data = grantDocument({ ...comp, planSlug: plan.slug }, now());
    await writeGrants(backend, tx, { customerId, customer: given }, new Map([[COMP_ID, data]]));
    alsoWrite(tx);
  });
  await syncClaimsAfterGrant(backend, customerId);
}

/**
 * Ends the comped plan of a customer for an operator. Idempotent. Also ends a plan whose document is damaged or gone:
 * the customer then has the best of the other plans.
 *
 * @returns false if there was no comped plan, and the customer had the right plan
 * @throws DamagedDocument as `writeGrants`
 */
export async function endComp(
  backend: Backend,
  customerId: string,
  alsoWrite: WriteWithComp,
): Promise<boolean> {
  const hasEnded = await backend.db.run(async (tx) => {
    const hasChanged = await endGrant(backend, tx, { customerId, id: COMP_ID });
    if (hasChanged) alsoWrite(tx);
    return hasChanged;
  });
  if (hasEnded) await syncClaimsAfterGrant(backend, customerId);
  return hasEnded;
}

/** Ends the comped plan of a customer if its date has passed. Idempotent. A damaged document ends by its date, too. */
export async function endDueComp(backend: Backend, customerId: string): Promise<void> {
  await backend.db.run(async (tx) => {
    const comp = await damageAsValue(tx.subscriptions(customerId).get(COMP_ID));
    if (isDue(comp, backend.now())) await endGrant(backend, tx, { customerId, id: COMP_ID });
  });
  // Also if the plan was gone already: an earlier attempt may have ended it, whose answer was lost.
  await syncClaimsAfterGrant(backend, customerId);
}

function isDue(comp: SubscriptionDocument | DamagedDocument | undefined, now: Date): boolean {
  const until = comp instanceof DamagedDocument ? comp.field('grace_until', z.date()) : comp?.grace_until;
  return until !== undefined && until !== null && until <= now;
}
