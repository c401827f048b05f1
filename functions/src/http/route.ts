import type { Request, Response } from 'express';
import type * as z from 'zod';
import type { Caller } from '../auth/caller.ts';
import type { Backend } from '../backend.ts';
import type { RefusalCode } from '../refusals/refusals.ts';
import type { Config } from '../settings/config.ts';
import type { RateLimit } from '../settings/rate-limits.ts';
import type { AnswerTable, Result, ResultOf } from './answer.ts';
import type { BackLink, ErrorShape } from './errors/render-error.ts';

/**
 * The access to a route:
 * - `user`: signed-in users.
 * - `optional`: signed-in users, and visitors without credentials.
 * - `deferred`: everybody. If the handler needs the user, it calls `authenticate()`. Requests do not count as writes.
 * - `public`: everybody. Requests do not count as writes.
 */
export type RouteAccess = 'user' | 'optional' | 'deferred' | 'public';

/** How often a route may be called. */
export interface RouteLimit {
  limit: (config: Config) => RateLimit;
  /** The key of the count. `ip-per-instance` counts in memory, which costs no reads. */
  by: 'user' | 'ip' | 'ip-per-instance';
  /** The number of points that the request takes; 1 by default. */
  points?: (request: Request) => number;
  /** Only for `optional` access: whether requests of users or of visitors are counted. By default `users`. */
  appliesTo?: 'users' | 'visitors';
}

/** The part of a declaration that decides which requests reach the handler. */
export interface RouteGuards {
  /** `user` by default. */
  access?: RouteAccess;
  /** For `optional` access: true if the settings require a user. */
  requiresUser?: (config: Config) => boolean;
  /** False if programs other than our app use the route. By default see `asksForAppCheck`. */
  appCheck?: boolean;
  /** True if the request must come from a page of our own, whatever its credentials. */
  ownOrigin?: true;
  /**
   * For a GET that changes something: a link leads to the route, and a link cannot send another method.
   * - `top-level`: refuses a browser unless a person opens the link in a tab.
   * - `no-prefetch`: refuses speculative requests only.
   * - `confirm-if-cross-site`: refuses speculative requests. Also refuses a browser that another site has sent here,
   *   with a page on which the person can confirm.
   *
   * A request with a caller counts as a write and reads the current state of the caller. HEAD is refused. By default
   * App Check is not required, because a browser that navigates cannot send a token.
   */
  actsByLink?: 'top-level' | 'no-prefetch' | 'confirm-if-cross-site';
  /**
   * True to read the current state of the user from Firebase Auth, even if a state is cached. By default true for
   * writes, and on routes with `operatorsOnly`.
   */
  currentUser?: boolean;
  /**
   * The redirect if credentials are missing or not valid: for everybody, or for browsers only. By default the answer is
   * 401.
   */
  signedOut?: 'to-sign-in' | 'browsers-to-sign-in';
  /** True if only operators use the route: see `requireOperator`. Other users get 404. */
  operatorsOnly?: true;
  /** For a route that changes something: `allowed` if an operator may use it while impersonating the caller. */
  impersonation?: 'allowed';
  limits?: readonly RouteLimit[];
  /** Largest body in bytes; 64 KiB by default. */
  maxBytes?: (config: Config) => number;
  /** True for a form with one file in the field `file`. Its body is read after all other guards. */
  form?: true;
  /** Format of errors; `json` by default. */
  errors?: ErrorShape;
  /** For errors on a page: the link back into the app. By default it leads to the start page. */
  back?: (config: Config) => BackLink;
}

/** True for a request that changes something: a write. */
export function isWrite({ actsByLink }: RouteGuards, method: string): boolean {
  return actsByLink !== undefined || !isSafe(method);
}

/** https://www.rfc-editor.org/rfc/rfc9110#name-safe-methods */
export function isSafe(method: string): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method.toUpperCase());
}

/** See `RouteGuards.currentUser`. */
export function needsCurrentUser(guards: RouteGuards, method: string): boolean {
  return guards.currentUser ?? (guards.operatorsOnly === true || isWrite(guards, method));
}

/** Everything about a route except its handler. */
export interface RouteDeclaration extends RouteGuards {
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
  /** Selects the schema of the union `body` to validate with, so that messages fit the intended form. */
  selectBody?: (body: unknown) => z.ZodType;
  /** Describes a JSON body that the handler reads as raw bytes. It is not validated. */
  rawBody?: z.ZodType;
  answers: AnswerTable;
  /** Codes that the handler throws. The codes of the guards follow from the declaration. */
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
  /**
   * The signed-in user. Undefined for a visitor of an `optional` route, and always for `deferred` and `public` routes.
   */
  caller: A extends 'user' ? Caller : A extends 'optional' ? Caller | undefined : undefined;
  params: Params;
  query: Query;
  body: Body;
  request: Request & { rawBody?: Buffer };
  /** For cookies and headers. The handler returns the answer itself. */
  response: Response;
  /**
   * Counts a point under a key, besides the limits of the declaration.
   *
   * @throws Refusal `too_many_requests`
   */
  countRequest: (limit: (config: Config) => RateLimit, key: string) => Promise<void>;
  /**
   * Authenticates the request, for `deferred` access.
   *
   * @throws Refusal as `authenticateNow`
   */
  authenticate: () => Promise<Caller>;
  /** All routes of the app. */
  routes: readonly Route[];
}

export interface Route extends RouteDeclaration {
  handler: (context: RouteContext) => Promise<Result>;
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/**
 * Declares a route. Router, validation, guards, OpenAPI document, contract test and the client's types follow from it.
 *
 * @example
 *   export const getTeam = route({
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
