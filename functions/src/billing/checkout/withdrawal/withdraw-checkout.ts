import { randomUUID } from 'node:crypto';
import type { Backend } from '../../../backend.ts';
import type { Db } from '../../../firestore/db.ts';
import type { StoredCheckout } from '../../../firestore/documents/customer.ts';
import { expireCheckoutSession } from '../../stripe/checkout-sessions.ts';
import { withStripeRefusals } from '../../stripe/stripe-errors.ts';

/** Withdraws the checkout of a customer, and expires its pages. Nobody can pay on them any more. */
export async function withdrawAndExpireCheckout(backend: Backend, customerId: string): Promise<void> {
  for (const sessionId of await withdrawCheckout(backend.db, customerId)) {
    const stripe = await backend.stripe();
    await withStripeRefusals(() => expireCheckoutSession(stripe, sessionId));
  }
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
async function withdrawCheckout(db: Db, customerId: string): Promise<string[]> {
  return db.run(async (tx) => {
    const { checkout } = (await tx.customers.get(customerId)) ?? {};
    if (checkout !== undefined && checkout.sessionId === undefined) {
      tx.customers.update(customerId, { 'checkout.idempotencyKey': randomUUID() });
    }
    return sessionIdsToExpire(checkout);
  });
}

/** The ids of the sessions to expire when a checkout is replaced or withdrawn. */
export function sessionIdsToExpire(checkout: StoredCheckout | undefined): string[] {
  const { replacedSessionIds = [], sessionId } = checkout ?? {};
  return sessionId === undefined ? replacedSessionIds : [...replacedSessionIds, sessionId];
}
