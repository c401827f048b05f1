/** Adds query parameters to a path of the app. The path may have a query already. */
export function withQuery(path: string, parameters: Readonly<Record<string, string>>): string {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${path}${path.includes('?') ? '&' : '?'}${query.join('&')}`;
}
