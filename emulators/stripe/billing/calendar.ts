/** The calendar unit of a recurring price; the SDK's type also admits values of later API versions. */
type Interval = string;

/**
 * The end of a billing period in seconds since 1970. In a shorter month the period ends on the last day: one that
 * starts on January 31 ends on February 28 or 29 (https://docs.stripe.com/billing/subscriptions/billing-cycle).
 */
export function addInterval(seconds: number, interval: Interval, count: number): number {
  const start = new Date(seconds * 1000);
  switch (interval) {
    case 'day':
      return seconds + count * 86_400;
    case 'week':
      return seconds + count * 7 * 86_400;
    case 'month':
      return addMonths(start, count);
    case 'year':
      return addMonths(start, count * 12);
    default:
      throw new Error(`Unknown billing interval ${interval}`);
  }
}

/**
 * The end of the period that starts at `start`, counted from the anchor so that a cycle that began on January 31 comes
 * back to March 31 after February 28.
 */
export function nextPeriodEnd(anchor: number, start: number, interval: Interval, count: number): number {
  for (let periods = 1; ; periods += 1) {
    const end = addInterval(anchor, interval, periods * count);
    if (end > start) return end;
  }
}

function addMonths(start: Date, months: number): number {
  const end = new Date(start);
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return Math.floor(end.getTime() / 1000);
}
