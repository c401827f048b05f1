/** Adds query parameters to a path of the app, which may have others. */
export function withQuery(path: string, parameters: Readonly<Record<string, string>>): string {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${path}${path.includes('?') ? '&' : '?'}${query.join('&')}`;
}
