import * as z from 'zod';
import type { PriceDocument } from '../../../firestore/documents/catalogue.ts';
import { SUBJECT_TYPES, type IntervalPrice, type Plan, type Price } from '../../../settings/plans.ts';

const amount = z.int().describe("In the currency's smallest unit.");

export const priceView = z
  .strictObject({
    unitAmount: amount,
    currency: z.string(),
    currencies: z.record(z.string(), amount).describe('The amounts in further currencies.'),
  })
  .meta({ id: 'Price' });

export type PriceView = z.output<typeof priceView>;

const seatPriceView = z
  .strictObject({
    unitAmount: amount,
    currencies: z.record(z.string(), amount).describe('The amounts in further currencies.'),
    included: z.int().describe('Members whom the base price covers.'),
  })
  .meta({ id: 'SeatPrice', description: 'Paid for each further member, in the currency of the base price.' });

const meteredPriceView = z
  .strictObject({
    meter: z.string().describe('Slug of the meter.'),
    unitAmount: z.number().describe("For one unit, in the currency's smallest unit. It may be a fraction."),
    currencies: z.record(z.string(), z.number()).describe('The amounts in further currencies.'),
  })
  .meta({
    id: 'MeteredPrice',
    description: 'Paid for each unit that is used, in the currency of the base price.',
  });

export const intervalPriceView = priceView
  .extend({
    seat: seatPriceView.nullable().describe('Null if the price covers all seats, or is paid per seat.'),
    metered: z.array(meteredPriceView),
  })
  .meta({ id: 'IntervalPrice' });

export type IntervalPriceView = z.output<typeof intervalPriceView>;

const limitsView = z
  .object({
    seats: z.int(),
    storageMegabytes: z.int().describe('Storage for all files.'),
    fileMegabytes: z.int().describe('Size of the largest file.'),
  })
  .catchall(z.union([z.number(), z.string(), z.boolean()]));

/** The subjects that can buy an item: users, teams or both. */
export const subjectTypesView = z.array(z.enum(SUBJECT_TYPES).meta({ id: 'SubjectType' }));

export const planView = z
  .strictObject({
    slug: z.string(),
    formerly: z.array(z.string()).describe('Slugs that the plan had before. Documents may still name them.'),
    name: z.string(),
    description: z.string(),
    for: subjectTypesView.describe('Whether users, teams or both can buy the plan.'),
    limits: limitsView.describe('Limits of the service, and those that the app has added.'),
    entitlements: z.array(z.string()).describe('Names of the things that the plan includes.'),
    perSeat: z.boolean().describe('True if a team pays the price for each member.'),
    trialDays: z
      .int()
      .describe(
        'Free days before the first payment of a subscription, for a customer who has had no trial. 0 if there is no trial.',
      ),
    prices: z
      .strictObject({
        month: intervalPriceView.nullable(),
        year: intervalPriceView.nullable(),
        once: priceView.nullable().describe('Paid once, for a plan without an end.'),
      })
      .nullable()
      .describe(
        'Null for the free plan. A price is null if the plan has no such price, or if the price was archived.',
      ),
  })
  .meta({ id: 'Plan' });

export type PlanView = z.output<typeof planView>;

/**
 * A plan as clients see it. A price that was not copied yet is shown as in plans.json.
 *
 * @param stored our copy of Stripe's prices, by lookup key
 * @param trialDays the setting `TRIAL_DAYS`
 */
export function planViewOf(
  plan: Plan,
  stored: ReadonlyMap<string, PriceDocument>,
  trialDays: number,
): PlanView {
  const { slug, formerly, name, description, for: types, limits, entitlements, perSeat, prices } = plan;
  const viewOfInterval = (price: IntervalPrice | undefined) =>
    price ? intervalPriceViewOf(price, stored) : null;
  const [month, year] = [viewOfInterval(prices?.month), viewOfInterval(prices?.year)];
  // A one-time purchase has no trial.
  const isSubscription = month !== null || year !== null;
  return {
    slug,
    formerly,
    name,
    description,
    for: types,
    limits,
    entitlements,
    perSeat: perSeat === true,
    trialDays: isSubscription ? trialDays : 0,
    prices: prices ? { month, year, once: prices.once ? priceViewOf(prices.once, stored) : null } : null,
  };
}

/** Null if the base price, the seat price or a metered price was archived. */
function intervalPriceViewOf(
  price: IntervalPrice,
  stored: ReadonlyMap<string, PriceDocument>,
): IntervalPriceView | null {
  const base = priceViewOf(price, stored);
  const seat = price.seat && priceViewOf({ ...price.seat, currency: price.currency }, stored);
  const isArchived = price.metered.some(({ lookupKey }) => stored.get(lookupKey)?.active === false);
  if (base === null || seat === null || isArchived) return null;
  const { included = 0 } = price.seat ?? {};
  return {
    ...base,
    seat: seat ? { unitAmount: seat.unitAmount, currencies: seat.currencies, included } : null,
    metered: price.metered.map(({ meter, unitAmount, currencies }) => ({ meter, unitAmount, currencies })),
  };
}

/** @param stored our copy of Stripe's prices, by lookup key */
export function priceViewOf(
  { lookupKey, unitAmount, currency, currencies }: Price,
  stored: ReadonlyMap<string, PriceDocument>,
): PriceView | null {
  const price = stored.get(lookupKey);
  if (price?.active === false) return null;
  if (price === undefined || price.unit_amount === null) return { unitAmount, currency, currencies };
  return { unitAmount: price.unit_amount, currency: price.currency, currencies };
}
