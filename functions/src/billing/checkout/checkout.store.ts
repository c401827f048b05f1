import { randomUUID } from 'node:crypto';
import type { Firestore, Transaction } from 'firebase-admin/firestore';
import { recordAudit } from '../../audit/audit-log.store.ts';
import { refuse } from '../../refusals.ts';
import { openKeyedHashLegacy } from '../../common/keyed-hash.ts';
import type { Config } from '../../settings/config.ts';
import type { Plan } from '../../settings/plans.ts';
import { isBeingDeleted, teamRef } from '../../teams/team.store.ts';
import { transact } from '../../firestore/transaction.ts';
import { customerRef, isClosed } from '../customers/customer.store.ts';
import type { Subject } from '../customers/subject.ts';
import { readTrials, reserveTrials } from '../subscriptions/trial.store.ts';

/** What is bought. */
export interface Cart {
  priceId: string;
  quantity: number;
}

export interface Checkout extends Cart {
  /** Free days before the first payment. */
  trialDays: number;
  /** Who answered for the customer, and who asked, when it was begun; whoever asks next continues it as it is. */
  ownerId: string;
  callerId: string;
  /** Idempotency key of the session's creation. */
  key: string;
  sessionId?: string;
}

/** A requested checkout. */
interface Order {
  subject: Subject;
  cart: Cart;
  plan: Pick<Plan, 'slug'>;
  config: Pick<Config, 'trialDays' | 'auditDays'>;
  now: Date;
}

interface Reservation {
  checkout: Checkout;
  /** The one whose place it takes, if that was for something else. */
  replaced: Checkout | undefined;
}

/**
 * The checkout to continue for a cart, or a new one; with a trial, if one is offered and none was had.
 *
 * A team's audit log gets an entry for each new one.
 *
 * @param spent key of a checkout that turned out to be over
 * @throws Refusal 409 for a customer that is closed, 404 for a team that is being deleted or gone
 */
export async function reserveCheckout(
  firestore: Firestore,
  { subject, cart, plan, config, now }: Order,
  spent: string | undefined,
): Promise<Reservation> {
  const ref = customerRef(firestore, subject.customerId);
  const hash = config.trialDays === 0 ? undefined : await openKeyedHashLegacy(firestore, now);
  return transact(firestore, async (transaction) => {
    const [snapshot, isThere, trials] = await Promise.all([
      transaction.get(ref),
      isStillThere(transaction, firestore, subject),
      hash && readTrials(transaction, firestore, subject, { hash, now }),
    ]);
    if (!isThere) throw teamNotFound();
    const customer = snapshot.data();
    if (customer === undefined || isClosed(customer, now)) throw customerClosed();
    const trialDays = trials?.isFree === true ? config.trialDays : 0;
    const same = continued(customer.checkout, { ...cart, trialDays }, spent);
    if (trials && trialDays > 0 && same?.sessionId === undefined) {
      reserveTrials(transaction, firestore, trials, { customerId: subject.customerId, reservedAt: now });
    }
    if (same) return { checkout: same, replaced: undefined };
    const { ownerId, callerId } = subject;
    const checkout = { ...cart, trialDays, ownerId, callerId, key: randomUUID() };
    transaction.update(ref, { checkout });
    if (subject.type === 'team') {
      recordAudit(transaction, firestore, {
        teamId: subject.customerId,
        actorId: callerId,
        action: 'billing.checkout_begun',
        target: subject.customerId,
        at: now,
        keptDays: config.auditDays,
        details: { plan: plan.slug, quantity: String(cart.quantity) },
      });
    }
    const replaced = customer.checkout?.key === spent ? undefined : customer.checkout;
    return { checkout, replaced };
  });
}

/**
 * Notes the session that a reserved checkout became.
 *
 * @returns false if another checkout has taken its place meanwhile, or the customer is closed
 */
export async function saveSessionId(
  firestore: Firestore,
  customerId: string,
  { key, sessionId }: { key: string; sessionId: string },
  now: Date,
): Promise<boolean> {
  const ref = customerRef(firestore, customerId);
  return transact(firestore, async (transaction) => {
    const customer = (await transaction.get(ref)).data();
    if (customer === undefined || isClosed(customer, now)) return false;
    const current = customer.checkout;
    if (current?.key !== key) return false;
    if (current.sessionId !== sessionId) transaction.update(ref, { 'checkout.sessionId': sessionId });
    return true;
  });
}

/** The customer's checkout, if it is for the same and not known to be over. */
function continued(
  checkout: Checkout | undefined,
  { priceId, quantity, trialDays }: Cart & { trialDays: number },
  spent: string | undefined,
): Checkout | undefined {
  if (checkout === undefined || checkout.key === spent) return undefined;
  const isSame =
    checkout.priceId === priceId && checkout.quantity === quantity && checkout.trialDays === trialDays;
  return isSame ? checkout : undefined;
}

/** A team may be marked for deletion after the caller was let in, and its customer be closed and removed before this. */
async function isStillThere(
  transaction: Transaction,
  firestore: Firestore,
  { type, customerId }: Subject,
): Promise<boolean> {
  if (type === 'user') return true;
  const team = (await transaction.get(teamRef(firestore, customerId))).data();
  return team !== undefined && !isBeingDeleted(team);
}

const teamNotFound = () => refuse('team_not_found');

const customerClosed = () => refuse('customer_closed');
