import type { Backend } from '../../backend.ts';
import { refusal } from '../../refusals/refusals.ts';
import type { StripePage } from '../stripe/stripe-page.ts';
import { findDestination, keepsSubscription } from './destination.service.ts';
import { ensureCheckoutSession } from './session/checkout-session.service.ts';
import { forgetCheckout } from './session/checkout.store.ts';
import type { CheckoutStatus } from './session/expire-session.service.ts';
import type { PreparedCheckout } from './session/plan-order.ts';
import { reserveCheckout } from './session/reserve-checkout.service.ts';

/**
 * The most attempts to open a session. An attempt fails if the stored session has expired, was paid or is unknown to
 * Stripe, or if Stripe got the stored idempotency key with other parameters.
 */
const MAX_SESSION_ATTEMPTS = 5;

/**
 * Opens the page of the customer's one checkout. Only one page can be paid:
 *
 * - Concurrent requests share an idempotency key, and get the same session.
 * - A later request for the same cart and trial days continues this session.
 * - A request for another cart first expires the session of the replaced checkout.
 *
 * @returns `plan_bought` if a checkout of the customer was paid in the meantime
 */
export async function openCheckoutPage(
  backend: Backend,
  prepared: PreparedCheckout,
): Promise<StripePage | 'plan_bought'> {
  for (let attempt = 0; attempt < MAX_SESSION_ATTEMPTS; attempt++) {
    const { checkout, replacedStatuses } = await reserveCheckout(backend, prepared);
    if (await hasBoughtPlan(backend, prepared, replacedStatuses)) return 'plan_bought';

    const session = await ensureCheckoutSession(backend, prepared, checkout);
    if (session !== 'unusable') {
      if (session.status === 'open' && session.url !== null) return { url: session.url, id: session.id };
      if (await hasBoughtPlan(backend, prepared, [session.status])) return 'plan_bought';
    }
    await forgetCheckout(backend.db, prepared.subject.customerId, checkout.key);
  }
  throw refusal('busy');
}

/**
 * True if one of the sessions is complete and the customer has a subscription that a new one cannot replace. If the
 * paid subscription has ended since, `findDestination` leads to a checkout, and the customer can buy again.
 */
async function hasBoughtPlan(
  backend: Backend,
  { subject, stripeCustomerId }: PreparedCheckout,
  statuses: readonly CheckoutStatus[],
): Promise<boolean> {
  if (!statuses.includes('complete')) return false;
  return keepsSubscription(await findDestination(backend, subject.customerId, stripeCustomerId));
}
