import type { Request, RequestHandler } from 'express';
import { refuse } from '../refusals.ts';

/**
 * Allows only a link that a person opens in a tab. Refuses mail scanners that use HEAD, prefetching and prerendering
 * browsers, images, frames and scripts. Programs, which send none of these headers, are allowed.
 *
 * https://www.w3.org/TR/fetch-metadata/ and https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header
 */
export const topLevelNavigationOnly: RequestHandler = (request, _response, next) => {
  if (request.method !== 'GET') throw refuse('method_not_allowed', { allowed: 'GET' });
  if (isSpeculative(request) || !isTopLevel(request.get('Sec-Fetch-Dest'), request.get('Sec-Fetch-Mode'))) {
    throw refuse('not_a_navigation');
  }
  next();
};

/** A browser sends both headers. Node's fetch, which is a program, sends only the mode `cors`. */
function isTopLevel(destination: string | undefined, mode: string | undefined): boolean {
  if (destination === undefined) return mode === undefined || mode === 'navigate' || mode === 'cors';
  return destination === 'document' && (mode ?? 'navigate') === 'navigate';
}

/** Refuses speculative loads of a URL that acts. */
export const noPrefetch: RequestHandler = (request, _response, next) => {
  if (request.method !== 'GET') throw refuse('method_not_allowed', { allowed: 'GET' });
  if (isSpeculative(request)) throw refuse('prefetch');
  next();
};

function isSpeculative(request: Request): boolean {
  return ['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz'].some((name) =>
    /prefetch|prerender|preview/i.test(request.get(name) ?? ''),
  );
}
