import { randomUUID } from 'node:crypto';
import type { Db, Reads } from '../../firestore/db.ts';
import type { Checkout } from '../../firestore/documents/customer.ts';
import { refuse } from '../../refusals.ts';
import { openKeyedHash } from '../../common/keyed-hash.ts';
import type { Config } from '../../settings/config.ts';
import type { Plan } from '../../settings/plans.ts';
import { isClosed } from '../customers/customer.store.ts';
import type { Subject } from '../customers/subject.ts';
import { readTrials, reserveTrials } from '../trials/trial.store.ts';

/** What is bought. */
export interface Cart {
  priceId: string;
  quantity: number;
}

/** A requested checkout. */
interface Order {
  subject: Subject;
  cart: Cart;
  plan: Pick<Plan, 'slug'>;
  config: Pick<Config, 'trialDays'>;
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
  db: Db,
  { subject, cart, plan, config, now }: Order,
  spent: string | undefined,
): Promise<Reservation> {
  const { customerId } = subject;
  const hash = config.trialDays === 0 ? undefined : await openKeyedHash(db, now);
  return db.run(async (tx) => {
    const [customer, isThere, trials] = await Promise.all([
      tx.customers.get(customerId),
      isStillThere(tx, subject),
      hash && readTrials(tx, subject, { hash, now }),
    ]);
    if (!isThere) throw teamNotFound();
    if (customer === undefined || isClosed(customer, now)) throw customerClosed();
    const trialDays = trials?.isFree === true ? config.trialDays : 0;
    const same = continued(customer.checkout, { ...cart, trialDays }, spent);
    if (trials && trialDays > 0 && same?.sessionId === undefined) {
      reserveTrials(tx, trials, { customerId, reservedAt: now });
    }
    if (same) return { checkout: same, replaced: undefined };
    const { ownerId, callerId } = subject;
    const checkout = { ...cart, trialDays, ownerId, callerId, key: randomUUID() };
    tx.customers.update(customerId, { checkout });
    if (subject.type === 'team') {
      tx.audit.record({
        teamId: customerId,
        actorId: callerId,
        action: 'billing.checkout_begun',
        target: customerId,
        at: now,
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
  db: Db,
  customerId: string,
  { key, sessionId }: { key: string; sessionId: string },
  now: Date,
): Promise<boolean> {
  return db.run(async (tx) => {
    const customer = await tx.customers.get(customerId);
    if (customer === undefined || isClosed(customer, now)) return false;
    const current = customer.checkout;
    if (current?.key !== key) return false;
    if (current.sessionId !== sessionId) tx.customers.update(customerId, { 'checkout.sessionId': sessionId });
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
async function isStillThere(reads: Reads, { type, customerId }: Subject): Promise<boolean> {
  if (type === 'user') return true;
  const team = await reads.teams.get(customerId);
  return team !== undefined && team.deletingSince === undefined;
}

const teamNotFound = () => refuse('team_not_found');

const customerClosed = () => refuse('customer_closed');
