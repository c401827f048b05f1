import type { UsageEvent } from '../hidden-records.ts';
import type { Meter } from '../objects.ts';
import type { World } from '../world.ts';

export const HOUR = 60 * 60;
export const DAY = 24 * HOUR;

/** A time from `start` up to but not including `end`, in seconds since 1970. */
export interface Span {
  start: number;
  end: number;
}

/** The events of a customer at a meter within a span, in the order in which they arrived. */
export function eventsWithin(
  { state }: World,
  meter: Meter,
  customer: string,
  { start, end }: Span,
): UsageEvent[] {
  const events = state.usageEvents.where(
    (event) =>
      event.eventName === meter.event_name &&
      event.customer === customer &&
      event.timestamp >= start &&
      event.timestamp < end,
  );
  return meter.event_time_window === null ? events : latestPerWindow(events, meter.event_time_window);
}

/** A meter with a time window counts only the event of each window that arrived last. */
function latestPerWindow(events: readonly UsageEvent[], window: string): UsageEvent[] {
  const seconds = window === 'day' ? DAY : HOUR;
  return [...new Map(events.map((event) => [Math.floor(event.timestamp / seconds), event])).values()];
}

/** The sum, the number or the last of the events' values; https://docs.stripe.com/api/billing/meter/object. */
export function aggregate(meter: Meter, events: readonly UsageEvent[]): number {
  const { formula } = meter.default_aggregation;
  if (formula === 'count') return events.length;
  if (formula === 'last') {
    const last = events.reduce<UsageEvent | undefined>(
      (latest, event) => (event.timestamp >= (latest?.timestamp ?? -Infinity) ? event : latest),
      undefined,
    );
    return last?.value ?? 0;
  }
  return events.reduce((sum, { value }) => sum + value, 0);
}
