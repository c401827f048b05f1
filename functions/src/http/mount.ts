import { Router, type Request, type RequestHandler, type Response } from 'express';
import { refusal } from '../refusals/refusals.ts';
import { send } from './answer.ts';
import { authenticateInHandler } from './authenticate.ts';
import { errorHandlerForShape } from './errors/render-error.ts';
import { expressPathOf } from './express-path.ts';
import { guardsOf, guardsOfUnknownPath, type GuardContext } from './guards.ts';
import { findCaller } from './locals.ts';
import type { Route, RouteContext, GuardDeclaration } from './route.ts';
import { awaitSessionCheck, runBesideSessionCheck } from './session-check.ts';
import { validate, validateBody } from './validate.ts';

/**
 * Paths below `prefix` that have no route. Their guards are like the guards of routes, so that the answer does not show
 * which paths exist. One difference is left: a malformed body is refused only on a path with a route. If several
 * prefixes match, the first one in the list is used.
 */
export interface UnknownPaths {
  prefix: string;
  declaration: GuardDeclaration;
}

export function routerOf(
  context: GuardContext,
  routes: readonly Route[],
  unknown: readonly UnknownPaths[],
): Router {
  const router = Router({ caseSensitive: true });
  for (const route of routes) {
    const handle = handlerOf(context, route, routes);
    const guards = guardsOf(context, route);
    router.route(expressPathOf(route))[route.method](...guards, handle, errorHandlerOf(context, route));
  }
  // A method without a route gets 404, as an unknown path does, so that the answer does not show which paths exist. An
  // exception is a route with `linkGuard`: its guard answers HEAD with 405 (see http/navigation.ts). This already shows
  // that the path exists, so the other methods get 405, too.
  for (const linkRoute of routes.filter(({ linkGuard }) => linkGuard !== undefined)) {
    router
      .route(expressPathOf(linkRoute))
      .all(refuseOtherMethods(linkRoute, routes), errorHandlerOf(context, linkRoute));
  }
  for (const { prefix, declaration } of unknown) {
    const guards = guardsOfUnknownPath(context, declaration);
    router.use(prefix, ...guards, notFound, errorHandlerOf(context, declaration));
  }
  // Also keeps Express from answering OPTIONS with the methods of a path.
  router.use(notFound);
  return router;
}

/** Answers 405 to the methods that no route with this path has. */
function refuseOtherMethods({ path }: Route, routes: readonly Route[]): RequestHandler {
  const methods = routes.filter((other) => other.path === path).map(({ method }) => method.toUpperCase());
  return () => {
    throw refusal('method_not_allowed', { allowed: methods.sort().join(', ') });
  };
}

/** Answers a path without a route. If the session has ended, the answer is 401, as for a route. */
const notFound: RequestHandler = async (_request, response) => {
  await awaitSessionCheck(response);
  throw refusal('not_found');
};

const START_PAGE = { to: 'start', href: '/' } as const;

function errorHandlerOf(
  { backend: { config } }: GuardContext,
  { errorShape = 'json', back }: GuardDeclaration,
) {
  return errorHandlerForShape(errorShape, { config, back: back?.(config) ?? START_PAGE });
}

function handlerOf(context: GuardContext, route: Route, routes: readonly Route[]): RequestHandler {
  const { backend, authenticationDependencies, limiters } = context;
  const countRequest: RouteContext['countRequest'] = (limit, key) =>
    limiters.acrossInstances(limit(backend.config))(key);
  const handle = async (request: Request, response: Response) =>
    route.handler({
      backend,
      routes,
      countRequest,
      request,
      response,
      caller: findCaller(response),
      authenticate: () => authenticateInHandler(authenticationDependencies, request),
      ...inputOf(route, request),
    });
  return async (request, response) => {
    await send(response, await runBesideSessionCheck(response, () => handle(request, response)));
  };
}

/** @throws Refusal as `validateBody` */
function inputOf(
  { params, query, body, selectBody }: Route,
  request: Request,
): Pick<RouteContext, 'params' | 'query' | 'body'> {
  return {
    params: params && validate(params, request.params),
    query: query && validate(query, request.query),
    body: body && validateBody(selectBody?.(request.body) ?? body, request),
  };
}
