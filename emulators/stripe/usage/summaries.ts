import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import type { Meter } from '../objects.ts';
import type { World } from '../world.ts';
import { aggregate, eventsWithin } from './aggregate.ts';
import type { Span } from './aggregate.ts';

type Summary = Stripe.Billing.MeterEventSummary;

/** The usage of a customer by windows of `step` seconds, oldest first. Windows without events are left out. */
export function summaries(
  world: World,
  meter: Meter,
  customer: string,
  { start, end, step }: Span & { step: number },
): Summary[] {
  const found: Summary[] = [];
  for (let from = start; from < end; from += step) {
    const span = { start: from, end: Math.min(end, from + step) };
    const events = eventsWithin(world, meter, customer, span);
    if (events.length > 0) found.push(summary(meter, customer, span, aggregate(meter, events)));
  }
  return found;
}

/** The id follows from the content, so that it can be the cursor of a list. */
function summary(meter: Meter, customer: string, { start, end }: Span, value: number): Summary {
  const digest = createHash('sha256').update(`${meter.id} ${customer} ${start} ${end}`).digest('hex');
  return {
    id: `mtrusg_test_${digest.slice(0, 24)}`,
    object: 'billing.meter_event_summary',
    aggregated_value: value,
    end_time: end,
    livemode: false,
    meter: meter.id,
    start_time: start,
  };
}
