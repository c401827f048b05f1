import { extrasSchema } from '../../functions/src/settings/extras.ts';
import { priceOf } from './plans.ts';

/** Extras with one pack of a hundred credits, for users and teams. */
export const CREDITS = extrasSchema.parse({
  creditPacks: [
    {
      slug: 'hundred',
      name: 'Hundred credits',
      description: 'For pictures',
      credits: 100,
      prices: { once: priceOf('hearth_hundred', 900) },
    },
  ],
});
