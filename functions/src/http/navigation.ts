import type { RequestHandler } from 'express';
import { forbidden, methodNotAllowed } from './errors.ts';

/**
 * Lets through only what a person does: opening the link in a tab. Mail scanners that ask with HEAD, prefetching and
 * prerendering browsers, images, frames and scripts are refused; programs that send none of these headers are not.
 *
 * https://www.w3.org/TR/fetch-metadata/ and https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header
 */
export const topLevelNavigationOnly: RequestHandler = (request, _response, next) => {
  if (request.method !== 'GET') throw methodNotAllowed('GET');
  const destination = request.get('Sec-Fetch-Dest') ?? 'document';
  const mode = request.get('Sec-Fetch-Mode') ?? 'navigate';
  if (isSpeculative(request.get.bind(request)) || destination !== 'document' || mode !== 'navigate') {
    throw forbidden('Open this link in a browser tab.', 'not_a_navigation');
  }
  next();
};

/** Refuses speculative loads of an address whose visit has effects. */
export const noPrefetch: RequestHandler = (request, _response, next) => {
  if (request.method !== 'GET') throw methodNotAllowed('GET');
  if (isSpeculative(request.get.bind(request)))
    throw forbidden('This address is not for prefetching.', 'prefetch');
  next();
};

function isSpeculative(header: (name: string) => string | undefined): boolean {
  return ['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz'].some((name) =>
    /prefetch|prerender|preview/i.test(header(name) ?? ''),
  );
}
