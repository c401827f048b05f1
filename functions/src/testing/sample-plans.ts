import { extrasSchema, type Offered } from '../settings/extras.ts';
import { planListSchema } from '../settings/plans.ts';

const limits = { seats: 3, uploadMegabytes: 100, fileMegabytes: 50 };

/** Three plans for unit tests, which must pass whatever plans a project has. */
export const SAMPLE_PLANS = planListSchema.parse([
  { slug: 'free', name: 'Free', description: 'For trying things out', limits },
  {
    slug: 'pro',
    name: 'Pro',
    description: 'For a small team that ships',
    limits: { ...limits, seats: 10 },
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
    limits: { ...limits, seats: 100 },
    prices: {
      month: { lookupKey: 'hearth_business_monthly', unitAmount: 4900, currency: 'usd' },
      year: { lookupKey: 'hearth_business_yearly', unitAmount: 49000, currency: 'usd' },
    },
  },
]);

/** The sample plans, without extras. */
export const SAMPLE_OFFERED: Offered = { plans: SAMPLE_PLANS, extras: extrasSchema.parse({}) };
