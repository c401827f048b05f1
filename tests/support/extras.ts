import { extrasSchema } from '../../functions/src/settings/extras.ts';
import { priceOf } from './plans.ts';

const meters = [
  { slug: 'calls', name: 'Calls', eventName: 'hearth_calls', fromClients: true },
  { slug: 'tokens', name: 'Tokens', eventName: 'hearth_tokens' },
];

/** Extras with a meter that clients may report to, and one for our own code. */
export const METERS = extrasSchema.parse({ meters });

const pack = {
  slug: 'hundred',
  name: 'Hundred credits',
  description: 'For pictures',
  credits: 100,
  prices: { once: priceOf('hearth_hundred', 900) },
};

/** Extras with one pack of a hundred credits, for users and teams. */
export const CREDITS = extrasSchema.parse({ creditPacks: [pack] });

/** The same pack and meters, and an add-on with storage for Pro and Business. */
export const EXTRAS = extrasSchema.parse({
  creditPacks: [pack],
  meters,
  addOns: [
    {
      slug: 'storage',
      name: 'Storage',
      description: 'One more gigabyte',
      plans: ['pro', 'business'],
      limits: { storageMegabytes: 1_000 },
      maxQuantity: 3,
      prices: { month: priceOf('hearth_storage_month', 300), year: priceOf('hearth_storage_year', 3_000) },
    },
  ],
});
