import type Stripe from 'stripe';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';

/** Statuses of a running subscription. A second running subscription would charge the customer twice. */
export const RUNNING = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'paused',
] as const satisfies Stripe.Subscription.Status[];

/**
 * The status of every granted plan: comped, or bought in an app store. Granted plans are stored beside the copies of
 * subscriptions. The stored text is `comped`, because at first there were only comped plans. Stripe does not know this
 * status.
 */
export const GRANTED = 'comped';

/** Statuses in which a subscription can be entitling. `isEntitling` decides. */
export const MAY_BE_ENTITLING = ['active', 'trialing', 'past_due', GRANTED] as const satisfies (
  Stripe.Subscription.Status | typeof GRANTED
)[];

export function isRunning({ status }: Pick<SubscriptionDocument, 'status'>): boolean {
  return RUNNING.some((running) => running === status);
}

export function isActiveOrTrialing({ status }: Pick<SubscriptionDocument, 'status'>): boolean {
  return status === 'active' || status === 'trialing';
}

interface EndFields {
  /** A Date in our copy, seconds since 1970 at Stripe. */
  readonly cancel_at: Date | number | null;
  readonly cancel_at_period_end: boolean;
}

/**
 * True if a subscription ends with its period, or at another date. Both fields count: a cancellation in Stripe's portal
 * sets only `cancel_at`. https://docs.stripe.com/billing/subscriptions/billing-mode/compare
 */
export function isEnding({ cancel_at, cancel_at_period_end }: EndFields): boolean {
  return cancel_at_period_end || cancel_at !== null;
}

/** The time at which a cancelled subscription ends, in seconds since 1970 as at Stripe; null if it renews. */
export function endOf(
  subscription: Pick<Stripe.Subscription, 'cancel_at' | 'cancel_at_period_end'>,
  periodEnd: number,
): number | null {
  return isEnding(subscription) ? (subscription.cancel_at ?? periodEnd) : null;
}

type PaymentPause = NonNullable<SubscriptionDocument['collection_paused']>;

export type EntitlingFields = Pick<SubscriptionDocument, 'status' | 'grace_until' | 'collection_paused'>;

/** True if a subscription gives its plan now. `grace_until` is also the end of a granted plan. */
export function isEntitling({ status, grace_until, collection_paused }: EntitlingFields, now: Date): boolean {
  if (collection_paused && isServicePaused(collection_paused, now)) return false;
  if (status === 'past_due' || status === GRANTED) return grace_until !== null && grace_until > now;
  return isActiveOrTrialing({ status });
}

/**
 * True if the pause of collecting payments also pauses the service. Stripe recommends the behavior `void` for such a
 * pause.
 * https://docs.stripe.com/billing/subscriptions/pause-payment
 */
function isServicePaused({ behavior, resumes_at }: PaymentPause, now: Date): boolean {
  return behavior === 'void' && (resumes_at === null || resumes_at > now);
}
