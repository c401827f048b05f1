import * as z from 'zod';
import { isOwnOrigin } from '../../../common/own-origin.ts';
import { withQuery } from '../../../common/url.ts';
import type { Cart } from '../../../firestore/documents/checkout.ts';
import { refusal } from '../../../refusals/refusals.ts';
import type { Config } from '../../../settings/config.ts';
import { withTeamQuery, type SubjectKey } from '../../subject.ts';

/*
 * These names have to do with the way back from Stripe:
 *
 * | name | URL |
 * | --- | --- |
 * | Stripe return URL | Stripe leads back to it. Usually it is our return route |
 * | app page URL; `returnUrl` of a request | Our return route redirects to it. It is a page of the app |
 * | `RETURN_URLS`, `config.returnUrls` | Allowed app pages outside of our own origins |
 *
 * A client is the program that has called `POST /api/auth/checkout`, `POST /api/auth/purchases` or
 * `POST /api/auth/portal`. The Stripe return URLs are made by these functions:
 *
 * | begun by | function |
 * | --- | --- |
 * | a browser, with a checkout | `stripeReturnUrlForBrowser` |
 * | a client, with a checkout or one-time purchase | `stripeReturnUrlsForApiClient` |
 * | anyone, with the portal | `stripeReturnUrlForPortal` |
 */

/** In a return URL: the customer, and the proof that we made the URL for this customer. */
export interface ReturnProof {
  customer: string;
  proof: string;
}

/** Where Stripe's page leads back: our return route, or pages that a client of the Stripe extension chose. */
export type StripeReturnUrls = NonNullable<Cart['stripeReturnUrls']>;

/** The outcome that the app reads from the query of its page. */
export type ReturnStatus = { checkout: 'success' | 'pending' | 'cancelled' } | { portal: 'done' };

/** The paths of our return routes, to which Stripe's pages lead back. */
export const RETURN_PATHS = {
  /** For a checkout that a signed-in browser began. */
  checkout: '/api/auth/checkout/return',
  /** For a checkout or one-time purchase that a client began. The browser may be signed out. */
  clientCheckout: '/api/auth/return',
  portal: '/api/auth/portal/return',
} as const;

/** Stripe replaces the braces by the id of the checkout session, so they must not be encoded. */
const SESSION_ID_QUERY = 'session_id={CHECKOUT_SESSION_ID}';

/**
 * Longest URL of a page of the app, in characters. Stripe accepts URLs of 5,000 characters. In the query of a return
 * route, 1,000 characters become at most 3,000, because `/` becomes `%2F`.
 */
const MAX_APP_PAGE_URL = 1000;

/** The allowed characters. Parsers of URLs differ for other characters, such as a backslash or a line break. */
const SAFE_URL = /^[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]+$/;

/** The origin of a URL of the web. The path, query, fragment or end of the URL follows it. */
const ORIGIN = /^https?:\/\/[A-Za-z0-9.:[\]-]+(?=[/?#]|$)/;

export const appPageUrlSchema = z
  .string()
  .max(MAX_APP_PAGE_URL)
  .optional()
  .describe(
    'Where the page leads back to: a URL on an own origin, or one that RETURN_URLS allows. `checkout` or `portal` is added to its query.',
  );

/**
 * A URL of the web needs an origin of our own or of RETURN_URLS. For another URL, such as `myapp://paid?a=b`, the part
 * before the query must be in RETURN_URLS. URLs are compared as text, because parsers differ in the host that they
 * find.
 */
export function isAppPageUrlAllowed(config: Config, url: string): boolean {
  if (url.length > MAX_APP_PAGE_URL || !SAFE_URL.test(url)) return false;
  const origin = ORIGIN.exec(url)?.[0];
  if (origin === undefined) return config.returnUrls.includes(url.split('?')[0] ?? '');
  return isOwnOrigin(config, origin) || config.returnUrls.includes(origin);
}

/** @throws Refusal `return_url_not_allowed` */
export function requireAppPageUrl(config: Config, url: string | undefined): void {
  if (url === undefined || isAppPageUrlAllowed(config, url)) return;
  throw refusal('return_url_not_allowed');
}

/** Where Stripe leads back after a checkout that a signed-in browser began. */
export function stripeReturnUrlForBrowser({ appUrl }: Config): string {
  return `${appUrl}${RETURN_PATHS.checkout}?${SESSION_ID_QUERY}`;
}

/**
 * Where Stripe leads back after a checkout or one-time purchase that a client began. Our return route redirects to
 * `appPageUrl`. Without `appPageUrl`, a customer who leaves Stripe's page comes to CHECKOUT_CANCEL_PATH.
 */
export function stripeReturnUrlsForApiClient(
  { appUrl, checkoutCancelPath }: Pick<Config, 'appUrl' | 'checkoutCancelPath'>,
  subject: SubjectKey,
  { returnProof, appPageUrl }: { returnProof: ReturnProof; appPageUrl: string | undefined },
): { success: string; cancel: string } {
  const success = withAppPage(withQuery(RETURN_PATHS.clientCheckout, { ...returnProof }), appPageUrl);
  const cancel =
    appPageUrl === undefined
      ? withTeamQuery(checkoutCancelPath, subject)
      : withAppPage(RETURN_PATHS.clientCheckout, appPageUrl);
  return { success: `${appUrl}${success}&${SESSION_ID_QUERY}`, cancel: appUrl + cancel };
}

/** The proof in a URL of `stripeReturnUrlsForApiClient`. */
const PROOF = new RegExp(`(${RETURN_PATHS.clientCheckout}\\?customer=[^&]*&proof=)[^&]*`);

/** Stripe return URLs without the proof, which changes every day. */
export function withoutProof(urls: StripeReturnUrls): StripeReturnUrls {
  return { ...urls, success: urls.success.replace(PROOF, '$1') };
}

/** In the URL to which the portal leads back after its form for another payment method. */
export const PORTAL_CHANGE = 'payment_method';

/**
 * Where Stripe leads back from the portal. Our return route redirects to `appPageUrl`.
 *
 * @param changed what the customer has changed; undefined for the link that leaves the portal at any time
 */
export function stripeReturnUrlForPortal(
  { appUrl }: Config,
  returnProof: ReturnProof,
  { appPageUrl, changed }: { appPageUrl: string | undefined; changed?: typeof PORTAL_CHANGE },
): string {
  const query = { ...returnProof, ...(changed !== undefined && { changed }) };
  return appUrl + withAppPage(withQuery(RETURN_PATHS.portal, query), appPageUrl);
}

function withAppPage(returnPath: string, appPageUrl: string | undefined): string {
  return appPageUrl === undefined ? returnPath : withQuery(returnPath, { to: appPageUrl });
}

/** Adds the outcome to the query of a page of the app. */
export function withStatus(appPageUrl: string, status: ReturnStatus): string {
  const [url = '', ...fragment] = appPageUrl.split('#');
  return [withQuery(url, status), ...fragment].join('#');
}
