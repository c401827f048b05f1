import type { Backend } from '../../backend.ts';
import { withdrawCheckout, expireCheckoutSession } from '../checkout/session/checkout-session.service.ts';
import { guardStripe } from '../stripe/stripe-errors.ts';
import { isReplaceable } from '../subscriptions/overlap/overlap.ts';
import { planItemOf } from '../subscriptions/plan-item.ts';
import type { SyncResult } from '../subscriptions/sync/sync-result.ts';

/**
 * Expires the open checkout of a customer who has got a plan in another way, because the customer could pay twice.
 * Example: a person made a subscription in Stripe's dashboard. Calls `expireCheckoutSession` for the session of the
 * checkout, and for each session that the checkout has replaced. If a request is just creating the session, this
 * request is refused and expires it.
 */
export async function expireOpenCheckout(
  backend: Backend,
  customerId: string,
  { running }: SyncResult,
): Promise<void> {
  const { plans } = backend.config;
  const now = backend.now();
  const hasPlan = running.some(({ data }) => planItemOf(data, plans) && !isReplaceable(data, now));
  if (!hasPlan) return;
  for (const sessionId of await withdrawCheckout(backend.db, customerId)) {
    const stripe = await backend.stripe();
    await guardStripe(() => expireCheckoutSession(stripe, sessionId));
  }
}
