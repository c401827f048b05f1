import type { Request, RequestHandler } from 'express';
import type { Config } from '../settings/config.ts';
import { refuse } from '../refusals.ts';

/** The settings with the origins of the app. */
export type OwnOrigins = Pick<Config, 'appUrl' | 'ownOrigins' | 'hostingSites' | 'previewChannels'>;

const foreignOrigin = () => refuse('foreign_origin');

/** True for an origin of the app: APP_URL, OWN_ORIGINS, a Hosting site or one of its preview channels. */
export function isOwnOrigin(config: OwnOrigins, origin: string | undefined): origin is string {
  if (origin === undefined) return false;
  return (
    origin === config.appUrl ||
    config.ownOrigins.includes(origin) ||
    config.hostingSites.some((site) => isSite(site, origin)) ||
    (config.previewChannels && config.hostingSites.some((site) => isPreviewChannel(site, origin)))
  );
}

/**
 * Refuses a request that another site's page may have sent. Browsers set Origin on every POST, PUT, PATCH and DELETE, and
 * pages cannot forge it (https://fetch.spec.whatwg.org/#origin-header).
 */
export function requireOwnOrigin(request: Request, config: OwnOrigins): void {
  if (!isOwnOrigin(config, request.get('Origin'))) throw foreignOrigin();
}

/**
 * Refuses pages of unknown sites on a route that needs no user. Such a page could send requests from its visitors' browsers,
 * and so pass the limits by IP address. Programs send no Origin.
 */
export function refuseForeignPages(config: OwnOrigins & Pick<Config, 'allowedOrigins'>): RequestHandler {
  return (request, _response, next) => {
    const origin = request.get('Origin');
    const isKnown =
      origin === undefined || isOwnOrigin(config, origin) || config.allowedOrigins.includes(origin);
    if (!isKnown) throw foreignOrigin();
    next();
  };
}

/**
 * The own origin that the browser used, or APP_URL. Hosting puts its host in X-Forwarded-Host. A client can forge
 * the header, but it only selects among our own origins.
 */
export function ownOriginOf(request: Request, config: OwnOrigins): string {
  const origin = `https://${request.get('X-Forwarded-Host') ?? request.get('Host') ?? ''}`;
  return isOwnOrigin(config, origin) ? origin : config.appUrl;
}

/** https://firebase.google.com/docs/hosting/multisites */
function isSite(site: string, origin: string): boolean {
  return origin === `https://${site}.web.app` || origin === `https://${site}.firebaseapp.com`;
}

/** `https://SITE_ID--CHANNEL_ID-RANDOM_HASH.web.app`, see https://firebase.google.com/docs/hosting/manage-hosting-resources */
function isPreviewChannel(site: string, origin: string): boolean {
  const prefix = `https://${site}--`;
  return (
    origin.startsWith(prefix) &&
    /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?-[a-z0-9]{8}\.web\.app$/.test(origin.slice(prefix.length))
  );
}
