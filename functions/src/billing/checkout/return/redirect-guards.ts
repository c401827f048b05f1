/** The guards of the routes that redirect a browser to a page of Stripe, or back to the app. */
import type { RouteGuards } from '../../../http/route.ts';

/** For a browser that may be signed out, for example because a mobile app opened it. */
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
 * For the routes that begin a checkout or open the portal. Another site must not begin a checkout in its visitor's
 * browser, because a new checkout replaces an open one.
 */
export const CONFIRMED_REDIRECT = {
  ...SIGNED_IN_REDIRECT,
  actsByLink: 'confirm-if-cross-site',
} as const satisfies RouteGuards;

export const SIGNED_OUT_TEXT = 'A signed-out browser is redirected to the sign-in page.';
