import * as z from 'zod';
import type { PriceDocument } from '../../firestore/documents/catalogue.ts';
import type { Interval, Plan } from '../../settings/plans.ts';

const priceView = z
  .strictObject({
    unitAmount: z.int().describe("In the currency's smallest unit."),
    currency: z.string(),
  })
  .meta({ id: 'Price' });

export type PriceView = z.output<typeof priceView>;

export const planView = z
  .strictObject({
    slug: z.string(),
    name: z.string(),
    description: z.string(),
    limits: z.strictObject({
      seats: z.int(),
      uploadMegabytes: z.int().describe('Storage for all files.'),
      fileMegabytes: z.int().describe('Size of the largest file.'),
    }),
    perSeat: z.boolean().describe('True if a team pays the price for each member.'),
    prices: z
      .strictObject({ month: priceView, year: priceView })
      .nullable()
      .describe('Null for the free plan.'),
  })
  .meta({ id: 'Plan' });

export type PlanView = z.output<typeof planView>;

/**
 * A plan as clients see it. It shows the prices of plans.json until our copy of Stripe's prices has them.
 *
 * @param stored our copy of Stripe's active prices, by lookup key
 */
export function viewOf(plan: Plan, stored: ReadonlyMap<string, PriceDocument>): PlanView {
  const { slug, name, description, limits, perSeat, prices } = plan;
  const priceOf = (interval: Interval, configured: NonNullable<Plan['prices']>): PriceView => {
    const { lookupKey, unitAmount, currency } = configured[interval];
    const price = stored.get(lookupKey);
    if (price === undefined || price.unit_amount === null) return { unitAmount, currency };
    return { unitAmount: price.unit_amount, currency: price.currency };
  };
  const shown = prices && { month: priceOf('month', prices), year: priceOf('year', prices) };
  return { slug, name, description, limits, perSeat: perSeat === true, prices: shown ?? null };
}
