import { countsAsWrite, isLink, merge, type ErrorCodes, type Operation } from './operation.ts';

const SIGNED_IN: ErrorCodes = { 401: ['unauthenticated'], 503: ['auth_unavailable', 'busy'] };

const GENUINE_APP: ErrorCodes = {
  403: ['app_check_required', 'app_check_failed'],
  503: ['app_check_unavailable'],
};

/** What a route may answer beside its own errors, because of what stands before it in app.ts. */
export function errorsOf(operation: Operation): ErrorCodes {
  const { access, method, path, params, query, body, limited, errors = {} } = operation;
  const changes = method !== 'get';
  return merge(
    { 500: ['internal'] },
    path.includes('{') || params !== undefined || query !== undefined ? { 400: ['invalid_request'] } : {},
    access === 'public' ? {} : SIGNED_IN,
    access !== 'public' && changes ? { 403: ['foreign_origin'] } : {},
    body === undefined ? {} : { 400: ['invalid_request'] },
    // Any body is refused that is too large or has a content encoding.
    changes ? { 413: ['payload_too_large'], 415: ['unsupported_media_type'] } : {},
    limited === true || countsAsWrite(operation) ? { 429: ['too_many_requests'] } : {},
    asksForAppCheck(operation) ? GENUINE_APP : {},
    errors,
  );
}

/** False for links that a browser navigates to, for data that everybody may read, and for routes that serve no app. */
function asksForAppCheck(operation: Operation): boolean {
  const { access, method, path } = operation;
  const isOpen = access === 'public' && method === 'get';
  return !isLink(operation) && !isOpen && (path.startsWith('/api/auth/') || path.startsWith('/api/upload'));
}
