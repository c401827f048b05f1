import type { Request, RequestHandler } from 'express';
import { isOwnOrigin, type OwnOrigins } from '../common/own-origin.ts';
import { refusal } from '../refusals/refusals.ts';
import type { Config } from '../settings/config.ts';

const foreignOrigin = () => refusal('foreign_origin');

/**
 * Refuses a request that another site's page may have sent. Browsers set Origin on every POST, PUT, PATCH and DELETE,
 * and pages cannot forge it (https://fetch.spec.whatwg.org/#origin-header).
 */
export function requireOwnOrigin(request: Request, config: OwnOrigins): void {
  if (!isOwnOrigin(config, request.get('Origin'))) throw foreignOrigin();
}

/**
 * Refuses requests from pages of unknown sites, on a route that needs no user. Such a page could send requests from the
 * browsers of its visitors. Then each request has another IP address, so the limits by IP address would not stop them.
 */
export function unknownOriginGuard(config: OwnOrigins & Pick<Config, 'allowedOrigins'>): RequestHandler {
  return (request, _response, next) => {
    const origin = request.get('Origin');
    // A program, or a GET of a page of ours.
    const hasNoOrigin = origin === undefined;
    const isKnown = hasNoOrigin || isOwnOrigin(config, origin) || config.allowedOrigins.includes(origin);
    if (!isKnown) throw foreignOrigin();
    next();
  };
}

/**
 * The own origin that the browser used; APP_URL if the host is not ours. Hosting writes the host that the browser used
 * to X-Forwarded-Host. A forged header can only select one of our own origins.
 */
export function ownOriginOf(request: Request, config: OwnOrigins): string {
  const origin = `https://${request.get('X-Forwarded-Host') ?? request.get('Host') ?? ''}`;
  return isOwnOrigin(config, origin) ? origin : config.appUrl;
}
