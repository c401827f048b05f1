import type { Request, RequestHandler } from 'express';
import { hasCookieOnly } from '../auth/credentials.ts';
import { refusal } from '../refusals/refusals.ts';

/**
 * Allows programs, and browsers that load the link in a tab. Refuses HEAD (mail scanners), speculative requests,
 * images, frames and scripts.
 *
 * https://www.w3.org/TR/fetch-metadata/ and https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header
 */
export const tabOnly: RequestHandler = (request, _response, next) => {
  if (request.method !== 'GET') throw refusal('method_not_allowed', { allowed: 'GET' });
  if (isSpeculative(request) || !isTabOrProgram(request)) {
    throw refusal('not_a_navigation');
  }
  next();
};

/** A browser sends both Sec-Fetch headers. A program sends neither, or only the mode: Node's fetch sends `cors`. */
function isTabOrProgram(request: Request): boolean {
  const destination = request.get('Sec-Fetch-Dest');
  const mode = request.get('Sec-Fetch-Mode');
  if (destination === undefined) return mode === undefined || mode === 'navigate' || mode === 'cors';
  return destination === 'document' && (mode ?? 'navigate') === 'navigate';
}

export const noPrefetch: RequestHandler = (request, _response, next) => {
  if (request.method !== 'GET') throw refusal('method_not_allowed', { allowed: 'GET' });
  if (isSpeculative(request)) throw refusal('prefetch');
  next();
};

/**
 * Refuses a speculative request. Also refuses a request with the session cookie if a page of another site caused the
 * request. The page with the refusal has a link to the same URL, by which the person can confirm.
 *
 * https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 */
export const confirmIfCrossSite: RequestHandler = (request, response, next) => {
  if (request.get('Sec-Fetch-Site') === 'cross-site' && hasCookieOnly(request)) throw refusal('other_site');
  return noPrefetch(request, response, next);
};

/** A browser loads a page speculatively before somebody opens it. */
function isSpeculative(request: Request): boolean {
  return ['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz'].some((name) =>
    /prefetch|prerender|preview/i.test(request.get(name) ?? ''),
  );
}
