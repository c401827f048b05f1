/*
 * `identify` begins the session check of a request with a cookie, and does not wait for it. The guard waits, except on
 * a route where the handler may read at the same time (`defersSessionCheck`). There `runBesideSessionCheck` waits
 * before the answer.
 */
import type { Response } from 'express';
import { awaitedLater } from '../common/awaited-later.ts';
import { localsOf } from './locals.ts';
import { isWrite, type GuardDeclaration } from './route.ts';

/**
 * True if the handler starts before the session check has ended, which saves the time of a read. False for these
 * requests:
 *
 * - A request that writes.
 * - A request to a route with a limit. If the session has ended, the request must not count.
 * - A request to a route for operators.
 * - A request to a route that redirects signed-out visitors. Only the guard redirects, not `awaitSessionCheck`.
 * - A request to a route with the access `optional`. If the session has ended, `clearCookieIfRefused` must clear the
 *   cookie. It catches only the errors of the guard, so the guard must wait.
 */
export function defersSessionCheck(declaration: GuardDeclaration, method: string): boolean {
  const { access, limits = [], operatorsOnly = false, signedOut } = declaration;
  const onlyReads = !isWrite(declaration, method);
  const guardHandlesRefusal = signedOut !== undefined || access === 'optional';
  return onlyReads && limits.length === 0 && !operatorsOnly && !guardHandlesRefusal;
}

/**
 * Runs a handler, and waits for the session check before the result. `authenticationGuard` has begun this check, and
 * has waited for it unless `defersSessionCheck` is true. If the session has ended, the answer is 401, whatever the
 * handler returns or throws.
 */
export async function runBesideSessionCheck<Result>(
  response: Response,
  handle: () => Promise<Result>,
): Promise<Result> {
  const result = awaitedLater(handle());
  await awaitSessionCheck(response);
  return result;
}

/** Waits for a session check that is still running. Rejects if the session has ended or cannot be read. */
export async function awaitSessionCheck(response: Response): Promise<void> {
  await localsOf(response).sessionCheck;
}
