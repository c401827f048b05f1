import { randomUUID } from 'node:crypto';
import type { Backend } from '../../backend.ts';
import { openKeyedHash } from '../../common/keyed-hash.ts';
import type { Db, Tx } from '../../firestore/db.ts';
import type { Checkout, CustomerDocument } from '../../firestore/documents/customer.ts';
import type { Team } from '../../firestore/documents/team.ts';
import { refuse } from '../../refusals.ts';
import type { Plan } from '../../settings/plans.ts';
import { isBeingDeleted } from '../../teams/team.store.ts';
import { isClosed } from '../customers/customer.store.ts';
import type { Subject } from '../customers/subject.ts';
import { readTrials, reserveTrials } from '../trials/trial.store.ts';

/** The contents of a checkout, apart from its trial. */
export interface Cart {
  priceId: string;
  quantity: number;
}

interface CheckoutOrder {
  subject: Subject;
  plan: Pick<Plan, 'slug'>;
  cart: Cart;
}

interface Reservation {
  checkout: Checkout;
  /** The customer's previous checkout, which was for something else and must be ended. */
  replaced: Checkout | undefined;
}

/**
 * Continues the customer's checkout if price, quantity and trial days are the same, and stores a new one otherwise. A new
 * checkout has a trial if one is offered and still available. A new checkout of a team is recorded in the audit log.
 *
 * @param endedKey key of a checkout whose session has ended, so that it cannot be continued
 * @throws Refusal `customer_closed`; `team_not_found` if the team was deleted after the caller was authorized
 */
export async function reserveCheckout(
  backend: Backend,
  order: CheckoutOrder,
  endedKey: string | undefined,
): Promise<Reservation> {
  const { db, config } = backend;
  const { subject, cart } = order;
  const { customerId } = subject;
  const now = backend.now();
  const hash = config.trialDays === 0 ? undefined : await openKeyedHash(db, now);
  return db.run(async (tx) => {
    const [stored, team, trials] = await Promise.all([
      tx.customers.get(customerId),
      subject.type === 'team' ? tx.teams.get(customerId) : undefined,
      hash && readTrials(tx, subject, { hash, now }),
    ]);
    assertTeamExists(subject, team);
    const { checkout: current } = requireOpenCustomer(stored, now);
    const trialDays = trials?.isFree === true ? config.trialDays : 0;
    const canContinue = current?.key !== endedKey && isFor(current, { ...cart, trialDays });
    const isWithoutSession = !canContinue || current.sessionId === undefined;
    if (trials && trialDays > 0 && isWithoutSession) {
      reserveTrials(tx, trials, { customerId, reservedAt: now });
    }
    if (canContinue) return { checkout: current, replaced: undefined };
    const checkout = storeCheckout(tx, order, trialDays, now);
    return { checkout, replaced: current?.key === endedKey ? undefined : current };
  });
}

function assertTeamExists({ type }: Subject, team: Team | undefined): void {
  if (type === 'user') return;
  if (team === undefined || isBeingDeleted(team)) throw refuse('team_not_found');
}

function requireOpenCustomer(customer: CustomerDocument | undefined, now: Date): CustomerDocument {
  if (customer === undefined || isClosed(customer, now)) throw refuse('customer_closed');
  return customer;
}

function isFor(checkout: Checkout | undefined, wanted: Cart & { trialDays: number }): checkout is Checkout {
  return (
    checkout?.priceId === wanted.priceId &&
    checkout.quantity === wanted.quantity &&
    checkout.trialDays === wanted.trialDays
  );
}

function storeCheckout(
  tx: Tx,
  { subject, plan, cart }: CheckoutOrder,
  trialDays: number,
  now: Date,
): Checkout {
  const { customerId, type, ownerId, callerId } = subject;
  const checkout = { ...cart, trialDays, ownerId, callerId, key: randomUUID() };
  tx.customers.update(customerId, { checkout });
  if (type === 'team') {
    tx.audit.record({
      teamId: customerId,
      actorId: callerId,
      action: 'billing.checkout_begun',
      target: customerId,
      at: now,
      details: { plan: plan.slug, quantity: String(cart.quantity) },
    });
  }
  return checkout;
}

/**
 * Stores the id of the session that was created for a checkout.
 *
 * @returns false if another checkout has replaced it, or the customer is closed
 */
export async function saveSessionId(
  db: Db,
  customerId: string,
  { key, sessionId }: { key: string; sessionId: string },
  now: Date,
): Promise<boolean> {
  return db.run(async (tx) => {
    const customer = await tx.customers.get(customerId);
    if (customer === undefined || isClosed(customer, now)) return false;
    const { checkout } = customer;
    if (checkout?.key !== key) return false;
    if (checkout.sessionId !== sessionId)
      tx.customers.update(customerId, { 'checkout.sessionId': sessionId });
    return true;
  });
}
