import type { Subscription } from '../objects.ts';

/** The end of the current period, in seconds since 1970. */
export function periodEnd({ items }: Subscription): number {
  return Math.min(...items.data.map((item) => item.current_period_end));
}
