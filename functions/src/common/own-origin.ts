import type { Config } from '../settings/config.ts';

/** The settings with the origins of the app. */
export type OwnOrigins = Pick<Config, 'appUrl' | 'ownOrigins' | 'hostingSites' | 'previewChannels'>;

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

/** https://firebase.google.com/docs/hosting/multisites */
function isSite(site: string, origin: string): boolean {
  return origin === `https://${site}.web.app` || origin === `https://${site}.firebaseapp.com`;
}

/**
 * `https://SITE_ID--CHANNEL_ID-RANDOM_HASH.web.app`, see
 * https://firebase.google.com/docs/hosting/manage-hosting-resources
 */
function isPreviewChannel(site: string, origin: string): boolean {
  const prefix = `https://${site}--`;
  return (
    origin.startsWith(prefix) &&
    /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?-[a-z0-9]{8}\.web\.app$/.test(origin.slice(prefix.length))
  );
}
