const DAY = 24 * 60 * 60;

/** What is done about a renewal that was not paid; https://docs.stripe.com/billing/revenue-recovery/smart-retries. */
export interface Dunning {
  /** Days between one attempt and the next. */
  retryAfterDays: readonly number[];
  /** What becomes of the subscription after the last attempt. */
  then: 'cancel' | 'unpaid' | 'past_due';
}

export const DEFAULT_DUNNING: Dunning = { retryAfterDays: [3, 5, 7], then: 'cancel' };

/** When to try again after so many attempts, in seconds since 1970; null after the last one. */
export function nextAttempt({ retryAfterDays }: Dunning, attempts: number, now: number): number | null {
  const days = retryAfterDays[attempts - 1];
  return days === undefined ? null : now + days * DAY;
}
