import type { Backend } from '../../backend.ts';
import { refusal } from '../../refusals/refusals.ts';
import type { StripePage } from '../stripe/stripe-page.ts';
import { findDestination, hasSubscriptionToKeep } from './destination.service.ts';
import { ensureCheckoutSession } from './session/checkout-session.service.ts';
import { forgetCheckout } from './session/checkout.store.ts';
import type { CheckoutStatus } from './session/expire-session.service.ts';
import type { PreparedCheckout } from './session/plan-order.ts';
import { reserveCheckout } from './session/reserve-checkout.service.ts';

/**
 * The most attempts to open a session. An attempt fails if the session of the stored checkout has expired or was paid,
 * or if its idempotency key was sent with other parameters.
 */
const MAX_SESSION_ATTEMPTS = 5;

/**
 * Opens the page of the customer's one checkout. Concurrent requests share an idempotency key and so get the same
 * session. A later request for the same cart continues that session. The pages of replaced checkouts are expired first,
 * so that only one page can be paid.
 *
 * @returns `plan_bought` if one of the customer's checkouts was paid in the meantime, so that a second one must not be
 *   paid
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
 * True if one of the sessions is complete and the customer has a subscription that cannot be replaced. False if the
 * paid subscription has ended since: the customer can then buy again.
 */
async function hasBoughtPlan(
  backend: Backend,
  { subject, stripeCustomerId }: PreparedCheckout,
  statuses: readonly CheckoutStatus[],
): Promise<boolean> {
  if (!statuses.includes('complete')) return false;
  return hasSubscriptionToKeep(await findDestination(backend, subject.customerId, stripeCustomerId));
}
