import type { RouteGuards } from '../../http/route.ts';

/** For a redirect to Stripe or back to the app. A browser that a mobile app opened may be signed out. */
export const PUBLIC_REDIRECT = {
  access: 'public',
  actsByLink: 'no-prefetch',
  errors: 'page-or-json',
  back: ({ portalReturnPath }) => ({ to: 'billing', href: portalReturnPath }),
} as const satisfies RouteGuards;

export const SIGNED_IN_REDIRECT = {
  ...PUBLIC_REDIRECT,
  access: 'user',
  signedOut: 'browsers-to-sign-in',
} as const satisfies RouteGuards;

/** Another site must not act in its visitor's browser: a new checkout replaces an open one, and a portal is logged. */
export const CONFIRMED_REDIRECT = {
  ...SIGNED_IN_REDIRECT,
  actsByLink: 'confirm-if-cross-site',
} as const satisfies RouteGuards;

export const SIGNED_OUT_TEXT = 'A signed-out browser is redirected to the sign-in page.';
