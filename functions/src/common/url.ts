/** Adds query parameters to a path of the app. The path may have a query already. */
export function withQuery(path: string, parameters: Readonly<Record<string, string>>): string {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${path}${path.includes('?') ? '&' : '?'}${query.join('&')}`;
}

const ANY_ORIGIN = 'https://app.invalid';

/**
 * True if a path of the app leads to a page, and not to a route of the API, which may act when a browser opens it.
 * `/x/../api` and `/%61pi` also lead to the API.
 */
export function isPagePath(path: string): boolean {
  try {
    return !/^\/api(\/|$)/i.test(resolved(decodeURIComponent(resolved(path))));
  } catch {
    return false;
  }
}

/** The path as browsers send it, without the query. */
function resolved(path: string): string {
  return new URL(path.replace(/^\/+/, '/'), ANY_ORIGIN).pathname.replace(/^\/+/, '/');
}
