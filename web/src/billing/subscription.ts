import { collection } from 'firebase/firestore';
import * as z from 'zod/mini';
import { useLiveQuery } from '../backend/live.ts';
import type { Live } from '../backend/source.ts';
import { billingTexts } from './texts.ts';

/**
 * The fields of a subscription that the pages show. The document has the shape of the Stripe extension for Firebase.
 */
export const subscriptionSchema = z.pipe(
  z.object({
    id: z.string(),
    status: z.string(),
    /** Slug of the plan. */
    role: z._default(z.nullable(z.string()), null),
    cancel_at: z._default(z.nullable(z.date()), null),
    cancel_at_period_end: z._default(z.nullable(z.boolean()), false),
    current_period_end: z._default(z.nullable(z.date()), null),
    /** Id of the schedule with a planned change. The Stripe extension has no such field. */
    schedule: z._default(z.nullable(z.string()), null),
    latest_invoice: z._default(
      z.nullable(z.object({ id: z.string(), status: z.nullable(z.string()) })),
      null,
    ),
  }),
  z.transform(
    ({ cancel_at, cancel_at_period_end, current_period_end, latest_invoice: invoice, ...rest }) => ({
      ...rest,
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

/** The subscriptions of a user or of a team. */
export function useSubscriptions(customerId: string): Live<Subscription[]> {
  return useLiveQuery(
    `subscriptions ${customerId}`,
    (firestore) => collection(firestore, 'customers', customerId, 'subscriptions'),
    subscriptionSchema,
  );
}

/** Statuses of a subscription that has not ended. https://docs.stripe.com/billing/subscriptions/overview */
const RUNNING = new Set(['trialing', 'active', 'past_due', 'unpaid', 'paused']);

export const isRunning = ({ status }: Pick<Subscription, 'status'>): boolean => RUNNING.has(status);

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
    case 'unpaid':
      return texts.unpaid;
    case 'paused':
      return texts.paused;
    default:
      return texts.ended;
  }
}
