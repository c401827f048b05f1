import { extrasSchema, type PlansAndExtras } from '../../../functions/src/settings/extras.ts';
import { planListSchema } from '../../../functions/src/settings/plans.ts';
import { SAMPLE_PLANS } from '../../../functions/src/testing/sample-plans.ts';

const [FREE, PRO] = SAMPLE_PLANS;

/** A plan in two currencies, with calls by usage. */
export const OFFERED_WITH_USAGE: PlansAndExtras = {
  plans: planListSchema.parse([
    FREE,
    {
      ...PRO,
      prices: {
        month: {
          ...{ lookupKey: 'acme_monthly', unitAmount: 1200, currency: 'usd', currencies: { eur: 1100 } },
          metered: [{ meter: 'calls', lookupKey: 'acme_calls', unitAmount: 0.5, currencies: { eur: 0.4 } }],
        },
      },
    },
  ]),
  extras: extrasSchema.parse({ meters: [{ slug: 'calls', name: 'Calls', eventName: 'acme_calls' }] }),
};
