import * as z from 'zod';
import { isOwnOrigin } from '../../../common/own-origin.ts';
import { withQuery } from '../../../common/url.ts';
import { refusal } from '../../../refusals/refusals.ts';
import type { Config } from '../../../settings/config.ts';

/** The outcome that the app reads from the query of its return URL. */
export type ReturnStatus = { checkout: 'success' | 'pending' | 'cancelled' } | { portal: 'done' };

/** The paths of our routes that the pages of Stripe lead back to. */
export const RETURN_PATHS = {
  /** For a checkout that a signed-in browser began. */
  checkout: '/api/auth/checkout/return',
  /** For a checkout that a client began: nobody may be signed in in the browser that returns. */
  clientCheckout: '/api/auth/return',
  portal: '/api/auth/portal/return',
} as const;

/** Stripe replaces the braces by the id of the checkout session, so they must not be encoded. */
const SESSION_ID = 'session_id={CHECKOUT_SESSION_ID}';

/**
 * Longest URL of the app, in characters. In the query of a return route one character can become three (`%2F`), and
 * Stripe accepts URLs of 5,000 characters. So a return route must never be encoded into the query of another one.
 */
const MAX_RETURN_URL = 1000;

/** Characters of a URL. Parsers treat others, such as a backslash or a line break, in different ways. */
const PLAIN_URL = /^[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]+$/;

/** An origin at the beginning of a URL: scheme, host and port, up to the path, query, fragment or end. */
const ORIGIN = /^https?:\/\/[A-Za-z0-9.:[\]-]+(?=[/?#]|$)/;

/** The URL of the app that a client wants to return to. */
export const returnUrlSchema = z
  .string()
  .max(MAX_RETURN_URL)
  .optional()
  .describe(
    'Where the page leads back to: a URL on an own origin, or one that RETURN_URLS allows. `checkout` or `portal` is added to its query.',
  );

/**
 * True if Stripe's pages may lead back to a URL: it is on an own origin or an origin of RETURN_URLS, or it is an app
 * URL of RETURN_URLS with any query. URLs are compared as text, so no parser can read another host.
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

/** The URL that a checkout page leads back to after a payment, if a signed-in browser began it. */
export function signedInReturnUrl({ appUrl }: Config): string {
  return `${appUrl}${RETURN_PATHS.checkout}?${SESSION_ID}`;
}

/**
 * The URLs that a checkout page leads back to, if a client began it. They also work in a browser where nobody is signed
 * in.
 *
 * @param to the URL of the app that the route redirects to; our own pages by default
 */
export function checkoutReturnUrls(
  { appUrl }: Config,
  to: string | undefined,
): { success: string; cancel: string } {
  const back = appUrl + withReturnTarget(RETURN_PATHS.clientCheckout, to);
  return { success: `${back}${back.includes('?') ? '&' : '?'}${SESSION_ID}`, cancel: back };
}

/**
 * The URL that a portal page leads back to.
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
