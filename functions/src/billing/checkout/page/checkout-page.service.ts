import type { Backend } from '../../../backend.ts';
import { refusal } from '../../../refusals/refusals.ts';
import type { SessionStatus } from '../../stripe/checkout-sessions.ts';
import type { StripePage } from '../../stripe/stripe-page.ts';
import { removeStoredCheckout } from '../stored/stored-checkout.store.ts';
import { ensureCheckoutSession } from './checkout-session.service.ts';
import type { PreparedCheckout } from './checkout-shapes.ts';
import { findDestination } from './destination.service.ts';
import { reserveCheckout } from './reserve-checkout.service.ts';

const MAX_SESSION_ATTEMPTS = 5;

/**
 * Opens the page of the customer's one checkout. Only one page can be paid:
 *
 * - Concurrent requests for the same cart and trial days share an idempotency key, and get the same session.
 * - A later request for the same cart and trial days continues this session.
 * - Every other request first expires the session of the replaced checkout.
 *
 * @returns `plan_bought` if the customer has completed a checkout in the meantime
 * @throws Refusal as `reserveCheckout` and `ensureCheckoutSession`; `busy` if five attempts fail
 */
export async function openCheckoutPage(
  backend: Backend,
  prepared: PreparedCheckout,
): Promise<StripePage | 'plan_bought'> {
  for (let attempt = 0; attempt < MAX_SESSION_ATTEMPTS; attempt++) {
    const { checkout, replacedStatuses } = await reserveCheckout(backend, prepared);
    // A page of a replaced checkout may have been paid.
    if (await hasBoughtMeanwhile(backend, prepared, replacedStatuses)) return 'plan_bought';

    const session = await ensureCheckoutSession(backend, prepared, checkout);
    if (session !== 'unusable') {
      if (session.status === 'open' && session.url !== null) return { url: session.url, id: session.id };
      // This page may have been paid since a concurrent request has opened it.
      if (await hasBoughtMeanwhile(backend, prepared, [session.status])) return 'plan_bought';
    }
    // Nobody can pay by this session: it is over, Stripe does not know it, or Stripe refused to create it, because its
    // key was used with other parameters. The next attempt stores a new checkout. If a concurrent request has stored
    // another checkout, or a session for this one, nothing is removed, and the next attempt continues that checkout.
    await removeStoredCheckout(backend.db, prepared.subject.customerId, checkout);
  }
  throw refusal('busy');
}

/** True if a session was completed, and the customer has a subscription now that another checkout cannot replace. */
async function hasBoughtMeanwhile(
  backend: Backend,
  { subject, stripeCustomerId }: PreparedCheckout,
  statuses: readonly SessionStatus[],
): Promise<boolean> {
  if (!statuses.includes('complete')) return false;
  const destination = await findDestination(backend, subject.customerId, stripeCustomerId);
  // An invoice or the portal: the customer has a subscription that cannot be replaced.
  return destination.kind !== 'checkout';
}
