import type { Backend } from '../../../backend.ts';
import { logWarning } from '../../../common/log.ts';
import { hasRefusalCode } from '../../../refusals/refusals.ts';
import { requirePriceId } from '../../catalogue/price-ids.ts';
import { isInvalidRequest, withStripeRefusals } from '../../stripe/stripe-errors.ts';
import { findItemsWithLookupKeys } from '../from-stripe/subscription-items.store.ts';
import { findPlanItem, type PlanItem } from '../plan-item.ts';
import type { NextPhaseItem } from '../wanted-items/phases.ts';
import {
  findPhaseThatFollowsMembers,
  lineItemsOfPhase,
  replacePlannedItems,
  type PlannedPhase,
} from '../wanted-items/planned-change.ts';
import { findQuantityToSend } from './quantity.store.ts';
import type { SubscriptionWithSchedule } from './subscription-with-schedule.ts';

/**
 * A planned change whose number of seats is wrong. At Stripe a planned change is the phase of the subscription's
 * schedule that follows the current phase.
 */
interface WrongSeats {
  planned: PlannedPhase;
  /** The line item that pays for the plan. Stripe gives the line items of a phase no ids, so its id is its index. */
  item: PlanItem;
  wanted: number;
}

/** One call to Stripe. */
export async function hasWrongPlannedSeats(
  backend: Backend,
  teamId: string,
  subscription: SubscriptionWithSchedule,
): Promise<boolean> {
  return withStripeRefusals(async () => (await findWrongSeats(backend, teamId, subscription)) !== undefined);
}

/**
 * Corrects the number of seats in a planned change, so that the team is billed for its current members: see
 * `compareQuantity`. A planned change lists all line items of the next period, so it would bring back the number of
 * seats of the day on which it was planned. Idempotent. One call to Stripe; two or three more for a wrong number.
 *
 * If Stripe does not accept the number, logs a warning.
 *
 * Call it under the lease of line items, so that it does not overwrite another planned change.
 */
export async function updatePlannedSeats(
  backend: Backend,
  teamId: string,
  subscription: SubscriptionWithSchedule,
): Promise<void> {
  const wrong = await findWrongSeats(backend, teamId, subscription);
  if (wrong === undefined) return;
  const stripe = await backend.stripe();
  try {
    await replacePlannedItems(stripe, wrong.planned, await itemsWithSeats(backend, wrong));
  } catch (error) {
    // For example, a price was archived after the change was planned. The current number of seats must still be sent.
    if (!isInvalidRequest(error) && !hasRefusalCode(error, 'price_not_available')) throw error;
    logWarning(`The planned change of ${subscription.id} could not be synced`, error);
  }
}

async function findWrongSeats(
  { config, db, stripe }: Backend,
  teamId: string,
  { schedule, items: stored }: SubscriptionWithSchedule,
): Promise<WrongSeats | undefined> {
  const planned = await findPhaseThatFollowsMembers(await stripe(), schedule);
  if (planned === undefined) return undefined;
  const items = await findItemsWithLookupKeys(db, config, lineItemsOfPhase(planned), { items: stored });
  const item = findPlanItem(items, config.plans);
  if (item === undefined) return undefined;
  const wanted = await findQuantityToSend(db, teamId, item);
  return wanted === undefined ? undefined : { planned, item, wanted };
}

/**
 * The line items of the planned change, with the right number of seats. Adds the seat item if it is missing, and
 * removes it if no seat is billed.
 */
async function itemsWithSeats(
  { stripe }: Backend,
  { planned: { items }, item: { id: planItemId, pricing }, wanted: quantity }: WrongSeats,
): Promise<readonly NextPhaseItem[]> {
  const withQuantity = (id: string) =>
    items.map((item, index) => (String(index) === id ? { ...item, quantity } : item));
  if (pricing.kind !== 'base-price') return withQuantity(planItemId);
  const { id, lookupKey, planName: name } = pricing.seatItem;
  if (id === undefined) {
    return [...items, { price: await requirePriceId(await stripe(), { name, lookupKey }), quantity }];
  }
  return quantity === 0 ? items.filter((_, index) => String(index) !== id) : withQuantity(id);
}
