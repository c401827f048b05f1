/** The guards of the routes that redirect a browser to a page of Stripe, or back to the app. */
import type { RouteGuards } from '../../../http/route.ts';

/** For a browser that need not be signed in, such as one that a mobile app opens. */
export const PUBLIC_REDIRECT = {
  access: 'public',
  actsByLink: 'no-prefetch',
  errors: 'page',
  back: ({ portalReturnPath }) => ({ to: 'billing', href: portalReturnPath }),
} as const satisfies RouteGuards;

export const SIGNED_IN_REDIRECT = {
  ...PUBLIC_REDIRECT,
  access: 'user',
  signedOut: 'browsers-to-sign-in',
} as const satisfies RouteGuards;

/**
 * For the beginning of a checkout or of a visit to the portal. Another site must not begin a checkout in the browser of
 * its visitor, because a new checkout replaces an open one.
 */
export const CONFIRMED_REDIRECT = {
  ...SIGNED_IN_REDIRECT,
  actsByLink: 'confirmed',
} as const satisfies RouteGuards;

/** A sentence for the descriptions of the routes that need a signed-in browser. */
export const SIGNED_OUT_TEXT = 'A signed-out browser is redirected to the sign-in page.';
