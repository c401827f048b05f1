import type { StoredCheckout } from '../../../firestore/documents/checkout.ts';

/** The ids of the sessions to expire when a checkout is replaced or withdrawn. */
export function sessionIdsToExpire(checkout: StoredCheckout | undefined): string[] {
  const { replacedSessionIds = [], sessionId } = checkout ?? {};
  return sessionId === undefined ? replacedSessionIds : [...replacedSessionIds, sessionId];
}
