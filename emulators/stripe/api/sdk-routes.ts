import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A call in the SDK's sources: the method, and the path in either kind of quotes. */
const CALL = /_makeRequest\(\s*'([A-Z]+)',\s*(?:'([^']+)'|`([^`]+)`)/g;

let routes: readonly { method: string; pattern: RegExp }[] | undefined;

/** Whether the official SDK has this route. It separates a route that is not built here from a mistyped one. */
export function isRouteOfSdk(method: string, path: string): boolean {
  routes ??= readRoutes();
  return routes.some((route) => route.method === method && route.pattern.test(path));
}

/** Reads the routes from the SDK's generated sources, which takes some 50 ms. */
function readRoutes(): { method: string; pattern: RegExp }[] {
  const folder = fileURLToPath(new URL('resources/', import.meta.resolve('stripe')));
  return globSync('**/*.js', { cwd: folder }).flatMap((file) =>
    [...readFileSync(`${folder}${file}`, 'utf8').matchAll(CALL)].map(([, method = '', plain, template]) => ({
      method,
      pattern: patternOf(plain ?? template ?? ''),
    })),
  );
}

/** The path `/v1/refunds/${encodeURIComponent(id)}` as a pattern. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\$\{[^}]*\}/g, '[^/]+')}$`);
}
