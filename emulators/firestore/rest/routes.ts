import type protobuf from 'protobufjs';
import { compileTemplate } from './template.ts';
import type { PathTemplate } from './template.ts';

/** One way to call a method over HTTP. */
export interface RestRoute extends PathTemplate {
  readonly verb: string;
  readonly method: protobuf.Method;
  /** The request's field that the body holds, `*` for all of it; undefined for a request without body. */
  readonly body: string | undefined;
}

export interface MatchedRoute {
  readonly route: RestRoute;
  /** Field paths of the request with their values from the URL. */
  readonly variables: readonly (readonly [field: string, value: string])[];
}

const VERBS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** google.api.HttpRule as protobufjs parses it: a single additional binding is not in a list. */
interface HttpRule extends Readonly<Partial<Record<(typeof VERBS)[number], string>>> {
  readonly body?: string;
  readonly additional_bindings?: HttpRule | readonly HttpRule[];
}

/** The routes of all methods without a stream of requests, from their google.api.http annotations. */
export function restRoutes(service: protobuf.Service): readonly RestRoute[] {
  const methods = service.methodsArray.filter(({ requestStream }) => requestStream !== true);
  return methods.flatMap((method) => {
    const options =
      (method.parsedOptions as readonly Readonly<Record<string, HttpRule | undefined>>[] | null) ?? [];
    return options
      .flatMap((option) => option['(google.api.http)'] ?? [])
      .flatMap((rule) => [rule, ...[rule.additional_bindings ?? []].flat()])
      .flatMap((rule) => routesOf(method, rule));
  });
}

function routesOf(method: protobuf.Method, rule: HttpRule): readonly RestRoute[] {
  return VERBS.flatMap((verb) => {
    const template = rule[verb];
    if (template === undefined) return [];
    return [{ verb: verb.toUpperCase(), method, body: rule.body, ...compileTemplate(template) }];
  });
}

/** The route for a request. Throws URIError for a path that is not well encoded. */
export function matchRoute(
  routes: readonly RestRoute[],
  verb: string,
  pathname: string,
): MatchedRoute | undefined {
  for (const route of routes) {
    const match = route.verb === verb ? route.pattern.exec(pathname) : null;
    if (!match) continue;
    const values = match.slice(1).map(decodeURIComponent);
    if (route.method.name === 'GetDocument' && isCollection(values[0] ?? '')) continue;
    return { route, variables: route.fields.map((field, index) => [field, values[index] ?? ''] as const) };
  }
  return undefined;
}

/** The templates for listing a collection and for getting a document look the same. */
const isCollection = (name: string): boolean => name.split('/').length % 2 === 0;
