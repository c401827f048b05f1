import type { Request } from 'express';
import type { OwnOrigins } from '../common/own-origin.ts';
import { withQuery } from '../common/url.ts';
import type { Config } from '../settings/config.ts';
import { ownOriginOf } from './origin.ts';

/** The settings with the sign-in page. */
export type SignInSettings = OwnOrigins & Pick<Config, 'signInPath'>;

/**
 * The URL of the sign-in page, which returns to the URL of the request afterwards. The return URL has one of our own
 * origins, because a client can forge the Host header.
 *
 * @param query further parameters of the sign-in page
 */
export function signInUrl(
  request: Request,
  config: SignInSettings,
  query: Readonly<Record<string, string>> = {},
): string {
  const callback = ownOriginOf(request, config) + request.originalUrl;
  return withQuery(config.signInPath, { callback, ...query });
}
