import type { Request, RequestHandler } from 'express';
import { hasCookieOnly } from '../auth/credentials.ts';
import { refusal } from '../refusals/refusals.ts';

/**
 * Allows only a link that a person opens in a tab. Refuses mail scanners that use HEAD, prefetching and prerendering
 * browsers, images, frames and scripts. A program is allowed, unless it says that it prefetches.
 *
 * https://www.w3.org/TR/fetch-metadata/ and https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header
 */
export const topLevelNavigationOnly: RequestHandler = (request, _response, next) => {
  if (request.method !== 'GET') throw refusal('method_not_allowed', { allowed: 'GET' });
  if (isSpeculative(request) || !isTopLevel(request.get('Sec-Fetch-Dest'), request.get('Sec-Fetch-Mode'))) {
    throw refusal('not_a_navigation');
  }
  next();
};

/**
 * True for a navigation in a tab and for a program. A browser sends both headers. Node's fetch, which is a program,
 * sends only the mode `cors`.
 */
function isTopLevel(destination: string | undefined, mode: string | undefined): boolean {
  if (destination === undefined) return mode === undefined || mode === 'navigate' || mode === 'cors';
  return destination === 'document' && (mode ?? 'navigate') === 'navigate';
}

/** Refuses speculative loads of a URL that acts. */
export const noPrefetch: RequestHandler = (request, _response, next) => {
  if (request.method !== 'GET') throw refusal('method_not_allowed', { allowed: 'GET' });
  if (isSpeculative(request)) throw refusal('prefetch');
  next();
};

/**
 * Refuses speculative loads, and a browser that another site has sent to a URL that acts. The page with the refusal has
 * a link to the same URL, so the person can confirm. A program with an ID token acts for itself.
 *
 * https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 */
export const confirmedNavigation: RequestHandler = (request, response, next) => {
  if (request.get('Sec-Fetch-Site') === 'cross-site' && hasCookieOnly(request)) throw refusal('other_site');
  return noPrefetch(request, response, next);
};

function isSpeculative(request: Request): boolean {
  return ['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz'].some((name) =>
    /prefetch|prerender|preview/i.test(request.get(name) ?? ''),
  );
}
