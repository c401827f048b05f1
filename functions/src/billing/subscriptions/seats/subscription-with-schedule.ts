import type { SubscriptionDocument } from '../../../firestore/documents/subscription.ts';

/** A subscription that has a schedule: its present line items, and the id of the schedule. */
export interface SubscriptionWithSchedule extends Pick<SubscriptionDocument, 'items'> {
  id: string;
  schedule: string;
}

/** @returns undefined if the subscription has no schedule, and so no planned change */
export function subscriptionIfScheduled(
  id: string,
  { schedule, items }: Pick<SubscriptionDocument, 'schedule' | 'items'>,
): SubscriptionWithSchedule | undefined {
  return schedule === null ? undefined : { id, schedule, items };
}
