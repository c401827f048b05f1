import { extrasSchema } from '../../functions/src/settings/extras.ts';
import { priceOf } from './plans.ts';

/** Extras with a meter that clients may report to, and one for our own code. */
export const METERS = extrasSchema.parse({
  meters: [
    { slug: 'calls', name: 'Calls', eventName: 'hearth_calls', fromClients: true },
    { slug: 'tokens', name: 'Tokens', eventName: 'hearth_tokens' },
  ],
});

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
