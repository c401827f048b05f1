import type { GuardDeclaration } from '../../../http/route.ts';

const BILLING_PAGE = {
  errorShape: 'page-or-json',
  back: ({ portalReturnPath }) => ({ to: 'billing', href: portalReturnPath }),
} as const satisfies GuardDeclaration;

/** Needs a user. A signed-out browser is sent to the sign-in. `app.ts` uses these guards for unknown paths. */
export const SIGNED_IN_BILLING_PAGE_DECLARATION = {
  ...BILLING_PAGE,
  access: 'user',
  signedOut: 'browsers-to-sign-in',
} as const satisfies GuardDeclaration;

/** For a redirect from Stripe back to the app. If a mobile app opened the browser, the browser may be signed out. */
export const PUBLIC_RETURN_DECLARATION = {
  ...BILLING_PAGE,
  access: 'public',
  linkGuard: 'no-prefetch',
} as const satisfies GuardDeclaration;

/** For a redirect from Stripe back to the app that needs the user. */
export const SIGNED_IN_RETURN_DECLARATION = {
  ...SIGNED_IN_BILLING_PAGE_DECLARATION,
  linkGuard: 'no-prefetch',
} as const satisfies GuardDeclaration;

/**
 * For a redirect to Stripe. A page of another site could load the link in the browser of a visitor, and so replace an
 * open checkout or fill an audit log. Therefore a visitor who comes from another site confirms the redirect on a page
 * of ours. A signed-out browser is sent to the sign-in, and errors are a page for a browser and JSON for a program.
 */
export const TO_STRIPE_DECLARATION = {
  ...SIGNED_IN_BILLING_PAGE_DECLARATION,
  linkGuard: 'confirm-if-cross-site',
} as const satisfies GuardDeclaration;

export const SIGNED_OUT_TEXT = 'A signed-out browser is redirected to the sign-in page.';
