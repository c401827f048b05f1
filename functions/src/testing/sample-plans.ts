import { extrasSchema, type PlansAndExtras } from '../settings/extras.ts';
import { planListSchema } from '../settings/plans.ts';

/** Three plans for tests, which must pass whatever plans a project has. */
export const SAMPLE_PLANS = planListSchema.parse([
  {
    slug: 'free',
    name: 'Free',
    description: 'For trying things out',
    limits: { seats: 3, storageMegabytes: 100, fileMegabytes: 50 },
  },
  {
    slug: 'pro',
    name: 'Pro',
    description: 'For a small team that ships',
    limits: { seats: 10, storageMegabytes: 10_000, fileMegabytes: 500 },
    prices: {
      month: { lookupKey: 'hearth_pro_monthly', unitAmount: 1200, currency: 'usd' },
      year: { lookupKey: 'hearth_pro_yearly', unitAmount: 12000, currency: 'usd' },
    },
  },
  {
    slug: 'business',
    name: 'Business',
    description: 'For a company with several teams',
    perSeat: true,
    limits: { seats: 100, storageMegabytes: 100_000, fileMegabytes: 1_000 },
    prices: {
      month: { lookupKey: 'hearth_business_monthly', unitAmount: 4900, currency: 'usd' },
      year: { lookupKey: 'hearth_business_yearly', unitAmount: 49000, currency: 'usd' },
    },
  },
]);

/** The sample plans, without extras. */
export const SAMPLE_OFFERED: PlansAndExtras = { plans: SAMPLE_PLANS, extras: extrasSchema.parse({}) };
