import { randomUUID } from 'node:crypto';
import type { Db } from '../../../firestore/db.ts';
import type { StoredCheckout } from '../../../firestore/documents/checkout.ts';
import { REMOVED } from '../../../firestore/writes.ts';
import { isClosed } from '../../customer-rules.ts';
import { sessionIdsToExpire } from './sessions-to-expire.ts';

/**
 * Stores the id of the session that was created for a checkout. Removes `replacedSessionIds`, because `reserveCheckout`
 * has expired these sessions.
 *
 * @returns `saved`, or the code of a refusal: another checkout has replaced this one, or the customer was closed
 */
export async function saveSessionId(
  db: Db,
  customerId: string,
  { idempotencyKey, sessionId }: { idempotencyKey: string; sessionId: string },
  now: Date,
): Promise<'saved' | 'checkout_superseded' | 'customer_closed'> {
  return db.run(async (tx) => {
    const customer = await tx.customers.get(customerId);
    if (customer === undefined || isClosed(customer, now)) return 'customer_closed';
    const { checkout } = customer;
    if (checkout?.idempotencyKey !== idempotencyKey) return 'checkout_superseded';
    if (checkout.sessionId !== sessionId) {
      tx.customers.update(customerId, {
        'checkout.sessionId': sessionId,
        'checkout.replacedSessionIds': REMOVED,
      });
    }
    return 'saved';
  });
}

/**
 * Removes a checkout if the stored one still has the same idempotency key and session. Otherwise a concurrent request
 * has given the customer another page, which can be paid.
 */
export async function removeStoredCheckout(
  db: Db,
  customerId: string,
  { idempotencyKey, sessionId }: Pick<StoredCheckout, 'idempotencyKey' | 'sessionId'>,
): Promise<void> {
  await db.run(async (tx) => {
    const stored = (await tx.customers.get(customerId))?.checkout;
    if (stored?.idempotencyKey !== idempotencyKey || stored.sessionId !== sessionId) return;
    tx.customers.update(customerId, { checkout: REMOVED });
  });
}

/**
 * Withdraws the checkout of a customer who has got a plan in another way:
 *
 * - A checkout without a session gets another idempotency key. If a concurrent request is creating a session,
 *   `ensureCheckoutSession` then refuses this session.
 * - A checkout with a session stays unchanged.
 *
 * @returns the ids of the sessions that the calling function must expire. A repeated call returns them again
 */
export async function withdrawCheckout(db: Db, customerId: string): Promise<string[]> {
  return db.run(async (tx) => {
    const { checkout } = (await tx.customers.get(customerId)) ?? {};
    if (checkout !== undefined && checkout.sessionId === undefined) {
      tx.customers.update(customerId, { 'checkout.idempotencyKey': randomUUID() });
    }
    return sessionIdsToExpire(checkout);
  });
}
