import type { Reads } from '../../../firestore/db.ts';
import { seatsToBill, type PlanItem } from '../plan-item.ts';

/** The present and the wanted quantity of the line item that the seat sync corrects. */
interface QuantityComparison {
  /** The present quantity; 0 if the subscription has no line item for the seats yet. */
  quantity: number;
  wanted: number;
}

/**
 * The quantity that a team is billed for. The price of the plan decides which line item has it:
 *
 * - Flat price: the plan item, with the wanted quantity 1. The present quantity can be higher, because Stripe's portal
 *   keeps the quantity when a customer changes from a price per seat.
 * - Price per seat: the plan item.
 * - Base price: the seat item.
 *
 * Reads one document for each 1,000 members, none for a flat price.
 */
async function compareQuantity(
  reads: Reads,
  teamId: string,
  { quantity, pricing }: PlanItem,
): Promise<QuantityComparison> {
  if (pricing.kind === 'flat') return { quantity, wanted: 1 };
  const members = await reads.members(teamId).count();
  if (pricing.kind === 'per-seat') return { quantity, wanted: members };
  const { seatItem } = pricing;
  return { quantity: seatItem.quantity, wanted: seatsToBill(members, seatItem.included) };
}

/**
 * The quantity that Stripe must get. With a price per seat it is never 0: only a deleted team has no members, and its
 * deletion cancels the subscription. Beside a base price 0 is a usual quantity.
 *
 * @returns undefined if the present quantity stays
 */
export async function findQuantityToSend(
  reads: Reads,
  teamId: string,
  item: PlanItem,
): Promise<number | undefined> {
  const { quantity, wanted } = await compareQuantity(reads, teamId, item);
  const isDeletedTeam = item.pricing.kind === 'per-seat' && wanted === 0;
  return isDeletedTeam || quantity === wanted ? undefined : wanted;
}

/**
 * The present quantity, if it is wrong. Also for a deleted team with a price per seat: the seat sync then sends
 * nothing.
 *
 * @returns undefined if the present quantity is right
 */
export async function findWrongQuantity(
  reads: Reads,
  teamId: string,
  item: PlanItem,
): Promise<number | undefined> {
  const { quantity, wanted } = await compareQuantity(reads, teamId, item);
  return quantity === wanted ? undefined : quantity;
}
