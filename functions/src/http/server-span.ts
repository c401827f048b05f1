import type { Request, RequestHandler, Response } from 'express';
import { underSpan, type ActiveSpan } from '../common/span.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { localsOf } from './locals.ts';
import { costsOf } from './request-log.ts';

/**
 * Records each request as a span. The spans are exported after the answer, so that no request waits for a collector.
 * The URL is left out, because it may contain ids, addresses and secrets.
 */
export function traceRequests(tracing: Tracing): RequestHandler {
  return async (request, response, next) => {
    const { method, headers } = request;
    const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
    const attributes = { 'http.request.method': method, 'url.scheme': scheme, 'faas.trigger': 'http' };
    const span = await tracing.start({ name: method, kind: 'server', attributes, headers });
    if (span === undefined) {
      next();
      return;
    }
    response.once('close', () => {
      endSpan(span, request, response);
      void tracing.flush();
    });
    underSpan(span, next);
  };
}

/** Ends the span. If the request has matched a route, the route is known now. */
function endSpan(span: ActiveSpan, request: Request, response: Response): void {
  const { path } = (request.route as { path?: string } | undefined) ?? {};
  if (path !== undefined) {
    span.rename(`${request.method} ${path}`);
    // The path without the values of its parameters.
    span.set({ 'http.route': path, 'url.path': path });
  }
  const { statusCode } = response;
  const { reads, writes, deletes, auth, stripe } = costsOf(response);
  span.set({
    'http.response.status_code': statusCode,
    // The client left before the answer was complete.
    ...(!response.writableFinished && { 'hearth.aborted': true }),
    'hearth.request_id': response.get('X-Request-Id'),
    'hearth.usage.reads': reads,
    'hearth.usage.writes': writes,
    'hearth.usage.deletes': deletes,
    'hearth.usage.auth': auth,
    'hearth.usage.stripe': stripe,
  });
  const { refusal } = localsOf(response);
  if (statusCode >= 500) span.fail(refusal ?? String(statusCode));
  span.end();
}
