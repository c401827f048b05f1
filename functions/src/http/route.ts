import type { Request, Response } from 'express';
import type * as z from 'zod';
import type { Caller } from '../auth/caller.ts';
import type { Backend } from '../backend.ts';
import type { RefusalCode } from '../refusals/refusals.ts';
import type { Config } from '../settings/config.ts';
import type { RateLimit } from '../settings/rate-limits.ts';
import type { AnswerTable, HandlerResult, ResultOf } from './answer.ts';
import type { BackLink, ErrorShape } from './errors/render-error.ts';

/**
 * The access to a route:
 * - `user`: signed-in users.
 * - `optional`: signed-in users, and visitors without credentials.
 * - `in-handler`: the handler decides whether it needs the user, and then calls `authenticate()`. A request without an
 *   Authorization header must come from a page of our own, which a guard checks before the handler.
 * - `public`: everybody.
 */
export type RouteAccess = 'user' | 'optional' | 'in-handler' | 'public';

/** How often a route may be called. */
export interface RouteLimit {
  limit: (config: Config) => RateLimit;
  /** `user-per-instance` and `ip-per-instance` count in memory, which costs no reads. */
  by: 'user' | 'user-per-instance' | 'ip' | 'ip-per-instance';
  /** The points of a request; 1 by default. A request of 0 points is not counted. */
  points?: (request: Request) => number;
  /** For `optional` access: the requests that count. By default `users`. */
  appliesTo?: 'users' | 'visitors';
}

/** The part of a declaration that decides which requests reach the handler, and how a refusal is shown. */
export interface GuardDeclaration {
  /** `user` by default. */
  access?: RouteAccess;
  /** For `optional` access: true if the settings require a user. */
  requiresUser?: (config: Config) => boolean;
  /**
   * True if the route requires an App Check token while APP_CHECK_REQUIRED is on. By default true, except with
   * `linkGuard`.
   */
  appCheck?: boolean;
  /** True if the request must come from a page of our own. */
  ownOrigin?: true;
  /**
   * The guard of a route that changes something, but must be a GET because links lead to it. With each of the values,
   * HEAD and speculative requests, such as a prefetch, are refused. A user's request that the guard allows counts as a
   * write. Further checks:
   * - `tab-only` refuses a browser that does not load the link in a tab, for example as an image.
   * - `no-prefetch` has no further check.
   * - `confirm-if-cross-site` refuses a request with the session cookie if a page of another site caused the request.
   *   The person can confirm on the page with the refusal.
   */
  linkGuard?: 'tab-only' | 'no-prefetch' | 'confirm-if-cross-site';
  /** True to read the state of the user without the cache. By default true for writes and with `operatorsOnly`. */
  readsCurrentState?: boolean;
  /**
   * For `public` access: requires that the request is from a certain program, such as another service. It is called
   * before the input is validated, so that a stranger does not learn the shape of the input. A malformed or too large
   * body is refused before.
   *
   * @throws Refusal
   */
  requireSender?: (config: Config, request: Request) => void;
  /** Redirects signed-out visitors to the sign-in page: all, or browsers only. By default the answer is 401. */
  signedOut?: 'to-sign-in' | 'browsers-to-sign-in';
  /** True if only operators may use the route. Other users get 404. */
  operatorsOnly?: true;
  /** `allowed` if an operator who impersonates the caller may change something by this route. */
  impersonation?: 'allowed';
  limits?: readonly RouteLimit[];
  /** Largest body in bytes; 64 KiB by default. */
  maxBytes?: (config: Config) => number;
  /** True for a form with one file in the field `file`. */
  form?: true;
  /** Format of errors; `json` by default. */
  errorShape?: ErrorShape;
  /** The link on a page with an error. By default it leads to the start page. */
  back?: (config: Config) => BackLink;
}

/** True for a request that may change something. */
export function isWrite({ linkGuard }: GuardDeclaration, method: string): boolean {
  return linkGuard !== undefined || !isSafe(method);
}

/** https://www.rfc-editor.org/rfc/rfc9110#name-safe-methods */
export function isSafe(method: string): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method.toUpperCase());
}

export function needsCurrentState(declaration: GuardDeclaration, method: string): boolean {
  return (
    declaration.readsCurrentState ?? (declaration.operatorsOnly === true || isWrite(declaration, method))
  );
}

/** Everything about a route except its handler. */
export interface RouteDeclaration extends GuardDeclaration {
  /** Name of the operation in the OpenAPI document and in generated clients. */
  id: string;
  method: 'get' | 'post' | 'patch' | 'delete';
  /** With parameters in braces: `/api/auth/teams/{teamId}`. */
  path: string;
  tag: string;
  summary: string;
  /** Details for the developer of a client: effects, conditions, order of lists. */
  description: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Schema of a JSON body. */
  body?: z.ZodType;
  /** For a `body` that is a union: picks the member that the client meant, so that error messages are about it only. */
  selectBody?: (body: unknown) => z.ZodType;
  /** Describes a JSON body that the handler reads as raw bytes. It is not validated. */
  rawBody?: z.ZodType;
  answers: AnswerTable;
  /** Codes that the handler throws and no guard throws. The codes of the guards follow from the declaration. */
  refusals?: readonly RefusalCode[];
}

/** The argument of a handler. `params`, `query` and `body` are validated. */
export interface RouteContext<
  A extends RouteAccess = RouteAccess,
  Params = unknown,
  Query = unknown,
  Body = unknown,
> {
  backend: Backend;
  caller: A extends 'user' ? Caller : A extends 'optional' ? Caller | undefined : undefined;
  params: Params;
  query: Query;
  body: Body;
  request: Request & { rawBody?: Buffer };
  /** For cookies and headers only. The handler does not send the answer, but returns it. */
  response: Response;
  /**
   * Counts a point under a key.
   *
   * @throws Refusal `rate_limit_reached`
   */
  countRequest: (limit: (config: Config) => RateLimit, key: string) => Promise<void>;
  /**
   * For `in-handler` access.
   *
   * @throws Refusal as `authenticateInHandler`
   */
  authenticate: () => Promise<Caller>;
  /** All routes, for the OpenAPI document. */
  routes: readonly Route[];
}

export interface Route extends RouteDeclaration {
  handler: (context: RouteContext) => Promise<HandlerResult>;
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/**
 * Declares a route. Its router, validation, guards, OpenAPI document and client types follow from the declaration.
 *
 * @example
 *   const getTeamRoute = route({
 *     id: 'getTeam',
 *     method: 'get',
 *     path: '/api/auth/teams/{teamId}',
 *     tag: 'Teams',
 *     summary: 'Get a team',
 *     description: 'Returns the team.',
 *     params: teamParams,
 *     answers: { 200: json('The team.', teamView) },
 *     refusals: ['team_not_found'],
 *     handler: async ({ backend, caller, params }) => ({
 *       status: 200,
 *       body: await describeTeam(backend, caller, params.teamId),
 *     }),
 *   });
 */
export function route<
  const Answers extends AnswerTable,
  A extends RouteAccess = 'user',
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(
  declaration: Omit<RouteDeclaration, 'access' | 'params' | 'query' | 'body' | 'answers'> & {
    access?: A;
    params?: Params;
    query?: Query;
    body?: Body;
    answers: Answers;
    handler: (
      context: RouteContext<A, Output<Params>, Output<Query>, Output<Body>>,
    ) => Promise<ResultOf<NoInfer<Answers>>>;
  },
): Route {
  return declaration as unknown as Route;
}
