import type { RouteGuards } from '../../http/route.ts';

const BILLING_PAGE = {
  errors: 'page-or-json',
  back: ({ portalReturnPath }) => ({ to: 'billing', href: portalReturnPath }),
} as const satisfies RouteGuards;

export const SIGNED_IN_BILLING_PAGE = {
  ...BILLING_PAGE,
  access: 'user',
  signedOut: 'browsers-to-sign-in',
} as const satisfies RouteGuards;

/** For a redirect to Stripe or back to the app. A browser that a mobile app opened may be signed out. */
export const PUBLIC_REDIRECT = {
  ...BILLING_PAGE,
  access: 'public',
  actsByLink: 'no-prefetch',
} as const satisfies RouteGuards;

export const SIGNED_IN_REDIRECT = {
  ...SIGNED_IN_BILLING_PAGE,
  actsByLink: 'no-prefetch',
} as const satisfies RouteGuards;

/** Another site must not act in its visitor's browser: it could replace an open checkout, or fill an audit log. */
export const CONFIRMED_REDIRECT = {
  ...SIGNED_IN_REDIRECT,
  actsByLink: 'confirm-if-cross-site',
} as const satisfies RouteGuards;

export const SIGNED_OUT_TEXT = 'A signed-out browser is redirected to the sign-in page.';
