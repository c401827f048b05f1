import type { Request, RequestHandler } from 'express';
import { refuse } from '../refusals.ts';

/**
 * Lets through only what a person does: opening the link in a tab. Mail scanners that ask with HEAD, prefetching and
 * prerendering browsers, images, frames and scripts are refused; programs that send none of these headers are not.
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

/** A browser sends both headers. Node's fetch sends the mode `cors` alone, and is a program like any other. */
function isTopLevel(destination: string | undefined, mode: string | undefined): boolean {
  if (destination === undefined) return mode === undefined || mode === 'navigate' || mode === 'cors';
  return destination === 'document' && (mode ?? 'navigate') === 'navigate';
}

/** Refuses speculative loads of an address whose visit has effects. */
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
