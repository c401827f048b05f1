import { isRunning } from '../../../functions/src/billing/subscriptions/status.ts';
import { SETTINGS } from '../../../functions/src/settings/table.ts';
import type { Step, Target } from '../step.ts';
import { NO_KEY } from './stripe-catalogue.ts';

/** Whether older subscriptions lack the taxes that AUTOMATIC_TAX adds to new ones. */
export const taxStep: Step<Pick<Target, 'stripe' | 'values'>> = {
  title: 'Taxes of subscriptions at Stripe',
  check: async ({ stripe, values }) => {
    if (values[SETTINGS.automaticTax.name] !== 'true') return [];
    if (stripe === undefined) return [NO_KEY];
    const { data } = await stripe.subscriptions.list({ automatic_tax: { enabled: false }, limit: 100 });
    const found = data.find(isRunning);
    if (found === undefined) return [];
    return [
      {
        text: `${SETTINGS.automaticTax.name} applies to new checkouts only. Subscriptions without taxes exist, such as ${found.id}. To update them: https://docs.stripe.com/tax/subscriptions/update`,
        isNote: true,
      },
    ];
  },
};
