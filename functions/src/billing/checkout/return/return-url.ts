import * as z from 'zod';
import { isOwnOrigin } from '../../../common/own-origin.ts';
import { withQuery } from '../../../common/url.ts';
import { refusal } from '../../../refusals/refusals.ts';
import type { Config } from '../../../settings/config.ts';

/** The outcome that the app reads from the query of its return URL. */
export type ReturnStatus = { checkout: 'success' | 'pending' | 'cancelled' } | { portal: 'done' };

/** The paths of our return routes. */
export const RETURN_PATHS = {
  /** For a checkout that a signed-in browser began. */
  checkout: '/api/auth/checkout/return',
  /** For a checkout that a client began. The browser that returns may be signed out. */
  clientCheckout: '/api/auth/return',
  portal: '/api/auth/portal/return',
} as const;

/** Stripe replaces the braces by the id of the checkout session, so they must not be encoded. */
const SESSION_ID = 'session_id={CHECKOUT_SESSION_ID}';

/**
 * Longest URL of the app, in characters. Stripe accepts URLs of 5,000 characters. In the query of a return route one
 * character can become three (`%2F`), so a URL of 1,000 becomes 3,000, which fits. In a query within a query it would
 * become five (`%252F`), which does not fit. Therefore no return route is in the query of another one.
 */
const MAX_RETURN_URL = 1000;

/** The accepted characters of a URL. Parsers differ for others, such as a backslash or a line break. */
const PLAIN_URL = /^[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]+$/;

/** An origin at the beginning of a URL, up to the path, query, fragment or end. */
const ORIGIN = /^https?:\/\/[A-Za-z0-9.:[\]-]+(?=[/?#]|$)/;

export const returnUrlSchema = z
  .string()
  .max(MAX_RETURN_URL)
  .optional()
  .describe(
    'Where the page leads back to: a URL on an own origin, or one that RETURN_URLS allows. `checkout` or `portal` is added to its query.',
  );

/**
 * True if Stripe's pages may lead back to a URL: the origin is our own or in RETURN_URLS, or the URL without its query
 * is an app URL in RETURN_URLS. URLs are compared as text, because parsers differ in the host that they find.
 */
export function isReturnUrlAllowed(config: Config, url: string): boolean {
  if (url.length > MAX_RETURN_URL || !PLAIN_URL.test(url)) return false;
  const origin = ORIGIN.exec(url)?.[0];
  if (origin === undefined) return config.returnUrls.includes(url.split('?')[0] ?? '');
  return isOwnOrigin(config, origin) || config.returnUrls.includes(origin);
}

/** @throws Refusal `return_url_not_allowed` */
export function requireReturnUrl(config: Config, url: string | undefined): void {
  if (url === undefined || isReturnUrlAllowed(config, url)) return;
  throw refusal('return_url_not_allowed');
}

/** The URL to which a checkout page leads back after a payment, if a signed-in browser began the checkout. */
export function signedInReturnUrl({ appUrl }: Config): string {
  return `${appUrl}${RETURN_PATHS.checkout}?${SESSION_ID}`;
}

/**
 * The URLs to which a checkout page leads back, if a client began the checkout.
 *
 * @param to the URL of the app to which our return route redirects; by default our own pages
 */
export function checkoutReturnUrls(
  { appUrl }: Config,
  to: string | undefined,
): { success: string; cancel: string } {
  const back = appUrl + withReturnTarget(RETURN_PATHS.clientCheckout, to);
  return { success: `${back}${back.includes('?') ? '&' : '?'}${SESSION_ID}`, cancel: back };
}

/**
 * The URL to which a portal page leads back.
 *
 * @param customer.proof see `portalProof`
 */
export function portalReturnUrl(
  { appUrl }: Config,
  customer: { id: string; proof: string },
  to: string | undefined,
): string {
  return (
    appUrl +
    withReturnTarget(withQuery(RETURN_PATHS.portal, { customer: customer.id, proof: customer.proof }), to)
  );
}

function withReturnTarget(path: string, to: string | undefined): string {
  return to === undefined ? path : withQuery(path, { to });
}

/** Adds the outcome to the query of a return URL. */
export function withStatus(to: string, status: ReturnStatus): string {
  const [url = '', ...fragment] = to.split('#');
  return [withQuery(url, status), ...fragment].join('#');
}
