import type { Request, Response } from 'express';
import type { OwnOrigins } from '../common/own-origin.ts';
import { withQuery } from '../common/url.ts';
import { Refusal, refusal } from '../refusals/refusals.ts';
import type { Config } from '../settings/config.ts';
import { wantsHtml } from './headers.ts';
import { ownOriginOf } from './origin.ts';

/** Redirects a signed-out visitor to the sign-in page, which afterwards leads back to the URL of the request. */
export function redirectToSignIn(config: Config) {
  return (_error: Refusal, request: Request, response: Response): void => {
    // A client can also send a whole URL (`GET http://host/path`). Appended to our origin it would be another URL.
    if (!request.originalUrl.startsWith('/')) throw refusal('url_malformed');
    response.redirect(303, signInUrl(request, config));
  };
}

/** Redirects browsers only, as `redirectToSignIn` does. A program gets 401. */
export function redirectBrowserToSignIn(config: Config) {
  const redirect = redirectToSignIn(config);
  return (error: Refusal, request: Request, response: Response): void => {
    if (!wantsHtml(request)) throw error;
    redirect(error, request, response);
  };
}

export type SignInSettings = OwnOrigins & Pick<Config, 'signInPath'>;

/**
 * The URL of the sign-in page, which returns to the URL of the request afterwards.
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
