import type { ErrorRequestHandler, Response } from 'express';
import { hasCode } from '../../common/error-code.ts';
import { discardBody } from '../body.ts';
import { Refusal, refuse } from '../../refusals.ts';
import { wantsHtml } from '../headers.ts';
import { htmlFragment, htmlPage } from './html.ts';
import { logRefusal } from './request-log.ts';

type Writer = (response: Response, error: Refusal) => void;

/** How a route shows errors. */
export type ErrorShape = 'json' | 'upload' | 'html' | 'page';

/** @param back for `page`: path of the app that the page links to */
export function errorHandlerOf(shape: ErrorShape, back: string): ErrorRequestHandler {
  if (shape === 'page') return pageErrors(back);
  return { json: jsonErrors, upload: uploadErrors, html: htmlErrors }[shape];
}

/** Answers every error of the routes before it with `{ error, code }`, and with `fields` if fields are wrong. */
export const jsonErrors = errorHandler((response, { message, code, fields }) => {
  const hasFields = fields !== undefined && Object.keys(fields).length > 0;
  response.json({ error: message, code, ...(hasFields && { fields }) });
});

/** The upload route answers errors with the one field `error`. */
export const uploadErrors = errorHandler((response, error) => {
  response.json({ error: error.status >= 500 ? 'Failed to upload file' : error.message });
});

/** The invitation links answer a heading with the error and a paragraph with advice, because a browser opens them. */
export const htmlErrors = errorHandler((response, error) => {
  response.type('html').send(htmlFragment(error.message));
});

/**
 * A page for a person's browser, JSON for a program.
 *
 * @param back path of the app where the page's link leads
 */
export function pageErrors(back: string): ErrorRequestHandler {
  return errorHandler((response, error) => {
    if (wantsHtml(response.req)) response.type('html').send(htmlPage(error.message, back));
    else response.json({ error: error.message, code: error.code });
  });
}

function errorHandler(write: Writer): ErrorRequestHandler {
  return async (error: unknown, request, response, next) => {
    const known = toRefusal(error);
    logRefusal(request, response, known, error);
    response.locals['refusal'] = known.code;
    if (response.headersSent) {
      next(error);
      return;
    }
    await discardBody(request);
    response.status(known.status).set(headersOf(known));
    write(response, known);
  };
}

/** https://www.rfc-editor.org/rfc/rfc9110#name-www-authenticate, Retry-After and Allow */
function headersOf({ status, retryAfter, values }: Refusal): Record<string, string> {
  return {
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...(status === 405 && { Allow: String(values['allowed']) }),
    ...(retryAfter !== undefined && { 'Retry-After': String(Math.max(retryAfter, 1)) }),
  };
}

/** Codes of the Admin SDK if Firebase Auth did not answer or failed. */
const AUTH_FAILURES = ['app/network-error', 'app/network-timeout', 'auth/internal-error'];

/** Besides refusals, only a URL that cannot be decoded is the caller's error. */
function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof URIError) return refuse('invalid_request', { reason: 'The URL is malformed.' });
  if (hasCode(error, ...AUTH_FAILURES)) {
    return refuse('auth_unavailable', {}, { cause: error });
  }
  return refuse('internal');
}
