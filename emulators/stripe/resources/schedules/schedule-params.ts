import {
  InvalidParameter,
  missingParameter,
  noSuchReference,
  unsupportedParameter,
} from '../../api/errors.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import {
  builtOf,
  clearable,
  integer,
  list,
  metadata,
  names,
  oneOf,
  required,
  shape,
  text,
} from '../../api/parameters/params.ts';
import { addInterval } from '../../billing/calendar.ts';
import { isMetered } from '../../billing/invoices/amounts.ts';
import { newPhase, phaseDiscounts, phaseItem } from '../../billing/schedules/schedule-object.ts';
import type { SchedulePhase, SubscriptionSchedule } from '../../objects.ts';
import type { Scope } from '../../world.ts';
import { activeRecurringPrice } from '../catalogue/price.ts';
import { nowOrTime, prorationBehavior } from '../subscriptions/subscription-params.ts';

const duration = shape({
  interval: required(oneOf('day', 'month', 'week', 'year')),
  interval_count: integer(1),
});

const phaseFields = {
  billing_cycle_anchor: oneOf('automatic', 'phase_start'),
  currency: text(),
  discounts: clearable(list(shape({ discount: required(text()) }, names('coupon promotion_code')), 20)),
  duration,
  end_date: nowOrTime,
  items: required(
    list(
      shape(
        { metadata: metadata(), price: text(), quantity: integer(0, 999_999) },
        names('billing_thresholds discounts plan price_data tax_rates'),
      ),
      20,
    ),
  ),
  metadata: metadata(),
  proration_behavior: prorationBehavior,
  trial_end: integer(0),
};

const unsupportedOfPhase = names(`add_invoice_items application_fee_percent automatic_tax billing_thresholds
  collection_method default_payment_method default_tax_rates description invoice_settings on_behalf_of transfer_data
  trial`);

const phase = shape({ ...phaseFields, start_date: nowOrTime }, unsupportedOfPhase);

/** A phase of a new schedule. It begins where the one before it ends. */
const newPhaseParams = shape(phaseFields, unsupportedOfPhase);

export const endBehavior = builtOf(['cancel', 'release'], ['none', 'renew']);

export const scheduleParams = {
  end_behavior: endBehavior,
  metadata: clearable(metadata()),
  phases: list(phase, 10),
  proration_behavior: prorationBehavior,
};

export const newScheduleParams = {
  customer: text(),
  end_behavior: endBehavior,
  from_subscription: text(),
  metadata: clearable(metadata()),
  phases: list(newPhaseParams, 10),
  start_date: nowOrTime,
};

type GivenNewPhase = NonNullable<ReturnType<(typeof newPhaseParams)['parse']>>;

export type GivenPhase = NonNullable<ReturnType<(typeof phase)['parse']>>;

/**
 * The phases of an update: the first is the current one, and each of the others begins where the one before ends.
 * Without an end, a phase lasts one billing interval.
 */
export function readPhases(
  scope: Scope,
  schedule: SubscriptionSchedule,
  given: readonly GivenPhase[],
): SchedulePhase[] {
  const { current_phase: current } = schedule;
  const phases: SchedulePhase[] = [];
  for (const [index, row] of given.entries()) {
    const name = `phases[${index}]`;
    const before = phases.at(-1)?.end_date ?? current?.start_date;
    const start = row.start_date === 'now' ? scope.now() : (row.start_date ?? before);
    if (index === 0 && row.start_date === undefined) throw missingParameter(`${name}[start_date]`);
    if (start === undefined || start !== before) {
      throw new InvalidParameter('A phase begins where the one before it ends.', `${name}[start_date]`);
    }
    phases.push(readPhase(scope, row, { name, start, schedule }));
  }
  if (phases.length === 0) throw missingParameter('phases');
  return phases;
}

/** The phases of a new schedule. The first one begins with the schedule. */
export function readNewPhases(
  scope: Scope,
  schedule: SubscriptionSchedule,
  given: readonly GivenNewPhase[],
  start: number,
): SchedulePhase[] {
  const phases: SchedulePhase[] = [];
  for (const [index, row] of given.entries()) {
    const name = `phases[${index}]`;
    phases.push(readPhase(scope, row, { name, start: phases.at(-1)?.end_date ?? start, schedule }));
  }
  if (phases.length === 0) throw missingParameter('phases');
  return phases;
}

function readPhase(
  scope: Scope,
  row: GivenNewPhase,
  { name, start, schedule }: { name: string; start: number; schedule: SubscriptionSchedule },
): SchedulePhase {
  const [currency, discounts] = [
    readCurrency(row, schedule, `${name}[currency]`),
    readDiscounts(scope, row, schedule, `${name}[discounts]`),
  ];
  const items = row.items.map(({ metadata: patch, price, quantity }, index) => {
    if (price === undefined) throw missingParameter(`${name}[items][${index}][price]`);
    const found = activeRecurringPrice(scope, price, `${name}[items][${index}][price]`);
    const counted = isMetered(found) ? {} : { quantity: quantity ?? 1 };
    return phaseItem({ metadata: mergeMetadata({}, patch), price: found.id, ...counted });
  });
  if (items.length === 0) throw missingParameter(`${name}[items]`);
  const end = phaseEnd(scope, row, start, items[0]?.price ?? '');
  if (end <= start || end < scope.now()) {
    throw new InvalidParameter('A phase must end after its start, and not in the past.', `${name}[end_date]`);
  }
  return newPhase(currency, {
    anchor: row.billing_cycle_anchor ?? null,
    start,
    end,
    discounts,
    items,
    metadata: mergeMetadata({}, row.metadata),
    proration: row.proration_behavior ?? 'create_prorations',
    trialEnd: readTrialEnd(row, { start, end, schedule }, `${name}[trial_end]`),
  });
}

function readCurrency(
  { currency: given }: GivenNewPhase,
  { phases: [first] }: SubscriptionSchedule,
  param: string,
): string {
  const currency = first?.currency ?? given ?? 'usd';
  if (given !== undefined && given !== currency) {
    throw new InvalidParameter(`The currency of this subscription is ${currency}.`, param);
  }
  return currency;
}

/**
 * The discounts that a phase keeps. The subscription loses the others when the phase begins. A subscription keeps a
 * discount whose coupon was deleted, but a phase cannot name this discount.
 * https://github.com/useautumn/autumn/pull/759
 */
function readDiscounts(
  { state }: Scope,
  { discounts }: GivenNewPhase,
  { subscription }: SubscriptionSchedule,
  param: string,
): SchedulePhase['discounts'] {
  const ids = (discounts ?? []).map(({ discount }) => discount);
  for (const [index, id] of ids.entries()) {
    const discount = state.discounts.get(id);
    if (discount?.subscription !== subscription) {
      throw noSuchReference('discount', id, `${param}[${index}][discount]`);
    }
    const { coupon } = discount.source;
    if (!state.coupons.get(coupon)) throw noSuchReference('coupon', coupon, `${param}[${index}][discount]`);
  }
  return phaseDiscounts(ids);
}

/** A trial must lie within its phase. Only the trial of the current phase is supported, with the end that it has. */
function readTrialEnd(
  { trial_end: trialEnd }: GivenNewPhase,
  { start, end, schedule }: { start: number; end: number; schedule: SubscriptionSchedule },
  param: string,
): number | null {
  const given = trialEnd ?? null;
  if (given !== null && (given <= start || given > end)) {
    throw new InvalidParameter('The end of a trial must be within its phase.', param);
  }
  const before = schedule.phases.find((phase) => phase.start_date === start)?.trial_end ?? null;
  if (given !== before) throw unsupportedParameter(`a change of ${param}`);
  return given;
}

function phaseEnd(
  scope: Scope,
  { duration: given, end_date: end }: GivenNewPhase,
  start: number,
  price: string,
): number {
  if (end !== undefined && given) {
    throw new InvalidParameter('You may only specify one of these parameters: end_date, duration.', 'phases');
  }
  if (end !== undefined) return end === 'now' ? scope.now() : end;
  const recurring = scope.state.prices.get(price)?.recurring;
  const { interval, interval_count: count = 1 } = given ?? recurring ?? { interval: 'month' };
  return addInterval(start, interval, count);
}
