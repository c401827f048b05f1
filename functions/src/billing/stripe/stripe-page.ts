import * as z from 'zod';

export interface StripePage {
  url: string;
  /** Id of the checkout session, portal session or invoice. */
  id: string;
}

export const stripePageView = z.strictObject({ url: z.string().describe('Open it in a browser.') });
