import {
  InvalidParameter,
  missingParameter,
  noSuchObject,
  noSuchReference,
  notAllowed,
  unsupportedParameter,
} from '../../api/errors.ts';
import { page, pageParams } from '../../api/list.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { operation } from '../../api/operation.ts';
import { flag, names, text, timeRange } from '../../api/parameters/params.ts';
import type { Parsed } from '../../api/parameters/params.ts';
import { isMetered } from '../../billing/invoices/amounts.ts';
import { endNow } from '../../billing/invoices/final-invoice.ts';
import {
  cancelFutureSchedule,
  newFutureSchedule,
  newSchedule,
  releaseSchedule,
} from '../../billing/schedules/schedule-object.ts';
import { advanceSchedule, applyPhase, showPlannedEnd } from '../../billing/schedules/schedules.ts';
import { hasEnded } from '../../billing/subscriptions/ending.ts';
import type { SchedulePhase, Subscription, SubscriptionSchedule } from '../../objects.ts';
import { emit, inTimeOf, tentatively, update } from '../../world.ts';
import type { Scope, World } from '../../world.ts';
import { newScheduleParams, readNewPhases, readPhases, scheduleParams } from './schedule-params.ts';

const LIST = { url: '/v1/subscription_schedules', noun: 'subscription_schedule' };

/** Makes a schedule for a subscription. Its only phase is the current period. */
export function createSchedule(unscoped: Scope, subscription: Subscription): SubscriptionSchedule {
  if (hasEnded(subscription)) throw notAllowed('A subscription that has ended cannot have a schedule.');
  if (subscription.schedule !== null) {
    throw notAllowed(`The subscription has the schedule ${subscription.schedule} already.`);
  }
  const scope = inTimeOf(unscoped, subscription);
  const schedule = scope.state.subscriptionSchedules.insert(newSchedule(scope, subscription));
  emit(scope, 'subscription_schedule.created', schedule);
  update(scope, 'customer.subscription.updated', subscription, { schedule: schedule.id });
  return schedule;
}

/** Makes a schedule whose subscription begins later. The local Stripe never begins it. */
function createFutureSchedule(
  unscoped: Scope,
  params: Partial<Parsed<typeof newScheduleParams>>,
): SubscriptionSchedule {
  const { customer: id, end_behavior: behavior = 'release', phases: given, start_date: start } = params;
  if (id === undefined) throw missingParameter('customer');
  const customer = unscoped.state.customers.get(id);
  if (!customer) throw noSuchReference('customer', id, 'customer');
  const scope = inTimeOf(unscoped, customer);
  if (start === undefined || start === 'now' || start <= scope.now()) {
    throw unsupportedParameter('a schedule that begins a subscription immediately');
  }
  const schedule = newFutureSchedule(scope, customer, behavior);
  const phases = readNewPhases(scope, schedule, given ?? [], start);
  const stored = scope.state.subscriptionSchedules.insert({ ...schedule, phases });
  emit(scope, 'subscription_schedule.created', stored);
  return stored;
}

export type ScheduleChange = Partial<Parsed<typeof scheduleParams>>;

/** Changes the phases of a schedule; a change of the current phase is applied immediately. */
export function changeSchedule(
  unscoped: Scope,
  schedule: SubscriptionSchedule,
  params: ScheduleChange,
): SubscriptionSchedule {
  return tentatively(inTimeOf(unscoped, schedule), (scope) => {
    const before = scope.state.subscriptionSchedules.latest(schedule);
    const subscription = scheduledSubscription(scope, before);
    const { end_behavior: behavior, metadata: patch, phases: given } = params;
    const phases = given && readPhases(scope, before, given);
    if (phases) assertUsageKept(subscription, phases);
    const [current] = phases ?? [];
    const begin = before.current_phase?.start_date ?? 0;
    const past = before.phases.filter(({ start_date: start }) => start < begin);
    const row = update(scope, 'subscription_schedule.updated', before, {
      ...(behavior && { end_behavior: behavior }),
      ...(phases && { phases: [...past, ...phases] }),
      ...(current && { current_phase: { start_date: current.start_date, end_date: current.end_date } }),
      metadata: mergeMetadata(before.metadata ?? {}, patch),
    });
    if (current) applyPhase(scope, subscription, current, params.proration_behavior ?? 'create_prorations');
    showPlannedEnd(scope, row, subscription);
    if ((row.current_phase?.end_date ?? Infinity) <= scope.now()) advanceSchedule(scope, row, subscription);
    return scope.state.subscriptionSchedules.latest(row);
  });
}

/** The usage of a period is invoiced with the next one, so that its item must still be there. */
function assertUsageKept({ items }: Subscription, phases: readonly SchedulePhase[]): void {
  const metered = items.data.filter(({ price }) => isMetered(price));
  for (const phase of phases) {
    if (metered.some(({ price }) => !phase.items.some((item) => item.price === price.id)))
      throw unsupportedParameter('phases without a metered price of the subscription');
  }
}

function scheduledSubscription(
  { state }: World,
  { subscription: id, status }: SubscriptionSchedule,
): Subscription {
  const subscription = state.subscriptions.get(typeof id === 'string' ? id : '');
  if (!subscription || status !== 'active') {
    throw notAllowed(`A subscription schedule that is ${status} cannot be changed.`);
  }
  return subscription;
}

function cancel(
  scope: Scope,
  schedule: SubscriptionSchedule,
  { invoice_now: invoice = true, prorate: settle = true }: { invoice_now?: boolean; prorate?: boolean },
): SubscriptionSchedule {
  if (schedule.status === 'not_started') return cancelFutureSchedule(scope, schedule);
  const subscription = scheduledSubscription(scope, schedule);
  endNow(scope, subscription, { settle, invoice });
  return scope.state.subscriptionSchedules.latest(schedule);
}

function createFor(scope: Scope, params: Partial<Parsed<typeof newScheduleParams>>): SubscriptionSchedule {
  const { from_subscription: id } = params;
  if (id === undefined) return createFutureSchedule(scope, params);
  const other = (['phases', 'end_behavior', 'start_date', 'customer'] as const).find(
    (name) => params[name] !== undefined,
  );
  if (other !== undefined)
    throw new InvalidParameter(`You cannot set \`${other}\` if \`from_subscription\` is set.`, other);
  const subscription = scope.state.subscriptions.get(id);
  if (!subscription) throw noSuchReference('subscription', id, 'from_subscription');
  return createSchedule(scope, subscription);
}

/** https://docs.stripe.com/api/subscription_schedules */
export const subscriptionScheduleOperations = [
  operation({
    method: 'POST',
    path: '/v1/subscription_schedules',
    params: newScheduleParams,
    unsupported: names('billing_mode customer_account default_settings pause_schedules'),
    run: ({ scope, params }) => {
      const schedule = createFor(scope, params);
      const { metadata: patch } = params;
      return scope.state.subscriptionSchedules.patch(schedule.id, { metadata: mergeMetadata({}, patch) });
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/subscription_schedules',
    params: {
      ...pageParams,
      canceled_at: timeRange(),
      completed_at: timeRange(),
      created: timeRange(),
      customer: text(),
      released_at: timeRange(),
      scheduled: flag(),
    },
    unsupported: ['customer_account'],
    run: ({ scope, params }) =>
      page(scope.state.subscriptionSchedules, (schedule) => isWanted(schedule, params), params, LIST),
  }),
  operation({
    method: 'GET',
    path: '/v1/subscription_schedules/:id',
    params: {},
    run: ({ scope, id }) => requestedSchedule(scope, id),
  }),
  operation({
    method: 'POST',
    path: '/v1/subscription_schedules/:id',
    params: scheduleParams,
    unsupported: ['default_settings', 'pause_schedules'],
    run: ({ scope, id, params }) => changeSchedule(scope, requestedSchedule(scope, id), params),
  }),
  operation({
    method: 'POST',
    path: '/v1/subscription_schedules/:id/release',
    params: { preserve_cancel_date: flag() },
    run: ({ scope: unscoped, id, params: { preserve_cancel_date: keep } }) => {
      const schedule = requestedSchedule(unscoped, id);
      const scope = inTimeOf(unscoped, schedule);
      const subscription = scheduledSubscription(scope, schedule);
      const released = releaseSchedule(scope, schedule, subscription);
      if (!keep) showPlannedEnd(scope, { ...schedule, end_behavior: 'release' }, subscription);
      return released;
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/subscription_schedules/:id/cancel',
    params: { invoice_now: flag(), prorate: flag() },
    run: ({ scope, id, params: { invoice_now: invoice, prorate: settle } }) => {
      const schedule = requestedSchedule(scope, id);
      return cancel(inTimeOf(scope, schedule), schedule, {
        ...(invoice !== undefined && { invoice_now: invoice }),
        ...(settle !== undefined && { prorate: settle }),
      });
    },
  }),
];

type Within = ((seconds: number) => boolean) | undefined;

function isWanted(
  schedule: SubscriptionSchedule,
  wanted: Partial<Record<'canceled_at' | 'completed_at' | 'created' | 'released_at', Within>> & {
    customer?: string | undefined;
    scheduled?: boolean | undefined;
  },
): boolean {
  const times = (['canceled_at', 'completed_at', 'created', 'released_at'] as const).every((name) => {
    const [within, time] = [wanted[name], schedule[name]];
    return within === undefined || (time !== null && within(time));
  });
  return (
    times &&
    (wanted.customer === undefined || schedule.customer === wanted.customer) &&
    (wanted.scheduled === undefined || wanted.scheduled === (schedule.status === 'not_started'))
  );
}

export function requestedSchedule({ state }: World, id: string): SubscriptionSchedule {
  const schedule = state.subscriptionSchedules.get(id);
  if (!schedule) throw noSuchObject('subscription_schedule', id);
  return schedule;
}
