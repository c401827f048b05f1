import { InvalidParameter, missingParameter } from '../../api/errors.ts';
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
import { newPhase, phaseItem } from '../../billing/schedules/schedule-object.ts';
import type { SchedulePhase, SubscriptionSchedule } from '../../objects.ts';
import type { Scope } from '../../world.ts';
import { activeRecurringPrice } from '../catalogue/price.ts';
import { nowOrTime, prorationBehavior } from '../subscriptions/subscription-params.ts';

const duration = shape({
  interval: required(oneOf('day', 'month', 'week', 'year')),
  interval_count: integer(1),
});

const phase = shape(
  {
    billing_cycle_anchor: builtOf(['automatic'], ['phase_start']),
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
    start_date: nowOrTime,
  },
  names(`add_invoice_items application_fee_percent automatic_tax billing_thresholds collection_method currency
    default_payment_method default_tax_rates description discounts invoice_settings on_behalf_of transfer_data trial
    trial_end`),
);

export const endBehavior = builtOf(['cancel', 'release'], ['none', 'renew']);

export const scheduleParams = {
  end_behavior: endBehavior,
  metadata: clearable(metadata()),
  phases: list(phase, 10),
  proration_behavior: prorationBehavior,
};

export type GivenPhase = NonNullable<ReturnType<(typeof phase)['parse']>>;

/**
 * The phases of an update: the first is the current one, and each of the others begins where the one before ends.
 * Without an end, a phase lasts one billing interval.
 */
export function readPhases(
  scope: Scope,
  { current_phase: current, phases: [first] }: SubscriptionSchedule,
  given: readonly GivenPhase[],
): SchedulePhase[] {
  const phases: SchedulePhase[] = [];
  for (const [index, row] of given.entries()) {
    const name = `phases[${index}]`;
    const before = phases.at(-1)?.end_date ?? current?.start_date;
    const start = row.start_date === 'now' ? scope.now() : (row.start_date ?? before);
    if (index === 0 && row.start_date === undefined) throw missingParameter(`${name}[start_date]`);
    if (start === undefined || start !== before) {
      throw new InvalidParameter('A phase begins where the one before it ends.', `${name}[start_date]`);
    }
    phases.push(readPhase(scope, row, { name, start, currency: first?.currency ?? 'usd' }));
  }
  if (phases.length === 0) throw missingParameter('phases');
  return phases;
}

function readPhase(
  scope: Scope,
  row: GivenPhase,
  { name, start, currency }: { name: string; start: number; currency: string },
): SchedulePhase {
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
    start,
    end,
    items,
    metadata: mergeMetadata({}, row.metadata),
    proration: row.proration_behavior ?? 'create_prorations',
  });
}

function phaseEnd(
  scope: Scope,
  { duration: given, end_date: end }: GivenPhase,
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
