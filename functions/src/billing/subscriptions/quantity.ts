import type { Reads } from '../../firestore/db.ts';
import type { PlanItem } from './subscription.ts';

/**
 * The quantity that a team should be billed for: its members, or 1 for a flat price. A change of plan in Stripe's portal
 * keeps the quantity of the plan before. Reads one document for each 1,000 members, none for a flat price.
 */
export async function billedQuantity(reads: Reads, teamId: string, { perSeat }: PlanItem): Promise<number> {
  return perSeat ? reads.members(teamId).count() : 1;
}

/** Whether a team is billed for a wrong quantity. */
export async function hasWrongQuantity(reads: Reads, teamId: string, item: PlanItem): Promise<boolean> {
  return item.quantity !== (await billedQuantity(reads, teamId, item));
}
