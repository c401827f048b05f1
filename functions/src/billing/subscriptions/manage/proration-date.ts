import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import { refusal } from '../../../refusals/refusals.ts';
import type { PlanSubscription } from '../from-stripe/plan-subscriptions.service.ts';

/** The time in which a person reads a preview and confirms the change. */
const PREVIEW_SECONDS = 5 * 60;

/** The clock of the instance that made the preview may be ahead. */
const CLOCK_SKEW_SECONDS = 5;

/**
 * Stripe accepts every date within the period, also a future one. A customer who chooses the date could pay nothing for
 * a higher plan, or get a credit for time that was never paid. Therefore the date must be that of a recent preview. It
 * must also be after the latest invoice: otherwise a series of changes could credit the same minutes several times. The
 * limit `RATE_LIMITS.subscriptionChanges` bounds the time that a credit of each change can gain.
 *
 * @param prorationDate seconds since 1970; undefined if the change counts from now
 * @throws Refusal `preview_expired`
 */
export function requireRecentPreview(
  { now }: Pick<Backend, 'now'>,
  { subscription: { latest_invoice: latest } }: Pick<PlanSubscription<Stripe.Subscription>, 'subscription'>,
  prorationDate: number | undefined,
): void {
  if (prorationDate === undefined) return;
  const age = now().getTime() / 1000 - prorationDate;
  const isRecent = age <= PREVIEW_SECONDS && age >= -CLOCK_SKEW_SECONDS;
  const latestAt = latest === null || typeof latest === 'string' ? 0 : latest.created;
  if (!isRecent || prorationDate < latestAt) throw refusal('preview_expired');
}
