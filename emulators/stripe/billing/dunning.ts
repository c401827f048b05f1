const DAY = 24 * 60 * 60;

/** The retries of an unpaid renewal; https://docs.stripe.com/billing/revenue-recovery/smart-retries. */
export interface Dunning {
  /** Days between one attempt and the next. */
  retryAfterDays: readonly number[];
  /** The status of the subscription after the last attempt fails. */
  then: 'cancel' | 'unpaid' | 'past_due';
}

export const DEFAULT_DUNNING: Dunning = { retryAfterDays: [3, 5, 7], then: 'cancel' };

/** Time of the next attempt after the given number of attempts, in seconds since 1970; null after the last one. */
export function nextAttempt({ retryAfterDays }: Dunning, attempts: number, now: number): number | null {
  const days = retryAfterDays[attempts - 1];
  return days === undefined ? null : now + days * DAY;
}
