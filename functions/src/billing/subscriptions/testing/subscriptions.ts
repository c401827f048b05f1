import type Stripe from 'stripe';
import { extrasSchema } from '../../../settings/extras.ts';
import { planListSchema } from '../../../settings/plans.ts';
import { convertSubscription, type ConversionInputs } from '../from-stripe/convert-subscription.ts';
import { itemsWithKeysByPrice } from '../from-stripe/subscription-items.store.ts';

const price = (lookupKey: string) => ({ lookupKey, unitAmount: 100, currency: 'usd' });
const plan = (slug: string) => ({
  slug,
  name: slug,
  description: slug,
  limits: { seats: 1, storageMegabytes: 1, fileMegabytes: 1 },
});
const paid = (slug: string) => ({
  ...plan(slug),
  prices: { month: price(`${slug}_month`), year: price(`${slug}_year`) },
});
export const plans = planListSchema.parse([
  plan('free'),
  paid('pro'),
  { ...paid('business'), perSeat: true },
]);
export const now = new Date('2023-12-01T00:00:00Z');
/** No add-ons. */
export const extras = extrasSchema.parse({});
export const terms = { plans, extras, pastDueGraceDays: 0, now };

/** The document of a subscription that was not stored before. */
export const documentOf = (from: Stripe.Subscription, on: ConversionInputs = terms) =>
  convertSubscription(from, itemsWithKeysByPrice(from, on), on);

export interface Item {
  lookupKey: string | null;
  price?: string;
  product?: string | { id: string };
  quantity?: number;
}

/** A subscription as Stripe returns it. */
export function subscription(items: Item[], rest: Partial<Stripe.Subscription> = {}): Stripe.Subscription {
  return {
    id: 'sub_1',
    status: 'active',
    metadata: { firebaseUID: 'u' },
    cancel_at_period_end: false,
    created: 1_700_000_000,
    cancel_at: null,
    canceled_at: null,
    ended_at: null,
    trial_start: null,
    trial_end: null,
    latest_invoice: null,
    schedule: null,
    pause_collection: null,
    livemode: false,
    items: {
      data: items.map(({ lookupKey, price: id = 'price_1', product = 'prod_1', quantity }) => ({
        id: 'si_1',
        price: { id, lookup_key: lookupKey, product },
        quantity,
        current_period_start: 1_700_000_000,
        current_period_end: 1_702_592_000,
      })),
    },
    ...rest,
  } as Stripe.Subscription;
}
