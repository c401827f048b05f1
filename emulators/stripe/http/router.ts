/** A method and path, and the function that answers. A `:name` in the path matches one segment. */
export interface Route {
  readonly method: string;
  readonly path: string;
  handle(request: Request, params: Params): Response | Promise<Response>;
}

/** The decoded segments that the names of a path matched. A name that the path does not have is an empty string. */
export type Params = (name: string) => string;

type Handler = (request: Request) => Response | Promise<Response>;

/**
 * Finds the first route of the list that matches a request.
 * @param otherwise answers requests that no route matches
 */
export function router(routes: readonly Route[], otherwise: Handler): Handler {
  const compiled = routes.map((route) => ({ route, pattern: patternOf(route.path) }));
  return (request) => {
    const { pathname } = new URL(request.url);
    for (const { route, pattern } of compiled) {
      const match = route.method === request.method ? pattern.exec(pathname) : null;
      if (match) return route.handle(request, (name) => decoded(match.groups?.[name]));
    }
    return otherwise(request);
  };
}

function patternOf(path: string): RegExp {
  const pattern = path.replaceAll(/:([a-z]+)|[.]/g, (found, name?: string) =>
    name === undefined ? `\\${found}` : `(?<${name}>[^/]+)`,
  );
  return new RegExp(`^${pattern}$`);
}

/** A segment that is not valid percent-encoding matches as it is. */
function decoded(segment = ''): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
