import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Backend } from '../../backend.ts';
import { openKeyedHash } from '../../common/keyed-hash.ts';
import type { Db, Tx } from '../../firestore/db.ts';
import type { StoredCheckout, CustomerDocument } from '../../firestore/documents/customer.ts';
import { refuse } from '../../refusals.ts';
import type { Config } from '../../settings/config.ts';
import { reaches } from '../../settings/plans.ts';
import { authorize } from '../../teams/authorize.ts';
import { recordForTeam } from '../audit.ts';
import { isClosed, requireOpenCustomer } from '../customers/customer.store.ts';
import { ownedPlansOf } from '../subscriptions/subscription.ts';
import { readEligibility, reserveTrials } from '../trials/trial.store.ts';
import type { Cart, PreparedCheckout } from './plan-order.ts';

interface Reservation {
  checkout: StoredCheckout;
  /** The customer's previous checkout, if this one replaces it. The caller must expire its session. */
  previous: StoredCheckout | undefined;
}

/**
 * Continues the customer's stored checkout if cart and trial days are the same, and stores a new one otherwise. A new
 * checkout has a trial if one is offered and still available. A new checkout of a team is recorded in the audit log.
 *
 * The transaction authorizes the user again: they can have lost the right to buy for the team since the request began.
 *
 * @param finishedKey key of a checkout that is finished: its session has expired, was paid, or was made with other parameters.
 *   That checkout is replaced by a new one
 * @throws Refusal `customer_closed`; `already_owned` or `covered_by_owned` if the plan or a higher one was bought by a one-time
 *   purchase; `team_not_found` or `forbidden` if the user is no longer allowed to buy for the team
 */
export async function reserveCheckout(
  backend: Backend,
  prepared: PreparedCheckout,
  finishedKey: string | undefined,
): Promise<Reservation> {
  const { db, config } = backend;
  const { subject, cart } = prepared;
  const { customerId } = subject;
  const now = backend.now();
  const hash = config.trialDays === 0 ? undefined : await openKeyedHash(db, now);
  return db.run(async (tx) => {
    const [stored, trials] = await Promise.all([
      tx.customers.get(customerId),
      hash && readEligibility(tx, subject, { hash, now }),
      subject.type === 'team' && authorize(tx, { uid: subject.callerId }, customerId, 'billing:manage'),
    ]);
    const customer = requireOpenCustomer(stored, now);
    requireNotOwned(config, customer, prepared);
    // A finished checkout is neither continued nor expired.
    const current = customer.checkout?.key === finishedKey ? undefined : customer.checkout;
    const trialDays = trials?.isTrialAvailable === true ? config.trialDays : 0;
    const canContinue = hasSameContents(current, { ...cart, trialDays });
    // A trial must stay reserved for as long as its session is open. So it is reserved again when a session is about to be made.
    const needsSession = !canContinue || current.sessionId === undefined;
    if (trials && trialDays > 0 && needsSession) {
      reserveTrials(tx, trials, { customerId, reservedAt: now });
    }
    if (canContinue) return { checkout: current, previous: undefined };
    const checkout = storeCheckout(tx, prepared, trialDays, now);
    return { checkout, previous: current };
  });
}

/** @throws Refusal `already_owned` if a one-time purchase has bought this plan, `covered_by_owned` if it bought a higher one */
function requireNotOwned(
  { plans }: Config,
  customer: CustomerDocument,
  { subject, plan }: Pick<PreparedCheckout, 'subject' | 'plan'>,
): void {
  const owned = ownedPlansOf(customer, plans);
  const isTeam = subject.type === 'team';
  if (owned.includes(plan)) throw refuse(isTeam ? 'team_already_owns' : 'already_owned');
  if (owned.some(({ slug }) => reaches(plans, slug, plan.slug))) {
    throw refuse(isTeam ? 'team_covered_by_owned' : 'covered_by_owned');
  }
}

function hasSameContents(
  checkout: StoredCheckout | undefined,
  wanted: Cart & { trialDays: number },
): checkout is StoredCheckout {
  return (
    checkout?.priceId === wanted.priceId &&
    checkout.quantity === wanted.quantity &&
    isDeepStrictEqual(checkout.furtherItems, wanted.furtherItems) &&
    checkout.currency === wanted.currency &&
    checkout.promotionCode === wanted.promotionCode &&
    isDeepStrictEqual(checkout.replaces, wanted.replaces) &&
    checkout.trialDays === wanted.trialDays &&
    isDeepStrictEqual(checkout.returnUrls, wanted.returnUrls)
  );
}

function storeCheckout(
  tx: Tx,
  { subject, plan, cart }: PreparedCheckout,
  trialDays: number,
  now: Date,
): StoredCheckout {
  const { customerId, ownerId, callerId } = subject;
  const checkout = { ...cart, trialDays, ownerId, callerId, key: randomUUID() };
  tx.customers.update(customerId, { checkout });
  const details = { plan: plan.slug, quantity: String(cart.quantity) };
  recordForTeam(tx, subject, { action: 'billing.checkout_begun', at: now, details });
  return checkout;
}

/**
 * Stores the id of the session that was created for a checkout.
 *
 * @returns `saved`, or the code of a refusal: another checkout has replaced this one, or the customer was closed
 */
export async function saveSessionId(
  db: Db,
  customerId: string,
  { key, sessionId }: { key: string; sessionId: string },
  now: Date,
): Promise<'saved' | 'checkout_superseded' | 'customer_closed'> {
  return db.run(async (tx) => {
    const customer = await tx.customers.get(customerId);
    if (customer === undefined || isClosed(customer, now)) return 'customer_closed';
    const { checkout } = customer;
    if (checkout?.key !== key) return 'checkout_superseded';
    if (checkout.sessionId !== sessionId)
      tx.customers.update(customerId, { 'checkout.sessionId': sessionId });
    return 'saved';
  });
}
