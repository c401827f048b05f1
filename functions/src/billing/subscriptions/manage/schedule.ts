import type Stripe from 'stripe';
import { isInvalidRequest } from '../../stripe/stripe-errors.ts';
import { idOf } from '../../stripe/stripe-ids.ts';

export interface PlannedItem {
  price: string;
  /** For a price that is billed by usage, `setPlannedChange` leaves out the quantity. */
  quantity?: number;
}

/**
 * Plans a change for the end of the current period. Replaces an earlier planned change. A call that ends half-way
 * leaves a schedule without a planned change. The next call uses this schedule.
 * https://docs.stripe.com/billing/subscriptions/subscription-schedules
 *
 * @param planned all line items after the change
 * @returns the schedule, whose last phase has the change
 */
export async function setPlannedChange(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  planned: readonly PlannedItem[],
): Promise<Stripe.SubscriptionSchedule> {
  const schedule = await ensureSchedule(stripe, subscription);
  const current = currentPhaseOf(schedule);
  const metered = new Set(meteredPriceIdsOf(subscription));
  return stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: 'release',
    phases: [
      {
        ...settingsOf(current),
        items: itemsOf(current),
        start_date: current.start_date,
        end_date: current.end_date,
      },
      {
        ...settingsOf(current),
        items: planned.map((item) => (metered.has(item.price) ? { price: item.price } : item)),
        proration_behavior: 'none',
      },
    ],
  });
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
  const { current_phase: current, phases } = await stripe.subscriptionSchedules.retrieve(scheduleId);
  const phase =
    current === null ? undefined : phases.find(({ start_date }) => start_date >= current.end_date);
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

function currentPhaseOf({
  id,
  current_phase,
  phases,
}: Stripe.SubscriptionSchedule): Stripe.SubscriptionSchedule.Phase {
  const phase = phases.find(({ start_date }) => start_date === current_phase?.start_date);
  if (phase === undefined) throw new Error(`The schedule ${id} has no current phase.`);
  return phase;
}

/** The ids of the prices that are billed by usage. Stripe accepts no quantity for them. */
function meteredPriceIdsOf({ items }: Stripe.Subscription): string[] {
  return items.data
    .filter(({ price }) => price.recurring?.usage_type === 'metered')
    .map(({ price }) => price.id);
}

function itemsOf({ items }: Stripe.SubscriptionSchedule.Phase): PlannedItem[] {
  return items.map(({ price, quantity }) => ({
    price: idOf(price),
    ...(quantity !== undefined && { quantity }),
  }));
}

/** An update must repeat these settings, because it replaces whole phases. */
function settingsOf({
  discounts,
  metadata,
  trial_end: trialEnd,
}: Stripe.SubscriptionSchedule.Phase): Pick<
  Stripe.SubscriptionScheduleUpdateParams.Phase,
  'discounts' | 'metadata' | 'trial_end'
> {
  return {
    ...(discounts.length > 0 && { discounts: discounts.map(toDiscount) }),
    ...(metadata && { metadata }),
    ...(trialEnd !== null && { trial_end: trialEnd }),
  };
}

function toDiscount({
  coupon,
  discount,
  promotion_code: code,
}: Stripe.SubscriptionSchedule.Phase.Discount): Stripe.SubscriptionScheduleUpdateParams.Phase.Discount {
  if (discount !== null) return { discount: idOf(discount) };
  if (code !== null) return { promotion_code: idOf(code) };
  return coupon === null ? {} : { coupon: idOf(coupon) };
}
