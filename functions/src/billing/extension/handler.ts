import type { Backend } from '../../backend.ts';
import { sharedCounter } from '../../http/rate-limit/rate-limit.ts';
import { RATE_LIMITS } from '../../settings/rate-limits.ts';
import { answerCheckoutSession } from './checkout-sessions.service.ts';

/** Makes the handler of new documents in `checkout_sessions`. One rate limiter serves all events of an instance. */
export function createCheckoutHandler(backend: Backend): (uid: string, id: string) => Promise<void> {
  const countCheckout = sharedCounter(backend, RATE_LIMITS.checkouts(backend.config));
  return (uid, id) => answerCheckoutSession({ backend, countCheckout }, { uid, id });
}
