import { collection, type Timestamp } from 'firebase/firestore';
import { useLiveQuery, type Found, type Live } from '../backend/live.ts';

/** As the Stripe extension for Firebase keeps it, as far as the pages show it. */
export interface Subscription {
  id: string;
  status: string;
  /** Slug of the plan. */
  role: string | null;
  cancelAtPeriodEnd: boolean;
  periodEnd: Date | undefined;
}

/** The subscriptions of a user or of a team. */
export function useSubscriptions(customerId: string): Live<Subscription[]> {
  return useLiveQuery(
    `subscriptions ${customerId}`,
    (firestore) => collection(firestore, 'customers', customerId, 'subscriptions'),
    readSubscription,
  );
}

const readSubscription = (found: Found): Subscription => ({
  id: found.id,
  status: found['status'] as string,
  role: found['role'] as string | null,
  cancelAtPeriodEnd: found['cancel_at_period_end'] === true,
  periodEnd: (found['current_period_end'] as Timestamp | null | undefined)?.toDate(),
});

/** Statuses in which Stripe still asks for money or gives something for it. https://docs.stripe.com/billing/subscriptions/overview */
const RUNNING = new Set(['trialing', 'active', 'past_due', 'unpaid', 'paused']);

export const isRunning = ({ status }: Pick<Subscription, 'status'>): boolean => RUNNING.has(status);

/** Whether the plan of a subscription can be changed: it renews, and nothing is unpaid. */
export const canChange = ({
  status,
  cancelAtPeriodEnd,
}: Pick<Subscription, 'status' | 'cancelAtPeriodEnd'>): boolean =>
  !cancelAtPeriodEnd && (status === 'active' || status === 'trialing');

/** The state of a subscription as a sentence for its payer. */
export function stateOf(
  { status, cancelAtPeriodEnd, periodEnd }: Pick<Subscription, 'status' | 'cancelAtPeriodEnd' | 'periodEnd'>,
  formatDate: (date: Date) => string,
): string {
  const end = periodEnd === undefined ? '' : formatDate(periodEnd);
  if (cancelAtPeriodEnd && status !== 'canceled') return `Cancelled: it ends on ${end}.`;
  switch (status) {
    case 'trialing':
      return `In its trial until ${end}.`;
    case 'active':
      return `Active: it renews on ${end}.`;
    case 'past_due':
    case 'unpaid':
      return 'The last payment failed. Update your payment method.';
    case 'paused':
      return 'Paused.';
    default:
      return 'Not active.';
  }
}
