import type { Backend } from '../../backend.ts';
import type { Tx } from '../../firestore/db.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import { refuse } from '../../refusals.ts';
import { requirePlanForSubject, requirePaidPlan } from '../catalogue/paid-plan.ts';
import { newCustomer } from '../customer-document.ts';
import { isClosed } from '../customers/customer.store.ts';
import { storedHolding, syncClaims } from '../subscriptions/claims.service.ts';
import { readHolders, updateHolding } from '../settlement/holding.store.ts';
import { COMPED } from '../subscriptions/subscription.ts';

/** Id of the comped plan among the subscriptions of a customer. No subscription of Stripe has it. */
export const COMP_ID = 'comped';

/** A user or team that gets a plan. The address and the name are for a customer that is new. */
export type CompedCustomer = Pick<CustomerDocument, 'type' | 'email' | 'name'> & { customerId: string };

/** A plan that an operator gives without payment. */
export interface Comp {
  /** Slug of the plan. */
  plan: string;
  until: Date;
}

/** Writes more in the transaction of a change, such as an entry of the audit log. */
export type AlsoWrite = (tx: Tx) => void;

/**
 * Gives a customer a plan without payment until a date, in the place of an earlier comped plan. A higher plan that is paid
 * stays, and so does the plan if a subscription ends before the date. The reconciliation ends it.
 *
 * @throws Refusal `plan_not_found`, `plan_is_free`, `plan_not_for_subject`; `comp_in_the_past`, `customer_closed`
 */
export async function compPlan(
  backend: Backend,
  customer: CompedCustomer,
  comp: Comp,
  alsoWrite: AlsoWrite,
): Promise<void> {
  const { config, db, now } = backend;
  const plan = requirePaidPlan(config.plans, comp.plan);
  requirePlanForSubject(plan, customer.type);
  if (comp.until <= now()) throw refuse('comp_in_the_past');
  const { customerId } = customer;
  await db.run(async (tx) => {
    const stored = await tx.customers.get(customerId);
    if (stored !== undefined && isClosed(stored, now())) throw refuse('customer_closed');
    const given = stored ?? newCustomer(customer, now());
    const holders = await readHolders(tx, customerId, given);
    const data = documentOf({ ...comp, plan: plan.slug }, now());
    const subscriptions = [...withoutComp(holders.subscriptions), { ...PLACE, data }];
    if (stored === undefined) tx.customers.create(customerId, given);
    tx.subscriptions(customerId).set(COMP_ID, data);
    updateHolding(backend, tx, { ...holders, subscriptions, customerId, customer: given });
    alsoWrite(tx);
  });
  await syncClaimsOf(backend, customerId);
}

/**
 * Ends the comped plan of a customer. Idempotent.
 *
 * @param options.isDue true to end it only if its date has passed
 * @returns false if there was none to end
 */
export async function endComp(
  backend: Backend,
  customerId: string,
  { isDue = false, alsoWrite }: { isDue?: boolean; alsoWrite?: AlsoWrite } = {},
): Promise<boolean> {
  const { db, now } = backend;
  const hasEnded = await db.run(async (tx) => {
    const [customer, copies] = await Promise.all([
      tx.customers.get(customerId),
      tx.subscriptions(customerId).getIntact([COMP_ID]),
    ]);
    const until = copies.get(COMP_ID)?.grace_until ?? undefined;
    if (isDue ? until === undefined || until > now() : !copies.has(COMP_ID)) return false;
    if (customer !== undefined) {
      const holders = await readHolders(tx, customerId, customer);
      const subscriptions = withoutComp(holders.subscriptions);
      updateHolding(backend, tx, { ...holders, subscriptions, customerId, customer });
    }
    tx.subscriptions(customerId).delete(COMP_ID);
    alsoWrite?.(tx);
    return true;
  });
  if (hasEnded) await syncClaimsOf(backend, customerId);
  return hasEnded;
}

/** The claims of a user follow the customer's document. A team has none. */
async function syncClaimsOf(backend: Backend, customerId: string): Promise<void> {
  const customer = await backend.db.customers.get(customerId);
  if (customer?.type !== 'user') return;
  await syncClaims(backend, customerId, storedHolding(backend.config.plans, customer));
}

const PLACE = { id: COMP_ID, path: '', parentId: '' };

function withoutComp<Found extends { id: string }>(subscriptions: readonly Found[]): Found[] {
  return subscriptions.filter(({ id }) => id !== COMP_ID);
}

/** A comped plan in the shape of a subscription, so that reading a plan costs nothing more. */
function documentOf({ plan, until }: Comp, now: Date): SubscriptionDocument {
  return {
    status: COMPED,
    role: plan,
    metadata: {},
    items: [],
    price: null,
    product: null,
    prices: [],
    priceId: null,
    quantity: null,
    cancel_at_period_end: false,
    created: now,
    current_period_start: now,
    current_period_end: until,
    cancel_at: null,
    canceled_at: null,
    ended_at: null,
    trial_start: null,
    trial_end: null,
    past_due_since: null,
    grace_until: until,
    collection_paused: null,
    latest_invoice: null,
    stripeLink: '',
  };
}
