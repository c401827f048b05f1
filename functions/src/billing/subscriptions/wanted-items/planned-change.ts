import type Stripe from 'stripe';
import { refusal } from '../../../refusals/refusals.ts';
import { isInvalidRequest, isPhaseRejected } from '../../stripe/stripe-errors.ts';
import { idOf } from '../../stripe/stripe-ids.ts';
import type { ItemAfterChange } from './item-changes.ts';
import { phasesWithChange } from './phases.ts';

/**
 * Plans a change for the end of the current period. Replaces an earlier planned change. A call that ends half-way
 * leaves a schedule without a planned change. The next call uses this schedule.
 * https://docs.stripe.com/billing/subscriptions/subscription-schedules
 *
 * @param planned all line items after the change
 * @returns the schedule, whose last phase has the change
 * @throws Refusal `price_not_plannable` if Stripe no longer accepts a price or a discount of the subscription
 */
export async function setPlannedChange(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  planned: readonly ItemAfterChange[],
): Promise<Stripe.SubscriptionSchedule> {
  const schedule = await ensureSchedule(stripe, subscription);
  const metered = meteredPriceIdsOf(subscription);
  try {
    return await stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      phases: phasesWithChange(schedule, planned, (priceId) => metered.includes(priceId)),
    });
  } catch (error) {
    // A phase must name all prices and discounts, also those that a subscription keeps although they were archived or
    // deleted. A change now names only those that it changes.
    if (isPhaseRejected(error)) throw refusal('price_not_plannable', {}, { cause: error });
    throw error;
  }
}

/**
 * Call it before a schedule is replaced or released. A planned change is a schedule with one later phase that releases
 * the subscription at its end: ours, or one of Stripe's portal. Every other schedule is support's, and its phases would
 * be lost. One call to Stripe if the subscription has a schedule, otherwise none.
 *
 * @throws Refusal `schedule_of_support`
 */
export async function requireNoOtherSchedule(
  { subscriptionSchedules: schedules }: Stripe,
  { schedule: id }: Stripe.Subscription,
): Promise<void> {
  if (id === null) return;
  const schedule = await schedules.retrieve(idOf(id));
  if (laterPhasesOf(schedule).length > 1 || schedule.end_behavior !== 'release') {
    throw refusal('schedule_of_support');
  }
}

function laterPhasesOf({ current_phase: current, phases }: Stripe.SubscriptionSchedule) {
  return current === null ? [] : phases.filter(({ start_date }) => start_date >= current.end_date);
}

/** Releases the schedule of a subscription, if there is one. A concurrent request may have released the schedule. */
export async function discardPlannedChange(
  { subscriptionSchedules: schedules }: Stripe,
  { schedule }: Stripe.Subscription,
): Promise<void> {
  if (schedule === null) return;
  try {
    await schedules.release(idOf(schedule));
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
    const { status } = await schedules.retrieve(idOf(schedule));
    if (status === 'active' || status === 'not_started') throw error;
  }
}

/**
 * The start of the phase after the current phase, and the price of its first line item, which pays for the plan. Two
 * calls to Stripe, or one if no change is planned.
 *
 * @returns undefined if no change is planned
 */
export async function findPlannedPhase(
  stripe: Stripe,
  scheduleId: string,
): Promise<{ startsAt: number; price: Stripe.Price } | undefined> {
  const [phase] = laterPhasesOf(await stripe.subscriptionSchedules.retrieve(scheduleId));
  const [planItem] = phase?.items ?? [];
  if (phase === undefined || planItem === undefined) return undefined;
  return { startsAt: phase.start_date, price: await stripe.prices.retrieve(idOf(planItem.price)) };
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

/** The ids of the prices that are billed by usage. */
export function meteredPriceIdsOf({ items }: Stripe.Subscription): string[] {
  return items.data
    .filter(({ price }) => price.recurring?.usage_type === 'metered')
    .map(({ price }) => price.id);
}
