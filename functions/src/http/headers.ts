import type { Request, RequestHandler } from 'express';
import type { HelmetOptions } from 'helmet';

/** Answers are data, redirects or a fragment of HTML: none of them may load, run or frame anything. */
export const API_HEADERS: HelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  referrerPolicy: { policy: 'no-referrer' },
};

/** Whether a person's browser asks, for a page to show. */
export function wantsHtml(request: Request): boolean {
  return /\btext\/html\b/i.test(request.get('Accept') ?? '');
}

/** Every answer depends on who asks; Hosting's CDN and browsers must not keep it for another. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'private, no-store');
  next();
};
