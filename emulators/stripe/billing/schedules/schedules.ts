import type { SchedulePhase, Subscription, SubscriptionItem, SubscriptionSchedule } from '../../objects.ts';
import { planOf } from '../../resources/catalogue/price.ts';
import { update } from '../../world.ts';
import type { Scope } from '../../world.ts';
import { endDiscount } from '../discounts/discounts.ts';
import { isMetered } from '../invoices/amounts.ts';
import { periodEnd } from '../period.ts';
import { changeItems, hasSameCycle } from '../subscriptions/changing.ts';
import { endingAt, endSubscription } from '../subscriptions/ending.ts';
import { itemsFrom } from '../subscriptions/renewing.ts';
import { newItem } from '../subscriptions/subscription-object.ts';
import { releaseSchedule } from './schedule-object.ts';

/**
 * Begins the next phase after the current one is over. After the last phase the schedule ends as its `end_behavior`
 * says.
 */
export function advanceSchedule(
  scope: Scope,
  schedule: SubscriptionSchedule,
  subscription: Subscription,
): void {
  const end = schedule.current_phase?.end_date;
  const next = schedule.phases.find(({ start_date: start }) => start === end);
  if (next) enterPhase(scope, schedule, subscription, next);
  else if (schedule.end_behavior === 'cancel') endSubscription(scope, subscription, {});
  else releaseSchedule(scope, schedule, subscription);
}

function enterPhase(
  scope: Scope,
  schedule: SubscriptionSchedule,
  subscription: Subscription,
  phase: SchedulePhase,
): void {
  applyPhase(scope, subscription, phase, phase.proration_behavior);
  update(scope, 'customer.subscription.updated', subscription, {
    metadata: { ...subscription.metadata, ...phase.metadata },
  });
  update(scope, 'subscription_schedule.updated', schedule, {
    current_phase: { start_date: phase.start_date, end_date: phase.end_date },
  });
}

/** Gives a subscription the items and discounts of a phase. A change within a period is prorated by `behavior`. */
export function applyPhase(
  scope: Scope,
  subscription: Subscription,
  phase: SchedulePhase,
  behavior: SchedulePhase['proration_behavior'],
): void {
  endOtherDiscounts(scope, subscription, phase);
  applyItems(scope, subscription, phase, behavior);
}

/** Ends the discounts of a subscription that a phase does not have. */
function endOtherDiscounts(scope: Scope, given: Subscription, { discounts }: SchedulePhase): void {
  const kept = discounts.map(({ discount }) => discount);
  for (const id of scope.state.subscriptions.latest(given).discounts) {
    const discount = scope.state.discounts.get(id);
    if (discount && !kept.includes(id)) endDiscount(scope, given, discount);
  }
}

function applyItems(
  scope: Scope,
  given: Subscription,
  phase: SchedulePhase,
  behavior: SchedulePhase['proration_behavior'],
): void {
  const subscription = scope.state.subscriptions.latest(given);
  const before = subscription.items.data;
  const items = itemsOf(scope, subscription, phase);
  const key = ({ price, quantity }: SubscriptionItem): string => `${price.id} ${quantity ?? ''}`;
  if (items.map(key).join() === before.map(key).join()) return;
  if (scope.now() < periodEnd(subscription)) {
    const known = (['always_invoice', 'none'] as const).find((word) => word === behavior);
    changeItems(scope, subscription, items, { behavior: known ?? 'create_prorations' });
    return;
  }
  const after = { ...subscription.items, data: items };
  const isReset = phase.billing_cycle_anchor === 'phase_start';
  const keepsInterval = hasSameCycle(items[0]?.price, before[0]?.price);
  update(scope, 'customer.subscription.updated', subscription, {
    ...(isReset && { billing_cycle_anchor: scope.now() }),
    items: isReset || keepsInterval ? after : withoutInvoice(scope, { ...subscription, items: after }),
  });
}

/**
 * Another interval without a new anchor: the next invoice is that of the anchor's next anniversary, as in flexible
 * billing mode. https://docs.stripe.com/billing/subscriptions/billing-mode/compare
 */
function withoutInvoice(scope: Scope, subscription: Subscription): Subscription['items'] {
  return itemsFrom(subscription, scope.now(), subscription.billing_cycle_anchor);
}

/** The items of a phase as items of its subscription; one with the same price stays the same item. */
function itemsOf(scope: Scope, subscription: Subscription, phase: SchedulePhase): SubscriptionItem[] {
  const [first] = subscription.items.data;
  return phase.items.flatMap(({ price: id, quantity, metadata }) => {
    const price = scope.state.prices.get(id);
    if (!price) return [];
    const existing = subscription.items.data.find((item) => item.price.id === id);
    const item = existing ?? {
      ...newItem(
        subscription.id,
        scope.now(),
        { price, metadata: metadata ?? {} },
        first?.current_period_end ?? null,
      ),
      current_period_start: first?.current_period_start ?? scope.now(),
    };
    return [{ ...item, plan: planOf(price), price, ...(!isMetered(price) && { quantity: quantity ?? 1 }) }];
  });
}

/** Sets `cancel_at` of a subscription to the end that its schedule plans. */
export function showPlannedEnd(scope: Scope, schedule: SubscriptionSchedule, given: Subscription): void {
  const subscription = scope.state.subscriptions.latest(given);
  const end = schedule.end_behavior === 'cancel' ? (schedule.phases.at(-1)?.end_date ?? null) : null;
  if (subscription.cancel_at === end) return;
  update(scope, 'customer.subscription.updated', subscription, {
    cancel_at_period_end: false,
    ...endingAt(scope, subscription, end),
  });
}
