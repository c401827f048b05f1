import type Stripe from 'stripe';
import * as z from 'zod';
import { INTERVALS, type Interval } from '../../settings/plans.ts';

export const intervalSchema = z.enum(INTERVALS).meta({ id: 'Interval' });

/** The interval of a price; null for an interval that no plan can have, such as three months. */
export function intervalOf({ recurring }: Pick<Stripe.Price, 'recurring'>): Interval | null {
  if (recurring?.interval_count !== 1) return null;
  return INTERVALS.find((interval) => interval === recurring.interval) ?? null;
}
