import { findPlan, type Plan } from '@hearth/client';
import { collection } from 'firebase/firestore';
import * as z from 'zod/mini';
import { useLiveQuery } from '../backend/live.ts';
import type { Live } from '../backend/source.ts';
import { billingTexts } from './texts.ts';

const optionalDate = z._default(z.nullable(z.date()), null);

/**
 * The fields of a subscription that the pages show. The document has the shape of the Stripe extension for Firebase. A
 * granted plan has a document of the same shape.
 */
export const subscriptionSchema = z.pipe(
  z.object({
    id: z.string(),
    status: z.string(),
    /** Slug of the plan. Null for a subscription to something else. */
    role: z._default(z.nullable(z.string()), null),
    created: optionalDate,
    cancel_at: optionalDate,
    cancel_at_period_end: z._default(z.nullable(z.boolean()), false),
    current_period_end: optionalDate,
    /** End of the grace, or of a granted plan. */
    grace_until: optionalDate,
    /** Set while Stripe does not collect payments. */
    collection_paused: z._default(
      z.nullable(z.object({ behavior: z.string(), resumes_at: optionalDate })),
      null,
    ),
    /** Only a plan that was bought in an app store names one. */
    metadata: z._default(z.object({ store: z.optional(z.string()) }), {}),
    /** Id of the first item's price. */
    priceId: z._default(z.nullable(z.string()), null),
    /** Id of the schedule with a planned change. The Stripe extension has no such field. */
    schedule: z._default(z.nullable(z.string()), null),
    latest_invoice: z._default(
      z.nullable(z.object({ id: z.string(), status: z.nullable(z.string()) })),
      null,
    ),
  }),
  z.transform(
    ({
      cancel_at,
      cancel_at_period_end,
      current_period_end,
      grace_until,
      collection_paused,
      latest_invoice: invoice,
      metadata,
      ...rest
    }) => ({
      ...rest,
      graceUntil: grace_until,
      collectionPaused: collection_paused,
      isFromAppStore: metadata.store !== undefined,
      /** Another text for each invoice and each of its statuses. */
      latestInvoice: invoice === null ? '' : `${invoice.id} ${invoice.status ?? ''}`,
      // A cancellation in Stripe's portal sets `cancel_at` alone.
      isEnding: cancel_at_period_end === true || cancel_at !== null,
      /** When the subscription ends if it is ending, otherwise when its period ends. */
      end: cancel_at ?? current_period_end ?? undefined,
    }),
  ),
);

export type Subscription = z.output<typeof subscriptionSchema>;

/** The subscriptions of a user or of a team, and the plans that were granted to it. */
export function useSubscriptions(customerId: string): Live<Subscription[]> {
  return useLiveQuery(
    `subscriptions ${customerId}`,
    (firestore) => collection(firestore, 'customers', customerId, 'subscriptions'),
    subscriptionSchema,
  );
}

/*
 * `isRunning`, `isEntitling` and `isReplaceable` repeat rules of the backend, in
 * functions/src/billing/subscriptions/status.ts and overlap/overlap.ts. The test
 * `tests/browser/billing-page-rules.test.ts` compares them.
 */

/** Statuses of a subscription that has not ended. https://docs.stripe.com/billing/subscriptions/overview */
const RUNNING = new Set(['trialing', 'active', 'past_due', 'unpaid', 'paused']);

export const isRunning = ({ status }: Pick<Subscription, 'status'>): boolean => RUNNING.has(status);

/** True for a comped plan, and for one that was bought in an app store. Stripe knows neither. */
export const isGranted = ({ status }: Pick<Subscription, 'status'>): boolean => status === 'comped';

/** True if a subscription or a granted plan gives its plan now. */
export function isEntitling(
  subscription: Pick<Subscription, 'status' | 'graceUntil' | 'collectionPaused'>,
  now: Date,
): boolean {
  const { status, graceUntil, collectionPaused } = subscription;
  if (collectionPaused !== null && isServicePaused(collectionPaused, now)) return false;
  if (status === 'past_due' || isGranted(subscription)) return graceUntil !== null && graceUntil > now;
  return status === 'active' || status === 'trialing';
}

function isServicePaused(
  { behavior, resumes_at }: NonNullable<Subscription['collectionPaused']>,
  now: Date,
): boolean {
  return behavior === 'void' && (resumes_at === null || resumes_at > now);
}

/**
 * True if a subscription to a plan is paid or in its trial. A customer may come from a checkout with an older
 * subscription that is paused, or with a granted plan.
 */
export function isBought(subscription: Subscription, now: Date): boolean {
  return subscription.role !== null && !isGranted(subscription) && isEntitling(subscription, now);
}

/** True if the customer buys a new subscription, which replaces this one. docs/billing.md has the table of states. */
export function isReplaceable(
  { status, isEnding, graceUntil }: Pick<Subscription, 'status' | 'isEnding' | 'graceUntil'>,
  now: Date,
): boolean {
  if (status === 'past_due') return isEnding && (graceUntil === null || graceUntil <= now);
  return endsAtOnce({ status });
}

/** True if a cancellation ends the subscription immediately, because it gives no plan. */
const endsAtOnce = ({ status }: Pick<Subscription, 'status'>): boolean =>
  status === 'unpaid' || status === 'paused';

/** The plan of a subscription. Undefined for a subscription to something else. */
export const planOf = ({ role }: Pick<Subscription, 'role'>, plans: readonly Plan[]): Plan | undefined =>
  role === null ? undefined : findPlan(plans, role);

/** Whether the plan of a subscription can be changed: it renews, and nothing is unpaid. */
export const canChange = ({ status, isEnding }: Pick<Subscription, 'status' | 'isEnding'>): boolean =>
  !isEnding && (status === 'active' || status === 'trialing');

/** The state of a subscription as a sentence for its payer. */
export function stateOf(
  { status, isEnding, end: date }: Pick<Subscription, 'status' | 'isEnding' | 'end'>,
  formatDate: (date: Date) => string,
): string {
  const texts = billingTexts().states;
  const end = date === undefined ? '' : formatDate(date);
  if (isEnding && status !== 'canceled') return texts.cancelled(end);
  switch (status) {
    case 'trialing':
      return texts.trial(end);
    case 'active':
      return texts.active(end);
    case 'past_due':
      return texts.pastDue;
    case 'unpaid':
      return texts.unpaid;
    case 'paused':
      return texts.paused;
    default:
      return texts.ended;
  }
}

/** The effect of a cancellation as a sentence for the payer. */
export function effectOfCancelling(
  { status, end }: Pick<Subscription, 'status' | 'end'>,
  formatDate: (date: Date) => string,
): string {
  const texts = billingTexts().cancel;
  if (endsAtOnce({ status })) return texts.atOnce;
  return end === undefined ? texts.endsWithPeriod : texts.endsOn(formatDate(end));
}
