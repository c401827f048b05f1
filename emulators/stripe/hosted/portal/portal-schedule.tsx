import { amountOf } from '../../billing/invoices/amounts.ts';
import { productName } from '../../billing/invoices/lines.ts';
import { periodEnd } from '../../billing/period.ts';
import { releaseSchedule, scheduleOf } from '../../billing/schedules/schedule-object.ts';
import { showPlannedEnd } from '../../billing/schedules/schedules.ts';
import { hasSameCycle } from '../../billing/subscriptions/changing.ts';
import type { Price, Subscription } from '../../objects.ts';
import { changeSchedule, createSchedule } from '../../resources/schedules/subscription-schedules.ts';
import type { Scope } from '../../world.ts';
import { finished, openFeature, ownSubscription } from './portal-visit.tsx';
import type { Visit } from './portal-visit.tsx';

const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };

interface Choice {
  price: Price;
  quantity?: number | undefined;
}

/** Whether the portal's configuration postpones a change until the end of the period. */
export function isForPeriodEnd(
  { features, scope }: Visit,
  subscription: Subscription,
  chosen: Choice,
): boolean {
  const [current] = subscription.items.data;
  if (!current) return false;
  const amount = ({ price, quantity }: Choice): number =>
    amountOf(scope, price, quantity, subscription.currency);
  const days = ({ price: { recurring } }: Choice): number =>
    (DAYS[recurring?.interval ?? ''] ?? 0) * (recurring?.interval_count ?? 1);
  return features.subscription_update.schedule_at_period_end.conditions.some(({ type }) =>
    type === 'shortening_interval' ? days(chosen) < days(current) : amount(chosen) < amount(current),
  );
}

/** Changes the plan with the next period, by a schedule that is released then. */
export function changeAtPeriodEnd(
  scope: Scope,
  subscription: Subscription,
  { price, quantity }: Choice,
): void {
  const schedule = createSchedule(scope, subscription);
  const items = (rows: readonly Choice[]) =>
    rows.map((row) => ({ price: row.price.id, quantity: row.quantity, metadata: undefined }));
  const end = periodEnd(subscription);
  const discounts = subscription.discounts.map((discount) => ({ discount }));
  changeSchedule(scope, schedule, {
    phases: [
      {
        proration_behavior: 'none',
        start_date: schedule.current_phase?.start_date,
        end_date: end,
        items: items(subscription.items.data),
        discounts,
        trial_end: schedule.phases[0]?.trial_end ?? undefined,
      },
      {
        ...(!hasSameCycle(price, subscription.items.data[0]?.price) && {
          billing_cycle_anchor: 'phase_start' as const,
        }),
        proration_behavior: 'none',
        items: items([{ price, quantity }]),
        discounts,
      },
    ],
  });
}

interface PlannedProps {
  scope: Scope;
  subscription: Subscription;
  /** The path of the subscription's pages. */
  path: string;
}

/** The planned change of a subscription, with a button that cancels it. */
export function PlannedChange({ scope, subscription, path }: PlannedProps) {
  const schedule = scheduleOf(scope, subscription);
  const next = schedule?.phases.find(({ start_date: start }) => start === schedule.current_phase?.end_date);
  if (!next) return null;
  const names = next.items.flatMap(({ price: id, quantity }) => {
    const price = scope.state.prices.get(id);
    return price
      ? [`${productName(scope, { price })}${quantity !== undefined && quantity > 1 ? ` × ${quantity}` : ''}`]
      : [];
  });
  const day = new Date(next.start_date * 1000).toISOString().slice(0, 10);
  return (
    <>
      <p>
        Changes to {names.join(', ')} on {day}
      </p>
      <form method="post" action={`${path}/keep-plan`}>
        <button type="submit">Keep the current plan</button>
      </form>
    </>
  );
}

/** `POST …/keep-plan`: cancels the planned change. */
export function keepPlan(unscoped: Scope, id: string, subscriptionId: string): Response {
  const visit = openFeature(unscoped, id, 'subscription_update');
  if (visit instanceof Response) return visit;
  const subscription = ownSubscription(visit, subscriptionId);
  if (subscription instanceof Response) return subscription;
  cancelPlannedChange(visit.scope, subscription);
  return finished(visit, 'Your plan stays as it is.');
}

/** Cancels a planned change of plan or a planned end, by releasing the schedule. */
export function cancelPlannedChange(scope: Scope, subscription: Subscription): void {
  const schedule = scheduleOf(scope, subscription);
  if (!schedule) return;
  releaseSchedule(scope, schedule, subscription);
  showPlannedEnd(scope, { ...schedule, end_behavior: 'release' }, subscription);
}
