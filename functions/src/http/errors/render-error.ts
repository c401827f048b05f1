import { ASK_FOR_INVITATION, LINK_CONTENT } from '@hearth/shared/invitation-links';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { hasAuthorizationHeader } from '../../auth/credentials.ts';
import { hasCode } from '../../common/error-code.ts';
import { Refusal, refusal } from '../../refusals/refusals.ts';
import { discardBody } from '../body.ts';
import { wantsHtml } from '../headers.ts';
import { localsOf } from '../locals.ts';
import { htmlErrorPage, htmlFragment, titleWithText, sendPage, type PageLink } from '../pages/html.ts';
import { logRefusal } from '../request-log.ts';
import { signInUrl, type SignInSettings } from '../sign-in-redirect.ts';
import { EN } from '../texts/en.ts';
import { pageTexts } from '../texts/page-texts.ts';
import type { BackTarget, ErrorAction, PageTexts } from '../texts/words.ts';
import { adviceOn } from './advice.ts';

type Writer = (response: Response, error: Refusal) => void;

/**
 * The format of errors. `upload` is JSON without a code. With `page-or-html-fragment` and `page-or-json` a browser gets
 * a page, and a program gets an HTML fragment or JSON.
 */
export type ErrorShape = 'json' | 'upload' | 'page-or-html-fragment' | 'page-or-json';

export interface BackLink {
  to: BackTarget;
  href: string;
}

export interface ErrorPageSettings {
  config: SignInSettings;
  back: BackLink;
}

export function errorHandlerForShape(shape: ErrorShape, pages: ErrorPageSettings): ErrorRequestHandler {
  switch (shape) {
    case 'json':
      return jsonErrors;
    case 'upload':
      return uploadErrors;
    case 'page-or-html-fragment':
      return pageOrHtmlFragmentErrors(pages);
    case 'page-or-json':
      return pageOrJsonErrors(pages);
  }
}

/** `{ error, code }`, and `fields` if fields of the request are wrong. */
export const jsonErrors = errorHandlerWith((response, { message, code, fields }) => {
  const hasFields = fields !== undefined && Object.keys(fields).length > 0;
  response.json({ error: message, code, ...(hasFields && { fields }) });
});

/** `{ error }`. */
export const uploadErrors = errorHandlerWith((response, error) => {
  response.json({ error: uploadErrorMessage(error) });
});

export function uploadErrorMessage({ kind, message }: Pick<Refusal, 'kind' | 'message'>): string {
  return kind === 'caller' ? message : 'Failed to upload file';
}

/** For links of invitations: a fragment with a heading and advice. A browser gets the fragment inside of a page. */
export function pageOrHtmlFragmentErrors(pages: ErrorPageSettings): ErrorRequestHandler {
  return errorHandlerWith((response, error) => {
    // A browser that follows a link sends no Authorization header.
    const isBrowser = wantsHtml(response.req) && !hasAuthorizationHeader(response.req);
    if (isBrowser) sendErrorPage(response, error, pages, htmlFragment);
    // A program gets the same advice for every error, as docs/api.md says.
    else response.type('html').send(htmlFragment(error.message, EN.advice.tryLater));
  });
}

/** A page for a browser, and JSON for a program. */
export function pageOrJsonErrors(pages: ErrorPageSettings): ErrorRequestHandler {
  return errorHandlerWith((response, error) => {
    if (wantsHtml(response.req)) sendErrorPage(response, error, pages, titleWithText);
    else response.json({ error: error.message, code: error.code });
  });
}

function sendErrorPage(
  response: Response,
  error: Refusal,
  { config, back }: ErrorPageSettings,
  contentOf: (message: string, advice: string) => string,
): void {
  const texts = pageTexts(response.req);
  const message = texts.refusal(error);
  const { text, actions } = adviceOn(error);
  const { caller } = localsOf(response);
  const links = actions.flatMap((action) => linkFor(texts, action, response.req, config) ?? []);
  const page = htmlErrorPage(texts, {
    message,
    content: contentOf(message, texts.advice[text]),
    account: actions.includes('switch-account') ? caller?.email : undefined,
    links: [...links, { label: texts.back[back.to], href: back.href }],
  });
  sendPage(response, page);
}

/** @returns undefined if the action is not possible for the request */
function linkFor(
  texts: PageTexts,
  action: ErrorAction,
  request: Request,
  config: SignInSettings,
): PageLink | undefined {
  const { originalUrl } = request;
  // A client can also send a whole URL (`GET http://host/path`) or `//host/path`. Such a link could leave our site.
  if (!originalUrl.startsWith('/api/')) return undefined;
  const label = texts.actions[action];
  switch (action) {
    case 'switch-account':
      return { label, href: signInUrl(request, config, { switch: 'true' }) };
    case 'verify':
      // The sign-in page mails the link that verifies an address.
      return { label, href: signInUrl(request, config) };
    case 'ask-sender': {
      // The form needs the secret of the mailed link.
      const linkContent = new URLSearchParams(originalUrl.split('?')[1]).get('invitationId') ?? '';
      const [, , secret] = LINK_CONTENT.exec(linkContent) ?? [];
      if (secret === undefined) return undefined;
      return { label, href: `${ASK_FOR_INVITATION}?invitationId=${linkContent}`, method: 'post' };
    }
    case 'retry':
    case 'continue':
      return { label, href: originalUrl, ...(request.method === 'POST' && { method: 'post' as const }) };
  }
}

function errorHandlerWith(write: Writer): ErrorRequestHandler {
  return async (error: unknown, request, response, next) => {
    const shown = toRefusal(error);
    logRefusal(request, response, shown, error);
    localsOf(response).refusal = shown.code;
    if (response.headersSent) {
      next(error);
      return;
    }
    await discardBody(request);
    response.status(shown.status).set(headersOf(shown));
    write(response, shown);
  };
}

/** WWW-Authenticate, Retry-After and Allow: https://www.rfc-editor.org/rfc/rfc9110#name-www-authenticate */
function headersOf({ status, retryAfter, values }: Refusal): Record<string, string> {
  return {
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...(status === 405 && { Allow: String(values['allowed']) }),
    ...(retryAfter !== undefined && { 'Retry-After': String(Math.max(retryAfter, 1)) }),
  };
}

/** Codes of the Admin SDK for a Firebase Auth that does not answer. */
const AUTH_FAILURES = ['app/network-error', 'app/network-timeout', 'auth/internal-error'];

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  // Express could not decode the URL. Other functions throw a URIError without a status.
  if (error instanceof URIError && 'status' in error) return refusal('url_malformed');
  if (hasCode(error, ...AUTH_FAILURES)) {
    return refusal('auth_unavailable', {}, { cause: error });
  }
  return refusal('internal');
}
