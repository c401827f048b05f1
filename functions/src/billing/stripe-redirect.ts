import * as z from 'zod';
import type { RouteGuards } from '../http/route.ts';
import { LIMITS } from '../settings/limits.ts';

/** A browser is sent here, and redirected to a page of Stripe or back to the app. */
export const STRIPE_REDIRECT = {
  navigation: 'no-prefetch',
  signedOut: 'browsers-to-sign-in',
  errors: 'page',
  back: ({ portalReturnPath }) => ({ to: 'billing', href: portalReturnPath }),
} as const satisfies RouteGuards;

/** The common part of the routes that redirect a signed-in browser. */
export const REDIRECT_ROUTE = {
  method: 'get',
  tag: 'Billing',
  ...STRIPE_REDIRECT,
  limits: [{ limit: LIMITS.checkouts, by: 'user' }],
} as const;

/** A sentence for the descriptions of these routes. */
export const SIGNED_OUT_TEXT = 'A signed-out browser is redirected to the sign-in page.';

/** The URL of the app that a client wants to return to. */
export const returnUrlSchema = z
  .string()
  .max(1000)
  .optional()
  .describe(
    'Where the page leads back to: a URL on an own origin, or one that RETURN_URLS allows. `checkout` or `portal` is added to its query.',
  );

/** A page of Stripe that a client opens. */
export const stripePageView = z.strictObject({ url: z.string().describe('Open it in a browser.') });
