import { isOwnOrigin } from '../../http/origin.ts';
import { withQuery } from '../../http/redirect.ts';
import { refuse } from '../../refusals.ts';
import type { Config } from '../../settings/config.ts';

/** The outcome that the app reads from the query of its return URL. */
export type ReturnStatus = { checkout: 'success' | 'pending' | 'cancelled' } | { portal: 'done' };

const PUBLIC_CHECKOUT_RETURN = '/api/auth/return';
const PORTAL_RETURN = '/api/auth/portal/return';

/** Characters of a URL. Parsers treat others, such as a backslash or a line break, in different ways. */
const PLAIN = /^[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]{1,1000}$/;

/** An origin at the beginning of a URL: scheme, host and port, up to the path, query, fragment or end. */
const ORIGIN = /^https?:\/\/[A-Za-z0-9.:[\]-]+(?=[/?#]|$)/;

/**
 * True if Stripe's pages may lead back to a URL: it is on an own origin or an origin of RETURN_URLS, or it is an app URL of
 * RETURN_URLS with any query. URLs are compared as text, so no parser can read another host.
 */
export function isReturnUrlAllowed(config: Config, url: string): boolean {
  if (!PLAIN.test(url)) return false;
  const origin = ORIGIN.exec(url)?.[0];
  if (origin === undefined) return config.returnUrls.includes(url.split('?')[0] ?? '');
  return isOwnOrigin(config, origin) || config.returnUrls.includes(origin);
}

/** @throws Refusal `return_url_not_allowed` */
export function requireReturnUrl(config: Config, url: string | undefined): void {
  if (url === undefined || isReturnUrlAllowed(config, url)) return;
  throw refuse('return_url_not_allowed');
}

/**
 * The URLs that a checkout page leads back to. They are routes of ours that also work in a browser where nobody is signed in.
 * Stripe replaces the braces by the id of the checkout session.
 *
 * @param to the URL of the app that the route redirects to; our own pages by default
 */
export function checkoutReturnUrls(
  { appUrl }: Config,
  to: string | undefined,
): { success: string; cancel: string } {
  const cancel = appUrl + withReturnTarget(PUBLIC_CHECKOUT_RETURN, to);
  // The braces must stay as they are.
  const separator = cancel.includes('?') ? '&' : '?';
  return { success: `${cancel}${separator}session_id={CHECKOUT_SESSION_ID}`, cancel };
}

/** The URL that a portal page leads back to. @param proof see `portalProof` */
export function portalReturnUrl(
  { appUrl }: Config,
  customer: { id: string; proof: string },
  to: string | undefined,
): string {
  return (
    appUrl + withReturnTarget(withQuery(PORTAL_RETURN, { customer: customer.id, proof: customer.proof }), to)
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
