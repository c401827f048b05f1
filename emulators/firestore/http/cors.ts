import type { IncomingMessage, ServerResponse } from 'node:http';

const ONE_DAY_SECONDS = 86_400;

/**
 * Allows pages of every origin, as production does: requests carry their authorization in a header, never in cookies.
 * Client SDKs send requests with credentials, which rules out a wildcard. Returns true for a preflight request, which
 * it answers.
 */
export function allowCrossOrigin(request: IncomingMessage, response: ServerResponse): boolean {
  const { origin } = request.headers;
  if (origin !== undefined) {
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-allow-credentials', 'true');
    response.setHeader('access-control-expose-headers', 'x-http-session-id');
    response.setHeader('vary', 'origin');
  }
  if (request.method !== 'OPTIONS') return false;
  const headers = request.headers['access-control-request-headers'];
  if (headers !== undefined) response.setHeader('access-control-allow-headers', headers);
  response.setHeader('access-control-allow-methods', 'GET, POST, PATCH, PUT, DELETE');
  response.setHeader('access-control-max-age', ONE_DAY_SECONDS);
  response.writeHead(204).end();
  return true;
}
