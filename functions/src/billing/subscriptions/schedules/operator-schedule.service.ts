import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import { refusal } from '../../../refusals/refusals.ts';
import type { Interval, Plan } from '../../../settings/plans.ts';
import { intervalOf } from '../../catalogue/interval.ts';
import { idOf } from '../../stripe/stripe-ids.ts';
import type { PlanSubscription } from '../from-stripe/plan-subscriptions.service.ts';
import { findItemsWithLookupKeys } from '../from-stripe/subscription-items.store.ts';
import { findPlanOfItems } from '../plan-item.ts';
import { isEnding } from '../status.ts';
import {
  isSimple,
  lineItemsOfPhase,
  plannedPhaseOf,
  replacedScheduleOf,
  retrieveSchedule,
  type PlannedPhase,
} from '../wanted-items/planned-change.ts';

/**
 * Call it before a schedule is replaced or released. The phases of an operator's schedule would be lost, such as a
 * higher price of the present plan. One call to Stripe if the subscription has a schedule, otherwise none.
 *
 * @throws Refusal `schedule_of_support`
 */
export async function requireNoOperatorSchedule(backend: Backend, current: PlanSubscription): Promise<void> {
  if ((await findOperatorSchedule(backend, current)) !== undefined) throw refusal('schedule_of_support');
}

/**
 * Finds the schedule of a subscription if an operator has made it.
 *
 * @returns its id; undefined if there is no schedule, or if it can be a planned change of the customer
 */
async function findOperatorSchedule(
  backend: Backend,
  current: PlanSubscription,
): Promise<string | undefined> {
  const { schedule: reference, metadata } = current.subscription;
  if (reference === null) return undefined;
  const id = idOf(reference);
  // An immediate change of the customer has replaced it, and it will be discarded.
  if (replacedScheduleOf({ schedule: id, metadata }) !== undefined) return undefined;
  const schedule = await retrieveSchedule(await backend.stripe(), id);
  return (await isMadeByOperator(backend, current, schedule)) ? schedule.id : undefined;
}

/**
 * A customer can plan one change, and only to another plan or interval: a change to the present ones discards what was
 * planned. Every other schedule was made by an operator.
 */
async function isMadeByOperator(
  backend: Backend,
  current: PlanSubscription,
  schedule: Stripe.SubscriptionSchedule,
): Promise<boolean> {
  if (!isSimple(schedule)) return true;
  const planned = plannedPhaseOf(schedule);
  // A request that ended half-way leaves a schedule without a later phase.
  if (planned === undefined) return false;
  const { plan, interval } = await planOfPhase(backend, current, planned);
  if (plan === undefined || interval === null) return true;
  return plan === current.plan && interval === intervalOf(current.stripeItem.price);
}

/**
 * The plan that a planned phase pays for, and the interval. Reads documents only for prices that have no configured
 * lookup key, and are not those of the present line items: see `findItemsWithLookupKeys`.
 *
 * @returns `plan` undefined if it is none of the plans
 */
export async function planOfPhase(
  { config, db }: Backend,
  { items: stored }: Pick<PlanSubscription, 'items'>,
  phase: PlannedPhase,
): Promise<{ plan: Plan | undefined; interval: Interval | null }> {
  const items = await findItemsWithLookupKeys(db, config, lineItemsOfPhase(phase), { items: stored });
  const interval = intervalOf(phase.items[0].price);
  return { plan: findPlanOfItems(items, config.plans)?.plan, interval };
}

/** The key in the metadata of a subscription with the id of the operator's schedule that a cancellation discarded. */
const DISCARDED_SCHEDULE = 'discardedSchedule';

/**
 * Call it before a cancellation discards the schedule. Stores the id of an operator's schedule in the metadata of the
 * subscription. Stripe keeps the phases of a released schedule, so an operator can make it again. Makes up to two calls
 * to Stripe if the subscription has a schedule, otherwise none.
 */
export async function noteOperatorSchedule(backend: Backend, current: PlanSubscription): Promise<void> {
  const scheduleId = await findOperatorSchedule(backend, current);
  if (scheduleId === undefined) return;
  const { subscriptions } = await backend.stripe();
  await subscriptions.update(current.subscription.id, { metadata: { [DISCARDED_SCHEDULE]: scheduleId } });
}

/**
 * Otherwise a customer could cancel and resume, and so keep a lower price for ever.
 *
 * @throws Refusal `schedule_of_support`
 */
export function requireNoDiscardedSchedule(subscription: Stripe.Subscription): void {
  if (isEnding(subscription) && DISCARDED_SCHEDULE in subscription.metadata) {
    throw refusal('schedule_of_support');
  }
}
