import { mergeMetadata } from '../../api/metadata.ts';
import { collect } from '../../billing/invoices/collect.ts';
import { scheduleOf } from '../../billing/schedules/schedule-object.ts';
import { expirePendingUpdate, storePendingUpdate } from '../../billing/subscriptions/pending-update.ts';
import type { Event } from '../../events.ts';
import type { Subscription } from '../../objects.ts';
import type { Scope } from '../../world.ts';
import type { UpdateParams } from './subscription-update-params.ts';

/** Discards a pending update if a change concerns the same properties. */
export function expireConflictingUpdate(
  scope: Scope,
  subscription: Subscription,
  params: UpdateParams,
): Subscription {
  if (conflictsWithPending(subscription, params)) expirePendingUpdate(scope, subscription);
  return scope.state.subscriptions.latest(subscription);
}

function conflictsWithPending({ pending_update: pending }: Subscription, params: UpdateParams): boolean {
  const { cancel_at_period_end: ends, items, trial_end: trialEnd, billing_cycle_anchor: anchor } = params;
  const otherEnd = ends !== undefined && typeof pending?.cancel_at_period_end === 'boolean';
  return pending !== null && (items !== undefined || trialEnd !== undefined || !!anchor || otherEnd);
}

/**
 * Makes the invoice of a change, and stores the change until the invoice is paid.
 * @param apply makes the change
 */
export function deferUntilPaid(
  scope: Scope,
  subscription: Subscription,
  params: UpdateParams,
  apply: (quiet: Scope, subscription: Subscription, params: UpdateParams) => unknown,
): Subscription {
  const { invoices, subscriptions, subscriptionSchedules } = scope.state;
  const before = expireConflictingUpdate(scope, subscription, params);
  const schedule = scheduleOf(scope, before);
  withoutSubscriptionEvents(scope, (quiet) =>
    apply(quiet, before, { ...params, payment_behavior: 'default_incomplete' }),
  );
  const changed = subscriptions.latest(before);
  if (schedule) subscriptionSchedules.patch(schedule.id, { phases: schedule.phases });
  const restored = subscriptions.patch(before.id, before);
  const made = invoices.get(changed.latest_invoice ?? '');
  if (!made) return restored;
  // Only the customer pays it: there are no further attempts.
  const invoice = invoices.patch(made.id, { auto_advance: false });
  const after = differences(before, changed);
  const shown = { metadata: params.metadata ? mergeMetadata({}, params.metadata) : null };
  storePendingUpdate(scope, restored, { invoice, after, shown });
  collect(scope, invoice, { asked: true });
  return subscriptions.latest(restored);
}

/** The fields that a change sets, except the fields that change with every update. */
function differences(before: Subscription, after: Subscription): Partial<Subscription> {
  const apart: (keyof Subscription)[] = ['latest_invoice', 'metadata', 'pending_update', 'status'];
  const changed = (Object.keys(after) as (keyof Subscription)[]).filter(
    (key) => !apart.includes(key) && JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  return {
    ...Object.fromEntries(changed.map((key) => [key, after[key]])),
    // A trial that an update ends is over once the update is applied.
    ...(before.status === 'trialing' && { status: 'active' as const }),
  };
}

/** Does something without the events of subscriptions: they are neither stored nor delivered. */
function withoutSubscriptionEvents(scope: Scope, work: (quiet: Scope) => unknown): void {
  const dropped = new Set<string>();
  work({
    ...scope,
    deliver: (event: Event) => {
      if (event.type.startsWith('customer.subscription.')) dropped.add(event.id);
      else scope.deliver(event);
    },
  });
  scope.state.events.removeWhere(({ id }) => dropped.has(id));
}
