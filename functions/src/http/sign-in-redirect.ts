import type { Request, Response } from 'express';
import { Refusal, refusal } from '../refusals/refusals.ts';
import type { Config } from '../settings/config.ts';
import { wantsHtml } from './headers.ts';
import { signInUrl } from './sign-in-url.ts';

/** Redirects a signed-out visitor to the sign-in page, which returns to this URL afterwards. */
export function redirectToSignIn(config: Config) {
  return (_error: Refusal, request: Request, response: Response): void => {
    // In the form of a proxy, `GET http://host/path`, the URL would name another host here.
    if (!request.originalUrl.startsWith('/')) throw refusal('url_malformed');
    response.redirect(303, signInUrl(request, config));
  };
}

/** Like `redirectToSignIn`, but only for browsers. A program gets 401. */
export function redirectBrowserToSignIn(config: Config) {
  const redirect = redirectToSignIn(config);
  return (error: Refusal, request: Request, response: Response): void => {
    if (!wantsHtml(request)) throw error;
    redirect(error, request, response);
  };
}
