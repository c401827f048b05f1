import type {
  Customer,
  SchedulePhase,
  Subscription,
  SubscriptionItem,
  SubscriptionSchedule,
} from '../../objects.ts';
import { emit, newId, update } from '../../world.ts';
import type { Scope, World } from '../../world.ts';
import { periodEnd } from '../period.ts';

/** The active schedule of a subscription, if it has one. */
export function scheduleOf(
  { state }: Pick<World, 'state'>,
  { schedule: id }: Subscription,
): SubscriptionSchedule | undefined {
  return state.subscriptionSchedules.get(id ?? '');
}

/** A schedule whose only phase is the subscription as it is, until the end of its period. */
export function newSchedule(scope: Scope, subscription: Subscription): SubscriptionSchedule {
  const end = subscription.cancel_at ?? periodEnd(subscription);
  const start = subscription.items.data[0]?.current_period_start ?? subscription.start_date;
  return {
    ...BLANK,
    id: newId('sub_sched'),
    billing_mode: subscription.billing_mode,
    created: scope.now(),
    current_phase: { start_date: start, end_date: end },
    customer: subscription.customer,
    end_behavior: subscription.cancel_at === null ? 'release' : 'cancel',
    phases: [newPhase(subscription.currency, { start, end, ...phaseSettings(subscription) })],
    subscription: subscription.id,
    test_clock: subscription.test_clock,
  };
}

/** A schedule whose subscription begins later. The phases are added by the caller. */
export function newFutureSchedule(
  scope: Scope,
  { id: customer, test_clock: clock }: Pick<Customer, 'id' | 'test_clock'>,
  endBehavior: SubscriptionSchedule['end_behavior'],
): SubscriptionSchedule {
  return {
    ...BLANK,
    id: newId('sub_sched'),
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    created: scope.now(),
    current_phase: null,
    customer,
    end_behavior: endBehavior,
    phases: [],
    status: 'not_started',
    subscription: null,
    test_clock: clock,
  };
}

/** Cancels a schedule whose subscription has not begun. */
export function cancelFutureSchedule(scope: Scope, { id }: SubscriptionSchedule): SubscriptionSchedule {
  const canceled = scope.state.subscriptionSchedules.patch(id, {
    canceled_at: scope.now(),
    status: 'canceled',
  });
  emit(scope, 'subscription_schedule.canceled', canceled);
  return canceled;
}

const BLANK = {
  object: 'subscription_schedule',
  application: null,
  canceled_at: null,
  completed_at: null,
  customer_account: null,
  default_settings: {
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: 'automatic',
    billing_thresholds: null,
    collection_method: 'charge_automatically',
    default_payment_method: null,
    description: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      days_until_due: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    on_behalf_of: null,
    transfer_data: null,
  },
  livemode: false,
  metadata: {},
  pause_schedules: [],
  released_at: null,
  released_subscription: null,
  status: 'active',
} satisfies Partial<SubscriptionSchedule>;

interface NewPhase {
  anchor?: SchedulePhase['billing_cycle_anchor'];
  start: number;
  end: number;
  discounts: SchedulePhase['discounts'];
  items: SchedulePhase['items'];
  metadata?: SchedulePhase['metadata'];
  proration?: SchedulePhase['proration_behavior'];
  trialEnd: number | null;
}

export function newPhase(currency: string, given: NewPhase): SchedulePhase {
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: given.anchor ?? null,
    billing_thresholds: null,
    collection_method: null,
    currency,
    default_payment_method: null,
    default_tax_rates: [],
    description: null,
    discounts: given.discounts,
    end_date: given.end,
    invoice_settings: null,
    items: given.items,
    metadata: given.metadata ?? {},
    on_behalf_of: null,
    proration_behavior: given.proration ?? 'create_prorations',
    start_date: given.start,
    transfer_data: null,
    trial_end: given.trialEnd,
  };
}

/** The settings that the current phase copies from its subscription. */
function phaseSettings(subscription: Subscription): Pick<NewPhase, 'discounts' | 'items' | 'trialEnd'> {
  return {
    discounts: phaseDiscounts(subscription.discounts),
    items: phaseItems(subscription.items.data),
    trialEnd: subscription.status === 'trialing' ? subscription.trial_end : null,
  };
}

/** The discounts of a subscription as those of a phase. */
export function phaseDiscounts(ids: readonly string[]): SchedulePhase['discounts'] {
  return ids.map((discount) => ({ coupon: null, discount, promotion_code: null }));
}

/** A subscription's items as the items of a phase. */
export function phaseItems(items: readonly SubscriptionItem[]): SchedulePhase['items'] {
  return items.map(({ price, ...item }) => phaseItem({ ...item, price: price.id }));
}

export function phaseItem({ metadata, price, quantity }: GivenItem): SchedulePhase['items'][number] {
  return {
    billing_thresholds: null,
    discounts: [],
    metadata,
    plan: price,
    price,
    ...(quantity !== undefined && { quantity }),
    tax_rates: [],
  };
}

/** The quantity is left out for a metered price. */
interface GivenItem {
  metadata: SchedulePhase['items'][number]['metadata'];
  price: string;
  quantity?: number;
}

/** Separates a schedule from its subscription, which continues unchanged. */
export function releaseSchedule(
  scope: Scope,
  schedule: SubscriptionSchedule,
  subscription: Subscription,
): SubscriptionSchedule {
  const released = scope.state.subscriptionSchedules.patch(schedule.id, {
    current_phase: null,
    released_at: scope.now(),
    released_subscription: subscription.id,
    status: 'released',
    subscription: null,
  });
  emit(scope, 'subscription_schedule.released', released);
  update(scope, 'customer.subscription.updated', subscription, { schedule: null });
  return released;
}

/** Ends the schedule of a subscription that ends: completed by its last phase, and canceled otherwise. */
export function endSchedule(scope: Scope, subscription: Subscription): void {
  const schedule = scheduleOf(scope, subscription);
  if (schedule?.status !== 'active') return;
  const now = scope.now();
  const completed = schedule.end_behavior === 'cancel' && schedule.phases.at(-1)?.end_date === now;
  const ended = scope.state.subscriptionSchedules.patch(schedule.id, {
    ...(completed ? { completed_at: now, status: 'completed' } : { canceled_at: now, status: 'canceled' }),
    current_phase: null,
  });
  emit(scope, completed ? 'subscription_schedule.completed' : 'subscription_schedule.canceled', ended);
  scope.state.subscriptions.patch(subscription.id, { schedule: null });
}

/** Copies a change of the subscription itself to the current phase of its schedule. */
export function updateCurrentPhase(scope: Scope, given: Subscription): void {
  const subscription = scope.state.subscriptions.latest(given);
  const schedule = scheduleOf(scope, subscription);
  if (!schedule) return;
  const current = schedule.current_phase?.start_date;
  const { trialEnd, ...settings } = phaseSettings(subscription);
  update(scope, 'subscription_schedule.updated', schedule, {
    phases: schedule.phases.map((phase) =>
      phase.start_date === current ? { ...phase, ...settings, trial_end: trialEnd } : phase,
    ),
  });
}
