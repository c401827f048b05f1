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
 * The callers of a route:
 * - `user`: signed-in users.
 * - `optional`: signed-in users, and callers without credentials.
 * - `deferred`: everybody. The handler calls `authenticate()` if it needs the user. Its requests are not counted as
 *   writes.
 * - `public`: everybody.
 */
export type RouteAccess = 'user' | 'optional' | 'deferred' | 'public';

/** How often a route may be called. */
export interface RouteLimit {
  limit: (config: Config) => RateLimit;
  /** The key of the count. `ip-per-instance` counts in memory, which costs no reads. */
  by: 'user' | 'ip' | 'ip-per-instance';
  /** The number of points that the request takes; 1 by default. */
  points?: (request: Request) => number;
  /**
   * Only with `optional` access: whether the requests of users are counted or those of visitors. By default `users`.
   */
  counts?: 'users' | 'visitors';
}

/** The part of a declaration that decides which requests reach the handler. */
export interface RouteGuards {
  /** `user` by default. */
  access?: RouteAccess;
  /** For `optional` access: true if the settings require a user. */
  requiresUser?: (config: Config) => boolean;
  /**
   * False if callers other than our app use the route. By default every route without `actsByLink` asks for App Check.
   */
  appCheck?: boolean;
  /** True if the request must come from a page of our own, whatever its credentials. */
  ownOrigin?: true;
  /**
   * For a GET that changes something, because a link leads to it and a link cannot send another method. `top-level`
   * allows only a link that a person opens in a tab. `no-prefetch` refuses only speculative requests. `confirmed`
   * refuses these too, and asks a person whom another site has sent here.
   *
   * For a signed-in user such a route counts as a write, and reads the current state of the user. It refuses HEAD, and
   * asks for no App Check, because a browser that navigates cannot send its token.
   */
  actsByLink?: 'top-level' | 'no-prefetch' | 'confirmed';
  /**
   * True if the current state of the user is read from Firebase Auth for the request. Otherwise the state may be as old
   * as `USER_CACHE_SECONDS`. By default the current state is read for writes, and on routes with `operatorsOnly`.
   */
  currentUser?: boolean;
  /** Where a visitor is sent whose credentials are missing or not valid. By default the answer is 401. */
  signedOut?: 'to-sign-in' | 'browsers-to-sign-in';
  /** True if only operators use the route: see `requireOperator`. Everybody else gets 404. */
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
  /** For errors on a page: the link back into the app. To the start page by default. */
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

/** True if the state of the user is read from Firebase Auth for the request. See `RouteGuards.currentUser`. */
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
  /** Details for a caller: effects, conditions, order of lists. */
  description: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Schema of a JSON body. */
  body?: z.ZodType;
  /** Selects the member of the union `body` to validate with, so that messages fit the intended form. */
  selectBody?: (body: unknown) => z.ZodType;
  /** Describes a JSON body that the handler reads as raw bytes. It is not validated. */
  rawBody?: z.ZodType;
  answers: AnswerTable;
  /** Codes that the handler throws. Those of the guards follow from the declaration. */
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
  /** The signed-in user; undefined if the route allows requests without one. */
  caller: A extends 'user' ? Caller : A extends 'optional' ? Caller | undefined : undefined;
  params: Params;
  query: Query;
  body: Body;
  request: Request & { rawBody?: Buffer };
  /** For cookies and headers. The answer itself is what the handler returns. */
  response: Response;
  /**
   * Counts one more key against a limit.
   *
   * @throws Refusal `too_many_requests`
   */
  consume: (limit: (config: Config) => RateLimit, key: string) => Promise<void>;
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
