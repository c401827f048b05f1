import { REMOVED } from '../../../firestore/collection.ts';
import type { Db } from '../../../firestore/db.ts';
import type { StoredCheckout } from '../../../firestore/documents/customer.ts';
import { isClosed } from '../../customers/customer.ts';

/**
 * Removes a stored checkout that cannot be paid, so that the next `reserveCheckout` stores a new one. Does nothing if
 * another checkout has replaced this one.
 */
export async function forgetCheckout(db: Db, customerId: string, key: string): Promise<void> {
  await db.run(async (tx) => {
    const customer = await tx.customers.get(customerId);
    if (customer?.checkout?.key === key) tx.customers.update(customerId, { checkout: REMOVED });
  });
}

/**
 * Withdraws the checkout of a customer who has got a plan in another way. If the checkout has no session yet, it is
 * removed, so that `saveSessionId` refuses the session that a request is creating.
 *
 * @returns the ids of the sessions to expire
 */
export async function withdrawCheckout(db: Db, customerId: string): Promise<string[]> {
  return db.run(async (tx) => {
    const { checkout } = (await tx.customers.get(customerId)) ?? {};
    if (checkout !== undefined && checkout.sessionId === undefined) {
      tx.customers.update(customerId, { checkout: REMOVED });
    }
    return sessionIdsOf(checkout);
  });
}

/** The sessions to expire when another checkout replaces this one. */
export function sessionIdsOf(checkout: StoredCheckout | undefined): string[] {
  const { toExpire = [], sessionId } = checkout ?? {};
  return sessionId === undefined ? toExpire : [...toExpire, sessionId];
}

/**
 * Stores the id of the session that was created for a checkout. Removes `toExpire`, because nobody can pay these
 * sessions after `reserveCheckout`.
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
