import type { Request, RequestHandler } from 'express';
import { hasCookieOnly } from '../auth/credentials.ts';
import type { Config } from '../settings/config.ts';

const METHODS = 'GET, POST, PATCH, DELETE';
const REQUEST_HEADERS = 'Authorization, Content-Type, X-Firebase-AppCheck';
const EXPOSED_HEADERS = 'X-Request-Id, X-Upload-Id, Retry-After';

/** Chrome caches the answer to a preflight for at most two hours. */
const MAX_AGE_SECONDS = '7200';

/**
 * Allows web apps on the origins of ALLOWED_ORIGINS to call the API. They cannot use the session cookie, because no
 * answer has Access-Control-Allow-Credentials. Runs before every middleware that refuses requests, so that an app can
 * read errors too.
 *
 * https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function cors({ allowedOrigins }: Pick<Config, 'allowedOrigins'>): RequestHandler {
  return (request, response, next) => {
    if (allowedOrigins.length > 0) response.vary('Origin');
    const origin = request.get('Origin');
    if (origin === undefined || !allowedOrigins.includes(origin) || hasCookieOnly(request)) {
      next();
      return;
    }
    response.set('Access-Control-Allow-Origin', origin);
    if (!isPreflight(request)) {
      response.set('Access-Control-Expose-Headers', EXPOSED_HEADERS);
      next();
      return;
    }
    response.set({
      'Access-Control-Allow-Methods': METHODS,
      'Access-Control-Allow-Headers': REQUEST_HEADERS,
      'Access-Control-Max-Age': MAX_AGE_SECONDS,
    });
    response.status(204).end();
  };
}

function isPreflight(request: Request): boolean {
  return request.method === 'OPTIONS' && request.get('Access-Control-Request-Method') !== undefined;
}
