import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Backend } from '../../backend.ts';
import { openKeyedHash } from '../../common/keyed-hash.ts';
import { REMOVED } from '../../firestore/collection.ts';
import type { Db, Tx } from '../../firestore/db.ts';
import type { StoredCheckout, CustomerDocument } from '../../firestore/documents/customer.ts';
import { refuse } from '../../refusals.ts';
import type { Config } from '../../settings/config.ts';
import { reaches } from '../../settings/plans.ts';
import { authorize } from '../../teams/authorize.ts';
import { recordForTeam } from '../audit.store.ts';
import { isClosed, requireOpenCustomer } from '../customers/customer.store.ts';
import { ownedPlansOf } from '../subscriptions/holding.ts';
import { readEligibility, reserveTrials } from '../subscriptions/trials/trial.store.ts';
import type { Cart, PreparedCheckout } from './plan-order.ts';

/**
 * Continues the customer's stored checkout if cart and trial days are the same, and stores a new one otherwise. The caller must
 * expire the sessions of `toExpire` before the checkout gets a session of its own, so that only one can be paid. They are
 * stored, so a request after a crash still expires them.
 *
 * A new checkout has a trial if one is offered and still available. A new checkout of a team is recorded in the audit log.
 *
 * The transaction authorizes the user again: they can have lost the right to buy for the team since the request began.
 *
 * @throws Refusal `customer_closed`; `already_owned` or `covered_by_owned` if the plan or a higher one was bought by a one-time
 *   purchase; `team_not_found` or `forbidden` if the user is no longer allowed to buy for the team
 */
export async function reserveCheckout(backend: Backend, prepared: PreparedCheckout): Promise<StoredCheckout> {
  const { db, config } = backend;
  const { subject, cart } = prepared;
  const { customerId } = subject;
  const now = backend.now();
  const hash = config.trialDays === 0 ? undefined : await openKeyedHash(db, now);
  return db.run(async (tx) => {
    const [stored, eligibility] = await Promise.all([
      tx.customers.get(customerId),
      hash && readEligibility(tx, subject, { hash, now }),
      subject.type === 'team' && authorize(tx, { uid: subject.callerId }, customerId, 'billing:manage'),
    ]);
    const customer = requireOpenCustomer(stored, now);
    requireNotOwned(config, customer, prepared);
    const current = customer.checkout;
    const trialDays = eligibility?.isTrialAvailable === true ? config.trialDays : 0;
    const canContinue = hasSameContents(current, { ...cart, trialDays });
    // A new session is open for a day. The trial must be reserved for as long, so its reservation begins anew.
    const needsSession = !canContinue || current.sessionId === undefined;
    if (eligibility && trialDays > 0 && needsSession) {
      reserveTrials(tx, eligibility, { customerId, reservedAt: now });
    }
    if (canContinue) return current;
    return storeCheckout(tx, prepared, { trialDays, toExpire: sessionIdsOf(current), now });
  });
}

/**
 * Removes a stored checkout whose session cannot be paid any more, so that the next `reserveCheckout` stores a new one. Call it
 * after the sessions of `toExpire` have expired. Does nothing if another checkout has replaced this one.
 */
export async function forgetCheckout(db: Db, customerId: string, key: string): Promise<void> {
  await db.run(async (tx) => {
    const customer = await tx.customers.get(customerId);
    if (customer?.checkout?.key === key) tx.customers.update(customerId, { checkout: REMOVED });
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

/** The sessions that a stored checkout leaves behind when another one replaces it. */
export function sessionIdsOf(checkout: StoredCheckout | undefined): string[] {
  const { toExpire = [], sessionId } = checkout ?? {};
  return sessionId === undefined ? toExpire : [...toExpire, sessionId];
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
  { trialDays, toExpire, now }: { trialDays: number; toExpire: string[]; now: Date },
): StoredCheckout {
  const { customerId, ownerId, callerId } = subject;
  const checkout = {
    ...cart,
    trialDays,
    ownerId,
    callerId,
    key: randomUUID(),
    ...(toExpire.length > 0 && { toExpire }),
  };
  tx.customers.update(customerId, { checkout });
  const details = { plan: plan.slug, quantity: String(cart.quantity) };
  recordForTeam(tx, subject, { action: 'billing.checkout_begun', at: now, details });
  return checkout;
}

/**
 * Stores the id of the session that was created for a checkout. Call it after the sessions of `toExpire` have expired.
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
    if (checkout.sessionId !== sessionId) {
      tx.customers.update(customerId, { 'checkout.sessionId': sessionId, 'checkout.toExpire': REMOVED });
    }
    return 'saved';
  });
}
