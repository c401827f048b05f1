import type { Backend } from '../../../backend.ts';
import type { PlanItem } from '../plan-item.ts';
import { hasWrongPlannedSeats } from './planned-seats.service.ts';
import { findWrongQuantity } from './quantity.store.ts';
import type { SubscriptionWithSchedule } from './subscription-with-schedule.ts';

/**
 * True if a subscription bills a team for a wrong number of members, now or after a planned change. Counts the members,
 * except for a flat price. Makes one call to Stripe if the subscription has a schedule and the present quantity is
 * right.
 */
export async function hasWrongSeats(
  backend: Backend,
  teamId: string,
  planItem: PlanItem,
  scheduled: SubscriptionWithSchedule | undefined,
): Promise<boolean> {
  if ((await findWrongQuantity(backend.db, teamId, planItem)) !== undefined) return true;
  return scheduled !== undefined && hasWrongPlannedSeats(backend, teamId, scheduled);
}
