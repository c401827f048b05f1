import type Stripe from 'stripe';
import type { SubscriptionDocument } from '../../../firestore/documents/subscription.ts';
import { refusal } from '../../../refusals/refusals.ts';
import { isInvalidRequest, isPhaseRejected } from '../../stripe/stripe-errors.ts';
import { idOf } from '../../stripe/stripe-ids.ts';
import { meteredPriceIdsOf } from './item-changes.ts';
import {
  phasesWithChange,
  phasesWithItems,
  type ChangeToPlan,
  type NextPhaseItem,
  type PhaseItem,
} from './phases.ts';

/**
 * Plans a change for the end of the current period. Replaces an earlier planned change. A call that ends half-way
 * leaves a schedule without a planned change. The next call uses this schedule.
 * https://docs.stripe.com/billing/subscriptions/subscription-schedules
 *
 * @returns the schedule, whose last phase has the change
 * @throws Refusal `price_not_plannable` if Stripe no longer accepts a price or a discount of the subscription
 */
export async function setPlannedChange(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  change: ChangeToPlan,
): Promise<Stripe.SubscriptionSchedule> {
  const schedule = await ensureSchedule(stripe, subscription);
  const metered = meteredPriceIdsOf(subscription);
  try {
    return await stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      phases: phasesWithChange(schedule, change, (priceId) => metered.includes(priceId)),
    });
  } catch (error) {
    // A phase must name all prices and discounts, also those that a subscription keeps although they were archived or
    // deleted. An immediate change names only those that it changes.
    if (isPhaseRejected(error)) throw refusal('price_not_plannable', {}, { cause: error });
    throw error;
  }
}

/**
 * True if a schedule has at most one later phase, and then releases the subscription. Our planned changes and those of
 * Stripe's portal have this form. An operator can give it to a schedule too: see `findOperatorSchedule`.
 */
export function isSimple(schedule: Stripe.SubscriptionSchedule): boolean {
  return laterPhasesOf(schedule).length <= 1 && schedule.end_behavior === 'release';
}

function laterPhasesOf({ current_phase: current, phases }: Stripe.SubscriptionSchedule) {
  return current === null ? [] : phases.filter(({ start_date }) => start_date >= current.end_date);
}

/** Releases the schedule of a subscription, if there is one. */
export async function discardPlannedChange(
  stripe: Stripe,
  { schedule }: Pick<Stripe.Subscription, 'schedule'>,
): Promise<void> {
  if (schedule === null) return;
  const id = idOf(schedule);
  await unlessFinished(stripe, id, stripe.subscriptionSchedules.release(id));
}

/**
 * The key in the metadata of a subscription with the id of the schedule that an immediate change has replaced. Stripe
 * stores the metadata of a change that waits for its payment only with the payment. So a schedule with this id is
 * obsolete.
 * https://docs.stripe.com/changelog/dahlia/2026-05-27/pending-subscription-update-metadata
 */
const REPLACED_SCHEDULE = 'replacedSchedule';

/** The parameters by which an immediate change replaces a planned change. Empty if the subscription has no schedule. */
export function replacesSchedule({
  schedule,
}: Pick<Stripe.Subscription, 'schedule'>): Pick<Stripe.SubscriptionUpdateParams, 'metadata'> {
  return schedule === null ? {} : { metadata: { [REPLACED_SCHEDULE]: idOf(schedule) } };
}

/** The schedule of a subscription, if an immediate change, now paid, has replaced it. See `replacesSchedule`. */
export function replacedScheduleOf({
  schedule,
  metadata,
}: Pick<SubscriptionDocument, 'schedule' | 'metadata'>): string | undefined {
  return schedule !== null && metadata[REPLACED_SCHEDULE] === schedule ? schedule : undefined;
}

/** Waits for a change of a schedule. Ignores its error if the schedule has ended or was released in the meantime. */
async function unlessFinished(
  { subscriptionSchedules: schedules }: Stripe,
  id: string,
  change: Promise<unknown>,
): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
    const { status } = await schedules.retrieve(id);
    if (status === 'active' || status === 'not_started') throw error;
  }
}

/** The phase of a schedule after the current phase. */
export interface PlannedPhase {
  schedule: Stripe.SubscriptionSchedule;
  phase: Stripe.SubscriptionSchedule.Phase;
  /** The line items of the phase, with their prices. The first one pays for the plan. */
  items: [PlannedItem, ...PlannedItem[]];
}

export interface PlannedItem extends PhaseItem {
  price: Stripe.Price;
}

/**
 * Finds the phase after the current phase. One call to Stripe.
 *
 * @returns undefined if no change is planned
 */
export async function findPlannedPhase(
  stripe: Stripe,
  scheduleId: string,
): Promise<PlannedPhase | undefined> {
  return plannedPhaseOf(await retrieveSchedule(stripe, scheduleId));
}

/** Retrieves a schedule with the prices of its phases. One call to Stripe. */
export function retrieveSchedule(
  { subscriptionSchedules: schedules }: Stripe,
  id: string,
): Promise<Stripe.SubscriptionSchedule> {
  return schedules.retrieve(id, { expand: ['phases.items.price'] });
}

/**
 * The phase after the current phase.
 *
 * @param schedule from `retrieveSchedule`
 * @returns undefined if no change is planned
 */
export function plannedPhaseOf(schedule: Stripe.SubscriptionSchedule): PlannedPhase | undefined {
  const [phase] = laterPhasesOf(schedule);
  const [first, ...others] = (phase?.items ?? []).filter(hasPrice);
  return phase && first && { schedule, phase, items: [first, ...others] };
}

/** Stripe keeps the prices of phases, so a deleted price is not expected. */
function hasPrice(item: PhaseItem): item is PlannedItem {
  return typeof item.price !== 'string' && item.price.deleted !== true;
}

/**
 * The phase whose seats follow the members: the planned change of a customer, or a new price for the present plan that
 * an operator has planned. Every other schedule of an operator stays as it is. One call to Stripe.
 *
 * @returns undefined if there is no such phase
 */
export async function findPhaseThatFollowsMembers(
  stripe: Stripe,
  scheduleId: string,
): Promise<PlannedPhase | undefined> {
  const planned = await findPlannedPhase(stripe, scheduleId);
  return planned !== undefined && isSimple(planned.schedule) ? planned : undefined;
}

/** The line items of a phase as those of a subscription. Stripe gives them no ids, so the id of each is its index. */
export function lineItemsOfPhase({ items }: Pick<PlannedPhase, 'items'>) {
  const data = items.map(({ price, quantity }, index) => ({
    id: String(index),
    price,
    ...(quantity !== undefined && { quantity }),
  }));
  return { items: { data } };
}

/**
 * Replaces the line items of a planned change. Everything else of the schedule stays. Does nothing if the change was
 * taken back in the meantime.
 *
 * @throws Error of Stripe, also if it no longer accepts a price or a discount of the schedule
 */
export async function replacePlannedItems(
  stripe: Stripe,
  { schedule, phase }: PlannedPhase,
  items: readonly NextPhaseItem[],
): Promise<void> {
  const { id } = schedule;
  const phases = phasesWithItems(schedule, phase, items);
  await unlessFinished(stripe, id, stripe.subscriptionSchedules.update(id, { phases }));
}

async function ensureSchedule(
  stripe: Stripe,
  { id, schedule }: Stripe.Subscription,
): Promise<Stripe.SubscriptionSchedule> {
  if (schedule !== null) return stripe.subscriptionSchedules.retrieve(idOf(schedule));
  try {
    return await stripe.subscriptionSchedules.create({ from_subscription: id });
  } catch (error) {
    // A concurrent request may have created the schedule.
    const { schedule: existing } = await stripe.subscriptions.retrieve(id);
    if (existing === null || !isInvalidRequest(error)) throw error;
    return stripe.subscriptionSchedules.retrieve(idOf(existing));
  }
}
