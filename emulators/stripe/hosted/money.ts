import { formatMoney } from '@hearth/shared/money';
import type { Price } from '../objects.ts';

/** An amount of Stripe, as people write it: `$12.00`, `¥1,200`. */
export function money(amount: number, currency: string): string {
  return formatMoney(amount, currency, { locale: 'en-US' });
}

/** How often a price is due: `month`, `3 months`. */
export function cycle({ recurring }: Price): string {
  if (!recurring) return 'once';
  const { interval, interval_count: count } = recurring;
  return count === 1 ? interval : `${count} ${interval}s`;
}
