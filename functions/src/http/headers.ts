import type { Request, RequestHandler } from 'express';
import type { HelmetOptions } from 'helmet';

/**
 * Answers are data, redirects or small pages. By default an answer may load and run nothing, and no page may show it in
 * a frame. `sendPage` sets another policy, which allows the style and the logo.
 */
export const API_HEADERS: HelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  referrerPolicy: { policy: 'no-referrer' },
};

/** True for a browser that requests a page. */
export function wantsHtml(request: Request): boolean {
  return /\btext\/html\b/i.test(request.get('Accept') ?? '');
}

/** Most answers depend on the caller. The handler of a public list overrides the header. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'private, no-store');
  next();
};
