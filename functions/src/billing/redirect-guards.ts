import type { RouteGuards } from '../http/route.ts';
import { RATE_LIMITS } from '../settings/rate-limits.ts';

/** The guards of the routes that redirect a browser to a page of Stripe, or back to the app. */
export const REDIRECT_GUARDS = {
  actsByLink: 'no-prefetch',
  signedOut: 'browsers-to-sign-in',
  errors: 'page',
  back: ({ portalReturnPath }) => ({ to: 'billing', href: portalReturnPath }),
} as const satisfies RouteGuards;

/**
 * The common part of those routes that need a signed-in browser: the guards, and the limit of checkouts. Another site
 * must not begin a checkout in the browser of its visitor, because a new checkout replaces an open one.
 */
export const SIGNED_IN_REDIRECT = {
  method: 'get',
  tag: 'Billing',
  ...REDIRECT_GUARDS,
  actsByLink: 'confirmed',
  limits: [{ limit: RATE_LIMITS.checkouts, by: 'user' }],
} as const;

/** A sentence for the descriptions of the routes with `SIGNED_IN_REDIRECT`. */
export const SIGNED_OUT_TEXT = 'A signed-out browser is redirected to the sign-in page.';
