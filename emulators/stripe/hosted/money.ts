import type { Price } from '../objects.ts';

/** An amount in the currency's smallest unit, as people write it: `$12.00`, `¥1,200`. */
export function money(amount: number, currency: string): string {
  const options = { style: 'currency', currency } as const;
  const digits = new Intl.NumberFormat('en-US', options).resolvedOptions().maximumFractionDigits ?? 2;
  const fraction = Number.isInteger(amount) ? {} : { maximumFractionDigits: 12 };
  return new Intl.NumberFormat('en-US', { ...options, ...fraction }).format(amount / 10 ** digits);
}

/** How often a price is due: `month`, `3 months`. */
export function cycle({ recurring }: Price): string {
  if (!recurring) return 'once';
  const { interval, interval_count: count } = recurring;
  return count === 1 ? interval : `${count} ${interval}s`;
}
